"""Addresses of a director's pages, said once."""

from ratebook.web.routing import Address

HOME = "/director"
NEW = "/director/previews/new"
PREVIEWS = "/director/previews"
TYPED = "/director/type"
SUBMISSIONS = "/director/submissions"

PREVIEW = Address(f"{PREVIEWS}/{{name:str}}")
SEND = Address(f"{PREVIEW}/send")
COMPLETE = Address(f"{PREVIEW}/complete")
FORGET = Address(f"{PREVIEW}/delete")
CHOOSE = Address(f"{PREVIEW}/member")
WHY = Address(f"{PREVIEW}/why/{{number:int}}/{{seat:int}}")
TYPED_REPORT = Address(f"{TYPED}/{{name:str}}")
TYPED_SECTION = Address(f"{TYPED_REPORT}/{{number:int}}")
TYPED_ROUND = Address(f"{TYPED_SECTION}/round/{{played:int}}")
SUBMISSION = Address(f"{SUBMISSIONS}/{{number:int}}")
