"""The process that measures: its CPUs, threads and environment."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import math
import os
import signal
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import ContextManager, Iterator, Sequence

from .environment import Settings

# Set in the process that has all it needs.
_MEASURING = "COMPARE_CPUS"
_ALLOWED = "COMPARE_ALLOWED_CPUS"
# They would take away threads that all contestants are to have, without a word.
_FEWER_THREADS = ("OMP_THREAD_LIMIT", "OMP_MAX_ACTIVE_LEVELS")
# The exit code of a program that an interrupt ended.
INTERRUPTED = 130
# `timeout` sends its signal to the program and then to its group, to which that belongs: two
# within so many seconds are one.
_ONE_REQUEST = 0.25


def is_ready() -> bool:
    return _MEASURING in os.environ


def choose_cpus(count: int, allowed: Sequence[int]) -> list[int]:
    """`count` of the allowed CPUs, one of each core before the second of any."""
    seen: set[str] = set()
    first: list[int] = []
    later: list[int] = []
    for cpu in allowed:
        core = _siblings(cpu)
        (later if core in seen else first).append(cpu)
        seen.add(core)
    chosen = (first + later)[:count]
    if len(chosen) < count:
        raise ValueError(f"--threads {count}: this process may use {len(allowed)} CPUs")
    return chosen


def _siblings(cpu: int) -> str:
    path = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
    try:
        return path.read_text().strip()
    except OSError:
        return str(cpu)


def restart(script: str, arguments: Sequence[str], threads: int,
            environment: Settings) -> None:
    """Becomes the measuring process: what libraries read when they load is set before."""
    allowed = sorted(os.sched_getaffinity(0))
    cpus = choose_cpus(threads, allowed)
    places = ",".join(f"{{{cpu}}}" for cpu in cpus)
    settings = {
        _MEASURING: ",".join(map(str, cpus)), _ALLOWED: ",".join(map(str, allowed)),
        "OMP_NUM_THREADS": str(threads), "OMP_DYNAMIC": "false",
        "OMP_PROC_BIND": "true", "OMP_PLACES": places,
        "MKL_THREADING_LAYER": "GNU", "MKL_NUM_THREADS": str(threads), "MKL_DYNAMIC": "FALSE",
        "OPENBLAS_NUM_THREADS": str(threads),
        # Memory that is freed is kept: no contestant pays for page faults of its results.
        "MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(1 << 46),
        **environment.variables,
    }
    inherited = {name: value for name, value in os.environ.items() if name not in _FEWER_THREADS}
    os.execve(environment.python, [environment.python, "-W", "ignore", script, *arguments],
              {**inherited, **settings})


def take_termination_for_interrupt() -> None:
    """SIGTERM raises KeyboardInterrupt: what is measured by then is worth printing.

    So does an interrupt that met a finalizer, whose exceptions Python drops: PyTorch's run
    after every layer."""
    last = -math.inf

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        nonlocal last
        before, last = last, time.monotonic()
        if last - before >= _ONE_REQUEST:
            raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, interrupt)
    sys.unraisablehook = _ask_again


def _ask_again(dropped: "sys.UnraisableHookArgs") -> None:
    if isinstance(dropped.exc_value, KeyboardInterrupt):
        # Later, and from another thread: here it would be dropped, too.
        main = threading.main_thread().ident
        threading.Timer(_ONE_REQUEST + 0.05, signal.pthread_kill,
                        (main, signal.SIGINT)).start()
    else:
        sys.__unraisablehook__(dropped)


def measuring_cpus() -> list[int]:
    """One for each thread."""
    return _cpus_in(_MEASURING)


def _cpus_in(variable: str) -> list[int]:
    return [int(cpu) for cpu in os.environ[variable].split(",")]


@contextmanager
def _bound_to(cpus: Sequence[int]) -> Iterator[None]:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cpus)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def on_all_cpus() -> ContextManager[None]:
    """For compiling: OpenMP has bound this thread, and its children would inherit that."""
    return _bound_to(_cpus_in(_ALLOWED))


def on_first_cpu() -> ContextManager[None]:
    """For measuring: the calling thread is thread 0 of every parallel region."""
    return _bound_to(measuring_cpus()[:1])


def openmp_runtimes() -> list[str]:
    """The files of the OpenMP runtimes that this process has loaded."""
    names = ("libgomp", "libiomp", "libomp")
    lines = Path("/proc/self/maps").read_text().splitlines()
    paths = {line.split(maxsplit=5)[5] for line in lines if line.count("/")}
    return sorted(path for path in paths if Path(path).name.startswith(names))
