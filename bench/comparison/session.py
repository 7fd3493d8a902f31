"""One run of the comparison: all problems, one after the other."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

import torch

from . import lintel_abi, process, report, results_file
from .contestants import Contestant
from .contestants.lintel import Lintel
from .element_types import Types
from .field import Field, able_peers, reason_of
from .layer import Layer, copies_for
from .machine import Machine
from .memory import available_memory
from .output import Output
from .problems import Problem
from .race import Effort, empty_call_microseconds, race


LINTEL = "lintel"


def _say(text: str) -> None:
    print(f"compare: {text}", file=sys.stderr, flush=True)


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
        self._output = Output(optional=bool(arguments.json))

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
        peers = able_peers(self._arguments.peers, self._types, _say)
        if not peers:
            raise RuntimeError("no peer is left to compare with")
        self._contestants = {LINTEL: Lintel(engine), **peers}
        self._print_head()
        rows: list[report.Row] = []
        code = 0
        try:
            for problem in self._arguments.problem:
                code = max(code, self._add_row(engine, problem, rows))
        except KeyboardInterrupt:  # what was measured until now is worth printing
            code = process.INTERRUPTED
        if code == 0 and all(row.ratio is None for row in rows):
            _say("no peer took part in any row: nothing is compared")
            code = 1
        self._finish(rows)
        if self._arguments.json and (rows or code != process.INTERRUPTED):
            code = max(code, self._write_json(rows, self._arguments.json))
        return code

    def _add_row(self, engine: lintel_abi.Engine, problem: Problem,
                 rows: list[report.Row]) -> int:
        try:
            row = self._measure(engine, problem)
        except Exception as error:  # of Lintel, or too little memory
            _say(f"{problem.text}: {reason_of(error)}")
            return 1
        rows.append(row)
        self._output.show(report.table_line(row, self._peers))
        self._keep(rows)
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
        self._output.show(
            f"{description['cpu']}, {description['isa']}, {self._arguments.dtype}, "
            f"threads: {self._arguments.threads}, on CPUs "
            f"{','.join(map(str, process.measuring_cpus()))}; "
            + ", ".join(f"{name} {version}" for name, version in self._versions().items()))
        if self._types.are_integers and self._machine.weight_bits < 8:
            lintel = "may, too" if self._types.sum_pairs_in_s16 else "does not"
            self._output.show(f"Weights have {self._machine.weight_bits} bits: without VNNI peers "
                              f"add products of bytes in 16; Lintel {lintel}.")
        self._output.show(f"An empty call through ctypes: {empty_call_microseconds():.2f} µs.\n")
        self._output.show(report.table_head(self._peers))

    def _finish(self, rows: list[report.Row]) -> None:
        if rows:
            self._output.show(f"\n{report.means_table(rows)}")
        runtimes = process.openmp_runtimes()
        if len(runtimes) != 1:
            _say(f"{len(runtimes)} OpenMP runtimes were loaded, whose threads disturb each "
                 f"other: {', '.join(runtimes)}")
        if self._output.lost:
            _say("stdout did not take all of the results")

    def _write_json(self, rows: list[report.Row], path: Path) -> int:
        results = report.as_json(self._description(), self._arguments.dtype,
                                 self._arguments.threads, rows)
        try:
            results_file.write_whole(path, json.dumps(results, indent=1) + "\n")
        except OSError as error:  # the disk may be full by now
            _say(f"--json: {error}")
            return 1
        return 0

    def _keep(self, rows: list[report.Row]) -> None:
        """What there is so far, in case that this process is killed; a stream takes all at once."""
        path = self._arguments.json
        if path and results_file.can_be_replaced(path):
            self._write_json(rows, path)

    def _measure(self, engine: lintel_abi.Engine, problem: Problem) -> report.Row:
        with torch.inference_mode():
            caches = self._machine.last_level_caches(process.measuring_cpus())
            copies = copies_for(problem, self._types, caches, available_memory(),
                                len(self._contestants), _say)
            layer = Layer(problem, self._types, copies,
                          self._types.weight_bits(self._machine.weight_bits))
            racers = Field(layer, self._peers, _say)
            try:
                with process.on_all_cpus():
                    racers.assemble(self._contestants)
                with process.on_first_cpu():
                    peak = engine.measure_peak(self._types.text)
                    samples = race(racers.entries, self._effort, racers.attempt)
                    peak = max(peak, engine.measure_peak(self._types.text))
                    racers.check_again()
            finally:
                racers.close()
        medians = {name: 1e6 * median(samples[name]) for name in racers.entries}
        return report.Row(problem, medians.pop(LINTEL), medians, peak, racers.errors[LINTEL])
