#!/usr/bin/env python3
"""Races schedules of one problem, pinned and freshly tuned, against each other in one process."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bench/compare_schedules.py --dtype bf16 --threads N --tune 2 16x4096:4096x11008 bias+relu
#   bench/compare_schedules.py --schedule tile=3x64 --schedule tile=3x16 3x2048:2048x2048 residual
#
# Measures as bench/compare.py does: weights in rotation for few rows, warm for more.
from __future__ import annotations

import argparse
import sys
from statistics import median
from typing import Sequence

from comparison import element_types, lintel_abi, problems, process
from comparison.command_line import (add_common_options, become_measuring_process,
                                     check_common_options)
from comparison.race import Effort, race


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Races schedules of one linear layer against each other.")
    parser.add_argument("problem", nargs="*", help="as in 128x768:768x3072 bias+gelu_erf")
    parser.add_argument("--schedule", action="append", default=[], metavar="S",
                        help="a contestant, as in tile=8x48,kc=256 (docs/tuning.md)")
    parser.add_argument("--tune", type=int, default=0, metavar="N",
                        help="N more contestants, each tuned anew [%(default)s]")
    add_common_options(parser)
    arguments = parser.parse_args(words)
    if arguments.tune < 0:
        parser.error("--tune must be at least 0")
    if not arguments.schedule and not arguments.tune:
        parser.error("no schedule; give some, or --tune N")
    check_common_options(parser, arguments)
    try:
        texts = problems.join_arguments(arguments.problem)
        if len(texts) != 1:
            parser.error(f"one problem, not {len(texts)}")
        arguments.problem = problems.parse_problem(texts[0])
    except problems.ProblemError as error:
        parser.error(str(error))
    return arguments


def _tuned_schedules(arguments: argparse.Namespace, library: lintel_abi.Library) -> list[str]:
    """What so many tunings choose, each by an engine that knows nothing."""
    chosen = []
    for _ in range(arguments.tune):
        engine = lintel_abi.Engine(library, arguments.threads, disable_cache=True)
        linear = engine.compile(arguments.problem.text, arguments.dtype)
        report = linear.report
        chosen.append(report["winner"]["schedule"])
        if report["noisy"]:
            print(f"compare_schedules: tuning {len(chosen)} was noisy", file=sys.stderr)
        linear.close()
        engine.close()
    return chosen


def _measure(arguments: argparse.Namespace) -> dict[str, list[float]]:
    """Seconds a call of each schedule, round by round."""
    import torch  # is there only now, and so is what needs it
    from comparison.contestants.lintel import Lintel
    from comparison.layer import Layer, copies_for
    from comparison.machine import Machine, available_memory
    machine = Machine(arguments.build / "bin" / "lintel")
    library = lintel_abi.Library(arguments.build / "lib" / "liblintel.so")
    types = element_types.Types(arguments.dtype)
    entries = {}
    with torch.inference_mode():
        with process.on_all_cpus():
            schedules = list(dict.fromkeys(
                arguments.schedule + _tuned_schedules(arguments, library)))
            layer = Layer(arguments.problem, types, copies_for(
                arguments.problem, types, machine.last_level_cache, available_memory(),
                len(schedules)))
            engine = lintel_abi.Engine(library, arguments.threads, disable_cache=True)
            for schedule in schedules:
                entry = Lintel(engine, schedule).enter(layer)
                entries[schedule] = entry
                if (error := layer.error(entry.result(entry.calls[0]()))) > layer.tolerance():
                    raise ArithmeticError(f"{schedule}: off by {error:.1e}")
        with process.on_first_cpu():
            samples = race({name: entry.calls for name, entry in entries.items()},
                           Effort(seconds=arguments.seconds))
        for entry in entries.values():
            entry.close()
        engine.close()
    return samples


def table(samples: dict[str, list[float]]) -> str:
    """Medians, and the median of the ratios to the first schedule, round by round."""
    first = next(iter(samples.values()))
    lines = [f"{len(first)} rounds\n", "| µs | of the first | schedule |", "|---|---|---|"]
    for schedule, seconds in samples.items():
        ratio = median(own / base for own, base in zip(seconds, first))
        lines.append(f"| {1e6 * median(seconds):.4g} | {ratio:.3f} | `{schedule}` |")
    return "\n".join(lines)


def main(words: Sequence[str]) -> int:
    arguments = _arguments(words)
    become_measuring_process(__file__, words, arguments, ["eager"])
    try:
        print(table(_measure(arguments)))
    except (lintel_abi.LintelError, ArithmeticError, MemoryError) as error:
        print(f"compare_schedules: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
