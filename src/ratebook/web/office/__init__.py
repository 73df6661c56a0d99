"""The room of the office."""

from ratebook.web.office.home import office_home

ROUTES = (office_home,)
