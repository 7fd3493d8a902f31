"""One run of the comparison: all problems, one after the other."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import torch

from . import lintel_abi, process, report
from .contestants import Contestant, Entry, checked_error, create_peer, why_not
from .contestants.lintel import Lintel
from .element_types import Types
from .layer import Layer, copies_for
from .machine import Machine, available_memory
from .problems import Problem
from .race import Effort, empty_call_microseconds, race

LINTEL = "lintel"
INTERRUPTED = 130


def _say(text: str) -> None:
    print(f"compare: {text}", file=sys.stderr, flush=True)


def _reason(error: BaseException) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    # PyTorch names the cause on the line after "... raised:".
    return " ".join(lines[:2]) if lines[0].endswith(":") else lines[0]


@dataclass
class _Field:
    """Who takes part in the race of one problem."""

    entries: dict[str, Entry] = field(default_factory=dict)
    errors: dict[str, float] = field(default_factory=dict)

    def close(self) -> None:
        for entry in self.entries.values():
            entry.close()


class Session:
    """Runs the comparison that the command line asks for."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        torch.set_num_threads(arguments.threads)
        self._arguments = arguments
        self._machine = Machine(arguments.build / "bin" / "lintel")
        self._effort = Effort(seconds=arguments.seconds, min_rounds=arguments.rounds,
                              max_rounds=max(Effort.max_rounds, arguments.rounds))
        self._types = Types(arguments.dtype)
        self._contestants: dict[str, Contestant] = {}

    def run(self) -> int:
        # Without a cache directory of the user's, Lintel tunes in this run, as Inductor does.
        with tempfile.TemporaryDirectory() as temporary:
            cache = os.environ.get("LINTEL_CACHE_DIR") or temporary
            library = lintel_abi.Library(self._arguments.build / "lib" / "liblintel.so")
            with process.on_all_cpus():  # the engine looks at how many there are
                engine = lintel_abi.Engine(library, self._arguments.threads, cache)
            try:
                return self._run(engine)
            finally:
                engine.close()

    def _run(self, engine: lintel_abi.Engine) -> int:
        self._contestants[LINTEL] = Lintel(engine)
        for name in self._arguments.peers:
            if reason := why_not(name, self._types):
                _say(f"{name} is left out: {reason}")
                continue
            try:
                self._contestants[name] = create_peer(name)
            except Exception as error:  # whatever a peer does, the others go on
                _say(f"{name} is left out: {_reason(error)}")
        self._print_head()
        rows: list[report.Row] = []
        code = 0
        try:
            for problem in self._arguments.problem:
                code = max(code, self._add_row(engine, problem, rows))
        except KeyboardInterrupt:  # what was measured until now is worth printing
            code = INTERRUPTED
        self._finish(rows)
        return code

    def _add_row(self, engine: lintel_abi.Engine, problem: Problem,
                 rows: list[report.Row]) -> int:
        try:
            row = self._measure(engine, problem)
        except Exception as error:  # of Lintel, or too little memory
            _say(f"{problem.text}: {_reason(error)}")
            return 1
        rows.append(row)
        print(report.table_line(row, self._peers), flush=True)
        return 0

    @property
    def _peers(self) -> list[str]:
        return [name for name in self._contestants if name != LINTEL]

    def _versions(self) -> dict[str, str]:
        return {name: contestant.version for name, contestant in self._contestants.items()}

    def _description(self) -> dict[str, Any]:
        return {**self._machine.description(), "versions": self._versions()}

    def _print_head(self) -> None:
        description = self._machine.description()
        print(f"{description['cpu']}, {description['isa']}, {self._arguments.dtype}, "
              f"threads: {self._arguments.threads}, on CPUs "
              f"{','.join(map(str, process.measuring_cpus()))}; "
              + ", ".join(f"{name} {version}"
                          for name, version in self._versions().items()))
        print(f"An empty call through ctypes: {empty_call_microseconds():.2f} µs.\n")
        print(report.table_head(self._peers), flush=True)

    def _finish(self, rows: list[report.Row]) -> None:
        print(f"\n{report.means_table(rows)}", flush=True)
        runtimes = process.openmp_runtimes()
        if len(runtimes) != 1:
            _say(f"{len(runtimes)} OpenMP runtimes were loaded, whose threads disturb each "
                 f"other: {', '.join(runtimes)}")
        if self._arguments.json:
            results = report.as_json(self._description(), self._arguments.dtype,
                                     self._arguments.threads, rows)
            self._arguments.json.write_text(json.dumps(results, indent=1) + "\n",
                                            encoding="utf-8")

    def _measure(self, engine: lintel_abi.Engine, problem: Problem) -> report.Row:
        with torch.inference_mode():
            copies = copies_for(problem, self._types, self._machine.last_level_cache,
                                available_memory(), len(self._contestants))
            layer = Layer(problem, self._types, copies)
            racers = _Field()
            try:
                with process.on_all_cpus():
                    self._assemble(layer, racers)
                with process.on_first_cpu():
                    peak = engine.measure_peak(self._types.text)
                    samples = race({name: entry.calls for name, entry in racers.entries.items()},
                                   self._effort)
                    peak = max(peak, engine.measure_peak(self._types.text))
            finally:
                racers.close()
        medians = {name: 1e6 * median(seconds) for name, seconds in samples.items()}
        return report.Row(problem, medians.pop(LINTEL), medians, peak, racers.errors[LINTEL])

    def _assemble(self, layer: Layer, racers: _Field) -> None:
        """Everyone who computes the layer right; raises if Lintel does not."""
        for name, contestant in self._contestants.items():
            try:
                entry = contestant.enter(layer)
                racers.entries[name] = entry
                error = max(checked_error(layer, entry, call) for call in entry.calls)
                tolerance = layer.tolerance(entry.precision)
                if not error <= tolerance:
                    raise ArithmeticError(f"wrong result: off by {error:.1e}, "
                                          f"tolerated is {tolerance:.1e}")
                racers.errors[name] = error
            except Exception as error:
                if name == LINTEL:
                    raise
                if name in racers.entries:
                    racers.entries.pop(name).close()
                _say(f"{layer.problem.text}: {name} is left out: {_reason(error)}")
