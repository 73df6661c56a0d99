"""Questions about the rating system that need data of many players; its library is the extra ``lab``."""
