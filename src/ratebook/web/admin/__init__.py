"""The room of the administrator."""

from ratebook.web.admin.home import admin_home

ROUTES = (admin_home,)
