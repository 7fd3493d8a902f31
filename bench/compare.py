#!/usr/bin/env python3
"""Races Lintel against what a user would pick instead, in one process."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bench/compare.py --dtype bf16 --threads N --file LIST [--peers eager,mkl] [--json OUT]
#   bench/compare.py --threads 2 128x768:768x3072 bias+gelu_erf
#   bench/compare.py --no-install ...      with the PyTorch of the Python that runs this
#
# docs/performance.md says what is measured and how, docs/comparison.md in which types.
from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Sequence

# Also where Python does not look beside the script (PYTHONSAFEPATH).
sys.path.insert(0, str(Path(__file__).resolve().parent))
from comparison import element_types, problems, results_file
from comparison.command_line import (add_common_options, become_measuring_process,
                                     check_common_options)
from comparison.contestants import PEERS, why_not
from comparison.process import INTERRUPTED, take_termination_for_interrupt
from comparison.race import Effort


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Races Lintel against other ways to compute a linear layer.")
    parser.add_argument("problem", nargs="*", help="as in 128x768:768x3072 bias+gelu_erf")
    parser.add_argument("--file", action="append", type=Path, default=[], metavar="LIST",
                        help="a list of problems, one a line")
    add_common_options(parser)
    parser.add_argument("--peers", default=",".join(PEERS), metavar="NAME[,NAME...]",
                        help=f"some of {','.join(PEERS)} [all that compute such layers]")
    parser.add_argument("--json", type=Path, metavar="OUT", help="also write the results here")
    parser.add_argument("--rounds", type=int, default=Effort.min_rounds, metavar="R",
                        help="at least so many, however long they take [%(default)s]")
    # Intermixed: the words of a problem may stand on both sides of an option.
    arguments = parser.parse_intermixed_args(words)
    arguments.peers = [name for name in arguments.peers.split(",") if name]
    for name in arguments.peers:
        if name not in PEERS:
            parser.error(f'--peers: unknown peer "{name}"; there are {", ".join(PEERS)}')
    if not arguments.peers:
        parser.error(f"--peers: no peer; there are {', '.join(PEERS)}")
    if not _able_peers(arguments):
        types = element_types.Types(arguments.dtype)
        parser.error("--peers " + "; ".join(f'"{name}": {why_not(name, types)}'
                                            for name in dict.fromkeys(arguments.peers)))
    if arguments.rounds < 1:
        parser.error("--rounds must be at least 1")
    check_common_options(parser, arguments)
    try:
        if arguments.json:
            results_file.check_can_be_written(arguments.json)
    except OSError as error:
        parser.error(f"--json: {error}")
    try:
        reading = _read_problems(arguments)
    except (problems.ProblemError, OSError) as error:
        parser.error(str(error))
    if not reading.problems:
        parser.error("\n".join(reading.left_out) or "no problem; give some, or --file LIST")
    arguments.problem, arguments.left_out = reading.problems, reading.left_out
    return arguments


def _able_peers(arguments: argparse.Namespace) -> list[str]:
    types = element_types.Types(arguments.dtype)
    return [name for name in arguments.peers if not why_not(name, types)]


def _read_problems(arguments: argparse.Namespace) -> problems.Reading:
    reading = problems.Reading()
    for path in arguments.file:
        if path.exists() and not path.is_file():  # the process that measures reads it again
            raise problems.ProblemError(f"{path}: is no regular file, as a list of problems is")
        try:
            listed = path.read_bytes().decode("utf-8")  # a CR alone ends no line
        except UnicodeDecodeError as error:
            raise problems.ProblemError(f"{path}: is no list of problems: {error}") from error
        reading.add_list(listed, str(path))
    for text in problems.join_arguments(arguments.problem):
        reading.add(text)
    return reading


def main(words: Sequence[str]) -> int:
    arguments = _arguments(words)
    try:
        become_measuring_process(__file__, words, arguments, _able_peers(arguments))
        take_termination_for_interrupt()
        for reason in arguments.left_out:  # not before: the process that restarts reads them, too
            print(f"compare: left out: {reason}", file=sys.stderr, flush=True)
        from comparison.session import Session  # needs PyTorch, which is there only now
        code = Session(arguments).run()
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # of Lintel, of PyTorch, or a library that is not there
        print(f"compare: {error}", file=sys.stderr)
        return 1
    return max(code, 1 if arguments.left_out else 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
