"""Chromium for the tests of pages: the one that is there, or one from the system's packages."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from support.whole_run import alone_with, folder_of_run

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The shell has no window of its own: a page takes it half the time, and a new tab a fifth."""
REQUIRED = "RATEBOOK_CHROMIUM_REQUIRED"
"""Set where a run without Chromium would hide something (.ci/run)."""


def chromium(factory: pytest.TempPathFactory) -> str:
    """Return the path of Chromium, installed if need be; else skip the test, or fail where it is required."""
    with alone_with(folder_of_run(factory) / "chromium"):
        found = _found() or _installed()
    if found is not None:
        return found
    reason = "there is no Chromium here, and only root with apt-get can install one"
    if os.environ.get(REQUIRED):
        pytest.fail(reason)
    pytest.skip(reason)


def _found() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def _installed() -> str | None:
    packages = shutil.which("apt-get")
    if packages is None or os.geteuid() != 0:
        return None
    subprocess.run([packages, "update", "-qq"], check=False, capture_output=True)
    command = [packages, "install", "-y", "-qq", "--no-install-recommends", "fonts-dejavu-core"]
    for name in NAMES[:2]:
        if not subprocess.run([*command, name], check=False, capture_output=True).returncode:
            break
    return _found()
