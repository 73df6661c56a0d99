"""Pages of tournament directors."""

from ratebook.web.director.home import director_home
from ratebook.web.director.preview import preview_page, preview_why, send_preview
from ratebook.web.director.submissions import (
    answer_submission,
    own_submission,
    type_submission,
    withdraw_submission,
)
from ratebook.web.director.typed.event import make_typed, new_typed, open_typed, save_event, typed_event
from ratebook.web.director.typed.section import save_section, typed_section
from ratebook.web.director.upload import make_preview, new_preview

ROUTES = (
    director_home,
    new_preview,
    make_preview,
    preview_page,
    preview_why,
    send_preview,
    new_typed,
    make_typed,
    typed_event,
    save_event,
    open_typed,
    typed_section,
    save_section,
    own_submission,
    answer_submission,
    type_submission,
    withdraw_submission,
)
