"""What an administrator may ask for about accounts and tokens, in the browser and at the prompt of the machine."""

from ratebook.office.action import Action, By, Kind, Parameter, Values
from ratebook.web.gate.keeping import LONGEST_NAME, Duty, Keeper
from ratebook.web.store.accounts import Account, Role
from ratebook.web.store.tokens import LONGEST_DAYS, Scope

NAME = Parameter(
    "name", "Name", hint="The person signs in with it.", argument=True, longest=LONGEST_NAME, metavar="NAME"
)
DUTY = (
    Parameter(
        "role",
        "Role",
        Kind.CHOICE,
        choices=[(role, role.value.capitalize()) for role in Role],
        help="What the account is for.",
    ),
    Parameter(
        "member",
        "Member ID",
        hint="A director is a member.",
        needed=False,
        longest=40,
        default="",
        metavar="ID",
        help="The member id of a director.",
    ),
    Parameter(
        "affiliates",
        "Affiliates",
        Kind.WORDS,
        "Ids of those for which a director sends reports, separated by spaces.",
        option="--affiliate",
        needed=False,
        default=(),
        metavar="ID",
        help="An affiliate for which a director sends reports; repeatable.",
    ),
)
PROGRAM = "ratebook web --book league.book"
MAY = {
    Scope.PREVIEW: "try reports",
    Scope.SUBMIT: "send reports and follow them",
    Scope.READ_PRIVATE: "read private facts",
}
SCOPES = {scope: f"It may {words}" for scope, words in MAY.items()}


def _duty(given: Values) -> Duty:
    return Duty(given.role, given.member, given.affiliates)


def _give_token(keeper: Keeper, given: Values) -> tuple[int, str]:
    return keeper.give_token(keeper.account(given.account), given.purpose, given.scopes, given.days)


ADD: Action[Keeper, Account] = Action(
    "account add",
    "Add the account",
    "Add an account, and print a link for its owner to choose a password within 24 hours.",
    (NAME, *DUTY),
    lambda keeper, _, given: keeper.add(given.name, _duty(given)),
    examples=(
        '"Ann Lee" --role office',
        "dora --role director --member 12345678 --affiliate A6000001",
        "ada --role administrator --ask",
    ),
    program=PROGRAM,
    by=By.ADMINISTRATOR,
    again=True,
)
CHANGE: Action[Keeper, None] = Action(
    "account change",
    "Change the account",
    "Change what an account is for; its owner must sign in again.",
    (NAME, *DUTY),
    lambda keeper, _, given: keeper.change(keeper.account(given.name), _duty(given)),
    examples=('"Ann Lee" --role administrator',),
    program=PROGRAM,
    by=By.ADMINISTRATOR,
    again=True,
)
RESET: Action[Keeper, int] = Action(
    "account reset",
    "Reset the account",
    "Remove the password and second factor of an account, and let its owner choose a password as after `add`.",
    (
        NAME,
        Parameter(
            "void_tokens",
            "Make the tokens of its programs void, too",
            Kind.FLAG,
            "Do so after a theft.",
            default=False,
        ),
    ),
    lambda keeper, _, given: keeper.reset(keeper.account(given.name), void_tokens=given.void_tokens),
    more="An account that was disabled can be used again. Tokens of its programs stay valid unless `--void-tokens` is"
    " given; use it after a theft.",
    examples=('"Ann Lee"', "dora --void-tokens"),
    program=PROGRAM,
    by=By.ADMINISTRATOR,
    again=True,
    sure="Remove the password and second factor of {name}, and end its sessions",
)
DISABLE: Action[Keeper, None] = Action(
    "account disable",
    "Disable the account",
    "Block an account: end its sessions and make its tokens void.",
    (NAME,),
    lambda keeper, _, given: keeper.disable(keeper.account(given.name)),
    examples=('"Ann Lee"',),
    program=PROGRAM,
    by=By.ADMINISTRATOR,
    again=True,
    sure="Block {name}, end its sessions, and make its tokens void for good",
)
GIVE_TOKEN: Action[Keeper, tuple[int, str]] = Action(
    "token add",
    "Make the token",
    "Give a program a token; it is shown once and not stored.",
    (
        Parameter(
            "account", "Account", hint="The program can never do more than this account.", argument=True
        ),
        Parameter(
            "purpose",
            "Purpose",
            hint="What it is for, for example the club's program.",
            longest=80,
            metavar="TEXT",
        ),
        Parameter(
            "scopes",
            "What it may do",
            Kind.SEVERAL,
            option="--scope",
            choices=list(SCOPES.items()),
            help="What the program may do; repeatable.",
        ),
        Parameter(
            "days",
            "Days",
            Kind.COUNT,
            f"How long it is valid; at most {LONGEST_DAYS}.",
            bounds=(1, LONGEST_DAYS),
            default=90,
            help="For how many days the token is valid.",
        ),
    ),
    lambda keeper, _, given: _give_token(keeper, given),
    examples=('dora --purpose "club program" --scope preview --scope submit',),
    program=PROGRAM,
    by=By.ADMINISTRATOR,
    again=True,
)
