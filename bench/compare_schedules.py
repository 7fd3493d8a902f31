#!/usr/bin/env python3
"""Races schedules of one problem, pinned and freshly tuned, in one process; and peers, if named."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bench/compare_schedules.py --dtype bf16 --threads N --tune 2 16x4096:4096x11008 bias+relu
#   bench/compare_schedules.py --schedule tile=2x32 --schedule tile=3x16 3x2048:2048x2048 residual
#   bench/compare_schedules.py --tune 1 --peers inductor 512x2048:2048x2048 bias
#
# Measures as bench/compare.py does: weights in rotation for few rows, warm for more.
from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Iterator, Sequence

# Also where Python does not look beside the script (PYTHONSAFEPATH).
sys.path.insert(0, str(Path(__file__).resolve().parent))
from comparison import element_types, lintel_abi, problems, process
from comparison.command_line import (add_common_options, become_measuring_process,
                                     check_common_options)
from comparison.contestants import PEERS, why_not
from comparison.field import Field, able_peers
from comparison.output import Output
from comparison.race import Effort, Samples, by_entrant, rounds
from comparison.report import digits


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Races schedules of one linear layer against each other. The first run "
        "installs PyTorch, which makes the data, into .venv-bench, unless --no-install is given.")
    parser.add_argument("problem", nargs="*", help="as in 128x768:768x3072 bias+gelu_erf")
    parser.add_argument("--schedule", action="append", default=[], metavar="S",
                        help="a contestant, as in tile=4x16,kc=256 (docs/tuning.md)")
    parser.add_argument("--tune", type=int, default=0, metavar="N",
                        help="N more contestants, each tuned anew [%(default)s]")
    parser.add_argument("--peers", default="", metavar="NAME[,NAME...]",
                        help=f"more contestants, of {','.join(PEERS)} [none]")
    add_common_options(parser)
    # Intermixed: the words of a problem may stand on both sides of an option.
    arguments = parser.parse_intermixed_args(words)
    if arguments.tune < 0:
        parser.error("--tune must be at least 0")
    if "" in arguments.schedule:
        parser.error("--schedule: the schedule is empty")
    if not arguments.schedule and not arguments.tune:
        parser.error("no schedule; give some, or --tune N")
    check_common_options(parser, arguments)
    arguments.peers = [name for name in arguments.peers.split(",") if name]
    types = element_types.Types(arguments.dtype)
    for name in arguments.peers:
        reason = (why_not(name, types) if name in PEERS
                  else f"there are {', '.join(PEERS)}")
        if reason:
            parser.error(f'--peers "{name}": {reason}')
    try:
        texts = problems.join_arguments(arguments.problem)
        if len(texts) != 1:
            parser.error(f"one problem, not {len(texts)}")
        if texts[0].startswith("?"):
            parser.error("a number of rows, not '?': a dynamic M has a schedule for each bucket")
        arguments.problem = problems.parse_problem(texts[0])
    except problems.ProblemError as error:
        parser.error(str(error))
    return arguments


@dataclass
class Contestant:
    """A schedule, as a report names it, and how many tunings chose it; or a peer."""

    name: str
    tunings: int = 0
    is_peer: bool = False


def _contestants(arguments: argparse.Namespace, library: lintel_abi.Library) -> list[Contestant]:
    """The pinned ones in their order, then what the tunings choose; each once."""
    known: dict[str, Contestant] = {}

    def chosen(schedule: str) -> Contestant:
        """By an engine that knows nothing: one schedule, or the winner of a race."""
        with closing(lintel_abi.Engine(library, arguments.threads, disable_cache=True)) as engine:
            with closing(engine.compile(arguments.problem.text, arguments.dtype,
                                        schedule)) as linear:
                name = linear.report["winner"]["schedule"]
        return known.setdefault(name, Contestant(name))

    for schedule in arguments.schedule:
        chosen(schedule)
    for _ in range(arguments.tune):
        chosen("").tunings += 1
    return list(known.values())


def _say(text: str) -> None:
    print(f"compare_schedules: {text}", file=sys.stderr)


@dataclass
class Measured:
    """Seconds a call of each contestant, round by round, and whether an interrupt ended these."""

    samples: list[tuple[Contestant, list[float]]]
    interrupted: bool


def checked(racers: Field) -> bool:
    """False if an interrupt came before all were checked again."""
    try:
        racers.check_again()
    except KeyboardInterrupt:
        return False
    return True


def until_interrupt(each_round: Iterator[Samples]) -> tuple[list[Samples], bool]:
    """The rounds, and whether they are those before an interrupt; raises it if there is none."""
    measured: list[Samples] = []
    try:
        for samples in each_round:
            measured.append(samples)
    except KeyboardInterrupt:
        if not measured:
            raise
        return measured, True
    return measured, False


def _measure(arguments: argparse.Namespace) -> Measured:
    import torch  # is there only now, and so is what needs it
    from comparison.contestants.lintel import Lintel
    from comparison.layer import Layer, copies_for
    from comparison.machine import Machine
    from comparison.memory import available_memory
    machine = Machine(arguments.build / "bin" / "lintel")
    library = lintel_abi.Library(arguments.build / "lib" / "liblintel.so")
    types = element_types.Types(arguments.dtype)
    with torch.inference_mode(), ExitStack() as resources:
        with process.on_all_cpus():
            contestants = _contestants(arguments, library)
            peers = able_peers(arguments.peers, types, _say)
            copies = copies_for(
                arguments.problem, types, machine.last_level_caches(process.measuring_cpus()),
                available_memory(), len(contestants) + len(peers), _say)
            layer = Layer(arguments.problem, types, copies,
                          types.weight_bits(machine.weight_bits))
            engine = resources.enter_context(closing(
                lintel_abi.Engine(library, arguments.threads, disable_cache=True)))
            racers = Field(layer, peers, _say)
            resources.callback(racers.close)
            racers.assemble({**{contestant.name: Lintel(engine, contestant.name)
                                for contestant in contestants}, **peers})
        with process.on_first_cpu():
            measured, interrupted = until_interrupt(rounds(
                racers.entries, Effort(seconds=arguments.seconds), racers.attempt))
            if not interrupted:
                interrupted = not checked(racers)
    samples = by_entrant(measured)
    contestants += [Contestant(name, is_peer=True) for name in peers]
    return Measured([(contestant, samples[contestant.name]) for contestant in contestants
                     if contestant.name in racers.entries], interrupted)


def table(samples: Sequence[tuple[Contestant, list[float]]]) -> str:
    """Medians, and the median of the ratios to the first contestant, round by round."""
    _, first = samples[0]
    lines = [f"{len(first)} rounds\n", "| µs | of the first | tunings | schedule or peer |",
             "|---|---|---|---|"]
    for contestant, seconds in samples:
        ratio = median(own / base for own, base in zip(seconds, first))
        lines.append(f"| {digits(1e6 * median(seconds), 4)} | {ratio:.3f} | {contestant.tunings or '-'} "
                     f"| {contestant.name if contestant.is_peer else f'`{contestant.name}`'} |")
    return "\n".join(lines)


def main(words: Sequence[str]) -> int:
    arguments = _arguments(words)
    try:
        become_measuring_process(__file__, words, arguments, arguments.peers)
        process.take_termination_for_interrupt()
        measured = _measure(arguments)
        Output(optional=False).show(table(measured.samples))
        if measured.interrupted:
            _say("interrupted: the results were not checked once more, and there may be fewer "
                 "rounds than asked for")
            return process.INTERRUPTED
    except KeyboardInterrupt:
        return process.INTERRUPTED
    except Exception as error:  # of Lintel, of PyTorch, or a library that is not there
        _say(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
