"""The room of tournament directors."""

from ratebook.web.director.home import director_home

ROUTES = (director_home,)
