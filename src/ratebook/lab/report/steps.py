"""From the text of a study to its report in steps: for a server, which has another process do each of them."""

from pathlib import Path

from ratebook.findings import Finding
from ratebook.lab.report.page import report_of
from ratebook.lab.studies.lock import read_lock, write_lock
from ratebook.lab.studies.running import Task, compute, missing, tasks_of
from ratebook.lab.studies.study import read_study

STUDY = "study.toml"


def begin(text: str, folder: Path) -> int:
    """Write a study into a folder, make its federations, and return how many cells there are to compute.

    Raises:
        OSError: the folder cannot be written.
        StudyError: something in the study is not understood.
    """
    (folder / STUDY).write_text(text, encoding="utf-8")
    tasks = _tasks(folder)
    write_lock(read_study(folder / STUDY), tasks, folder)
    return len(missing(tasks))


def advance(folder: Path) -> tuple[Finding, ...]:
    """Compute the next cell, and return why its rules cannot rate the history; nothing where they can.

    Raises:
        OSError: it cannot be written.
    """
    done = compute(missing(_tasks(folder))[0])
    return done.findings if done.failed else ()


def conclude(folder: Path) -> tuple[tuple[str, ...], str]:
    """Return what is said first of a study whose cells are there, and its report as a page.

    Raises:
        OSError: the baseline's cell is not there.
    """
    report = report_of(read_lock(folder))
    return report.sentences, report.page


def _tasks(folder: Path) -> tuple[Task, ...]:
    return tasks_of(read_study(folder / STUDY), folder)
