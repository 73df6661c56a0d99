"""Cells computed by workers of a real scheduler on loopback: lost workers, a lost scheduler, a second run (A15)."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import dask
import pytest
from click.testing import CliRunner

from ratebook.cli.main import run
from ratebook.lab.studies import cluster
from ratebook.lab.studies.cluster import ClusterError, run_on_cluster
from ratebook.lab.studies.running import missing, run_here, tasks_of
from ratebook.lab.studies.study import read_study

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ratebook.lab.studies.running import Done
    from ratebook.lab.studies.study import Study

pytestmark = pytest.mark.long

STUDY = """
score-from = 2005-01-01
[world]
years = 3
members = 60
arrivals = 6
regions = 1
[factor.bonus]
6 = { bonus_multiplier = 6 }
8 = { bonus_multiplier = 8 }
10 = { bonus_multiplier = 10 }
12 = { bonus_multiplier = 12 }
14 = { bonus_multiplier = 14 }
"""
QUIET = ("--no-dashboard",)


@contextmanager
def process(module: str, *arguments: str, ready: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a part of Dask, and give it with the line by which it says that it is *ready*."""
    command = [sys.executable, "-m", f"distributed.cli.{module}", *arguments, *QUIET]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as started:
        try:
            assert started.stderr is not None
            yield started, next(line for line in started.stderr if ready in line)
        finally:
            started.kill()


class LoopbackCluster:
    """A scheduler on loopback with two workers, each of one thread, without anybody who starts them again."""

    def __init__(self, stack: ExitStack) -> None:
        host = ("--host", "127.0.0.1", "--port", "0")
        self.scheduler, line = stack.enter_context(process("dask_scheduler", *host, ready="Scheduler at:"))
        self.address = line.split()[-1]
        alone = ("--nthreads", "1", "--no-nanny", "--host", "127.0.0.1")
        started = (process("dask_worker", self.address, *alone, ready="Registered to:") for _ in range(2))
        self.workers = [stack.enter_context(one)[0] for one in started]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """Give a small study."""
    path = tmp_path_factory.mktemp("study") / "study.toml"
    path.write_text(STUDY, encoding="utf-8")
    return read_study(path)


@pytest.fixture(scope="module")
def undisturbed(study: Study, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Give the cells as one process computes them here."""
    folder = tmp_path_factory.mktemp("here")
    list(run_here(tasks_of(study, folder), nothing_told))
    return content_of(folder)


def nothing_told(_done: int, _all: int, _last: Done | None) -> None:
    pass


def content_of(results: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((results / "cells").iterdir())}


@pytest.mark.soak
def test_neither_the_place_nor_what_is_killed_changes_a_byte(
    study: Study, undisturbed: dict[str, bytes], tmp_path: Path
) -> None:
    path, results, disturbed = tmp_path / "study.toml", tmp_path / "there", tmp_path / "disturbed"
    path.write_text(STUDY, encoding="utf-8")
    with ExitStack() as stack:
        loopback = LoopbackCluster(stack)
        asked = ["lab", "run", str(path), "--results", str(results), "--cluster", loopback.address]
        for computed in (5, 0):
            outcome = CliRunner().invoke(run, asked)
            assert outcome.exit_code == 0, outcome.output
            assert re.search(rf"computed +{computed}\b", outcome.stdout), outcome.stdout
            assert content_of(results) == undisturbed
        cells = run_on_cluster(tasks_of(study, disturbed), nothing_told, loopback.address)
        first = next(cells)
        os.kill(loopback.workers[0].pid, signal.SIGKILL)
        names = [first.task.name, *(one.task.name for one in cells)]
        assert len(names) == len(set(names)) == 5
        assert content_of(disturbed) == undisturbed
        tasks = tasks_of(study, tmp_path / "headless")
        cells = run_on_cluster(tasks, nothing_told, loopback.address)
        next(cells)
        os.kill(loopback.scheduler.pid, signal.SIGKILL)
        with pytest.raises(ClusterError) as lost:
            list(cells)
        assert lost.value.finding.code == "cluster-lost"
        left = missing(tasks)
        assert len(left) < len(tasks)
        patience = {"distributed.comm.timeouts.connect": "1s"}
        with dask.config.set(patience), pytest.raises(ClusterError) as away:
            list(run_on_cluster(tasks, nothing_told, loopback.address))
        assert away.value.finding.code == "cluster-away"
    # A second run, wherever it runs, computes what is missing.
    done = list(run_here(tasks, nothing_told))
    assert {one.task.name for one in done} == {task.name for task in left}
    assert content_of(tmp_path / "headless") == undisturbed


def test_a_worker_with_another_history_or_program_is_refused(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a worker looks at before it computes; run here, since a worker has this program."""
    (task, *_) = tasks_of(study, tmp_path)
    asked = cluster.Asked("another", "another")
    found = [cluster.compute_there(task, asked)]
    monkeypatch.setattr(cluster, "__version__", "another")
    found.append(cluster.compute_there(task, asked))
    found.append(cluster.compute_there(task._replace(history=tmp_path / "nowhere"), asked))
    assert [getattr(one, "code", "") for one in found] == [
        "cluster-version-differs",
        *["cluster-history-differs"] * 2,
    ]
    assert not task.place.is_there


def test_a_scheduler_without_workers_says_so(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "WAIT", 0.1)
    host = ("--host", "127.0.0.1", "--port", "0")
    with (
        process("dask_scheduler", *host, ready="Scheduler at:") as (_, line),
        pytest.raises(ClusterError) as idle,
    ):
        list(run_on_cluster(tasks_of(study, tmp_path), nothing_told, line.split()[-1]))
    assert idle.value.finding.code == "cluster-without-workers"
