"""What the programs that compare have in common on their command lines."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Sequence

from . import element_types, environment, machine, process
from .race import Effort


def add_common_options(parser: argparse.ArgumentParser) -> None:
    """What to compute, on how many threads, for how long and with which build."""
    parser.add_argument("--dtype", type=element_types.parse, default="f32", metavar="TYPES",
                        help="of x and w, and after a colon of the result, if not the usual one: "
                        f"{', '.join(element_types.CHOICES)} [%(default)s]")
    parser.add_argument("--threads", type=int, metavar="N",
                        help="[LINTEL_THREADS, else the CPUs this process may use]")
    parser.add_argument("--seconds", type=float, default=Effort.seconds, metavar="S",
                        help="for timing one problem [%(default)s]")
    parser.add_argument("--build", type=Path, default=environment.default_build(),
                        metavar="FOLDER", help="where lib/liblintel.so and bin/lintel are, "
                        "of a build or a package [%(default)s]")
    parser.add_argument("--no-install", action="store_true",
                        help="install nothing: use this Python and what it has")


def check_common_options(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    """Ends the program where they make no sense."""
    if not 0 < arguments.seconds < float("inf"):
        parser.error("--seconds must be a positive number")
    for name in ("lib/liblintel.so", "bin/lintel"):
        if not _is_there(parser, arguments.build / name):
            parser.error(f"{arguments.build} has no {name}; run scripts/build, or say "
                         "--build FOLDER")
    said = "--threads"
    if arguments.threads is None:
        if "LINTEL_THREADS" in os.environ:
            said = "LINTEL_THREADS"
        arguments.threads = _usual_threads(parser, arguments.build)
    if arguments.threads < 1:
        parser.error(f"{said} must be at least 1")
    allowed = len(os.sched_getaffinity(0))
    if arguments.threads > allowed:  # before anything is installed
        parser.error(f"{said} {arguments.threads}: this process may use {allowed} CPUs")


def _is_there(parser: argparse.ArgumentParser, path: Path) -> bool:
    try:
        path.stat()
        return True
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:  # a name that is too long, a folder that may not be searched
        parser.error(f"--build: {error}")


def _usual_threads(parser: argparse.ArgumentParser, build: Path) -> int:
    if process.is_ready():  # where OpenMP binds programs to a CPU
        return len(process.measuring_cpus())
    try:
        return machine.usual_threads(build / "bin" / "lintel")
    except (OSError, RuntimeError, ValueError) as error:
        parser.error(f"--threads: Lintel does not say how many there are: {error}")


def become_measuring_process(script: str, words: Sequence[str], arguments: argparse.Namespace,
                             peers: Sequence[str]) -> None:
    """Returns in the process that measures, which has PyTorch and `peers`; the others end.

    Raises SystemExit with code 2 if there can be none."""
    if process.is_ready():
        return
    try:
        settings = (environment.adopt() if arguments.no_install
                    else environment.install(peers))
        process.restart(script, words, arguments.threads, settings)
    except (environment.InstallError, OSError, ValueError) as error:
        print(f"{Path(script).stem}: {error}", file=sys.stderr)
        raise SystemExit(2) from error
