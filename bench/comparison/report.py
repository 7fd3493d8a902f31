"""Rows of results as a table, as geometric means and as JSON."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Iterable, Sequence

from .problems import NO_GROUP, Problem, groups_of

SMALL_M = 16


@dataclass
class Row:
    """The result of one problem; times are medians in microseconds."""

    problem: Problem
    lintel_us: float
    peers: dict[str, float]
    peak_gflops: float
    max_error: float

    @property
    def best_peer(self) -> str | None:
        return min(self.peers, key=self.peers.__getitem__, default=None)

    @property
    def ratio(self) -> float | None:
        """The best peer's time over Lintel's: over 1, Lintel is faster."""
        best = self.best_peer
        return None if best is None else self.peers[best] / self.lintel_us

    @property
    def peak_fraction(self) -> float:
        return self.gflops(self.lintel_us) / self.peak_gflops

    def gflops(self, microseconds: float) -> float:
        return self.problem.operations / microseconds * 1e-3

    def as_json(self) -> dict[str, Any]:
        return {"problem": self.problem.text, "lintel_us": self.lintel_us, "peers": self.peers,
                "ratio": self.ratio, "peak_fraction": self.peak_fraction,
                "max_error": self.max_error}


def geometric_mean(values: Sequence[float]) -> float:
    """Of at least one positive number."""
    return math.exp(math.fsum(map(math.log, values)) / len(values))


def geometric_means(rows: Iterable[Row]) -> dict[str, float]:
    """Of the ratios: of all rows, by size of M, and for each group of the list.

    A group that is called as one of the former is `group "NAME"`."""
    rated = [(row.problem, row.ratio) for row in rows if row.ratio is not None]
    sets = {"all": [ratio for _, ratio in rated],
            f"M <= {SMALL_M}": [ratio for problem, ratio in rated if problem.rows <= SMALL_M],
            f"M > {SMALL_M}": [ratio for problem, ratio in rated if problem.rows > SMALL_M]}
    of_any_group = list(sets)
    for group in groups_of(problem for problem, _ in rated):
        if group != NO_GROUP:
            name = f'group "{group}"' if group in of_any_group else group
            sets[name] = [ratio for problem, ratio in rated if problem.group == group]
    return {name: geometric_mean(ratios) for name, ratios in sets.items() if ratios}


def as_json(machine: dict[str, Any], dtype: str, threads: int,
            rows: Sequence[Row]) -> dict[str, Any]:
    return {"machine": machine, "dtype": dtype, "threads": threads,
            "rows": [row.as_json() for row in rows], "geomean": geometric_means(rows)}


def table_head(peers: Sequence[str]) -> str:
    """The first two lines of the table; each contestant has microseconds and GFLOP/s."""
    titles = ["problem", "lintel", *peers, "ratio", "best peer", "of peak", "max error"]
    return f"| {' | '.join(titles)} |\n{'|---' * len(titles)}|"


def table_line(row: Row, peers: Sequence[str]) -> str:
    def timing(microseconds: float | None) -> str:
        if microseconds is None:
            return "-"
        return f"{digits(microseconds)} µs, {digits(row.gflops(microseconds))} GF/s"

    ratio = "-" if row.ratio is None else f"{row.ratio:.2f}"
    cells = [row.problem.title, timing(row.lintel_us), *(timing(row.peers.get(p)) for p in peers),
             ratio, row.best_peer or "-", f"{100 * row.peak_fraction:.1f} %",
             f"{row.max_error:.1e}"]
    return f"| {' | '.join(cells)} |"


def means_table(rows: Sequence[Row]) -> str:
    lines = ["| group | geometric mean of the ratios |", "|---|---|"]
    lines += [f"| {name} | {value:.2f} |" for name, value in geometric_means(rows).items()]
    return "\n".join(lines)


def digits(value: float, significant: int = 3) -> str:
    """So many significant digits at least; no exponent from 0.0001 on."""
    return f"{value:.0f}" if value >= 10**(significant - 1) else f"{value:.{significant}g}"
