"""What a browser says of itself, in a few words."""

BROWSERS = {"Edg/": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari"}
"""In this order: Edge and Opera say that they are Chrome, and Chrome says that it is Safari."""
SYSTEMS = {
    "Windows": "Windows",
    "Android": "Android",
    "iPhone": "an iPhone",
    "iPad": "an iPad",
    "Mac OS": "a Mac",
    "Linux": "Linux",
}
MOST_LETTERS = 30


def agent_words(agent: str) -> str:
    """Return which browser and system an agent names, or else how it begins.

    >>> agent_words("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox on Linux'
    >>> agent_words("python-httpx/0.28"), agent_words("")
    ('python-httpx/0.28', 'unknown')
    """
    browser = next((name for sign, name in BROWSERS.items() if sign in agent), "")
    system = next((name for sign, name in SYSTEMS.items() if sign in agent), "")
    if browser and system:
        return f"{browser} on {system}"
    return browser or agent[:MOST_LETTERS] or "unknown"
