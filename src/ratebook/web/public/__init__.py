"""Pages that anyone may read, without an account and without a script."""

from ratebook.web.public.calculator import calculator
from ratebook.web.public.changes import changes_of_event, player_changes
from ratebook.web.public.events.page import event, events, section
from ratebook.web.public.feeds import newest_events, newest_of_player
from ratebook.web.public.home import home
from ratebook.web.public.lists import list_in_file, list_of_month, lists, lists_difference
from ratebook.web.public.players.lists import official_ratings
from ratebook.web.public.players.opponents import against, opponents
from ratebook.web.public.players.page import player, player_history, players
from ratebook.web.public.players.why import why
from ratebook.web.public.rankings import rankings
from ratebook.web.public.rules import rules, rules_compared, rules_today
from ratebook.web.public.statements import about, accessibility, privacy, robots
from ratebook.web.public.titles import titles

ROUTES = (
    calculator,
    titles,
    about,
    privacy,
    accessibility,
    robots,
    home,
    players,
    player,
    player_history,
    events,
    event,
    section,
    rankings,
    lists,
    list_of_month,
    lists_difference,
    list_in_file,
    official_ratings,
    why,
    newest_events,
    newest_of_player,
    player_changes,
    changes_of_event,
    opponents,
    against,
    rules_today,
    rules,
    rules_compared,
)
