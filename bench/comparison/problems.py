"""Problems as text, and lists of them in groups."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Iterable, Sequence

# A dynamic M is measured with as many rows as `lintel bench` takes.
ROWS_OF_DYNAMIC_M = 512
OPERAND_STAGES = ("bias", "residual", "mul")
PLAIN_STAGES = ("relu", "gelu_erf", "gelu_tanh", "silu", "sigmoid", "tanh")
DEFAULT_CLAMP = (0.0, 6.0)
NO_GROUP = "other"

_SHAPE = re.compile(r"(\d+|\?)x(\d+):(\d+)x(\d+)$")
_CLAMP = re.compile(r"clamp(?:\(([^,()]+),([^,()]+)\))?$")


class ProblemError(ValueError):
    """Text that is no problem; says where and what would be right."""


@dataclass(frozen=True)
class Stage:
    """One step of an epilogue; `bounds` is for clamp only."""

    name: str
    bounds: tuple[float, float] | None = None

    @property
    def reads_operand(self) -> bool:
        return self.name in OPERAND_STAGES


@dataclass(frozen=True)
class Problem:
    """out[m, n] = epilogue(x[m, k] * w[n, k]); `rows` is M, or stands in for a dynamic one."""

    text: str
    rows: int
    k: int
    n: int
    stages: tuple[Stage, ...]
    group: str = NO_GROUP

    @property
    def operations(self) -> int:
        return 2 * self.rows * self.n * self.k

    @property
    def weight_elements(self) -> int:
        return self.n * self.k


def parse_problem(text: str, group: str = NO_GROUP) -> Problem:
    """The problem that `text`, as in "128x768:768x3072 bias+gelu_erf", describes."""
    words = text.split()
    shape = _SHAPE.match(words[0]) if words else None
    if not shape or len(words) > 2:
        raise ProblemError(f'"{text}": expected MxK:KxN EPILOGUE, as in '
                           '"128x768:768x3072 bias+gelu_erf"')
    rows = ROWS_OF_DYNAMIC_M if shape[1] == "?" else int(shape[1])
    k, inner, n = (int(shape[i]) for i in (2, 3, 4))
    if k != inner:
        raise ProblemError(f'"{text}": x has K = {k} and the weight {inner}; they must be equal')
    if 0 in (rows, k, n):
        raise ProblemError(f'"{text}": nothing to compute; M, N and K must be at least 1')
    epilogue = words[1] if len(words) == 2 else "none"
    return Problem(f"{words[0]} {epilogue}", rows, k, n, _parse_epilogue(epilogue, text), group)


def parse_list(text: str, source: str) -> list[Problem]:
    """The problems of a list, one a line; the last line of comment names their group."""
    problems = []
    group = NO_GROUP
    for number, line in enumerate(text.splitlines(), start=1):
        content, _, comment = line.partition("#")
        if content.strip():
            try:
                problems.append(parse_problem(content, group))
            except ProblemError as error:
                raise ProblemError(f"{source}:{number}: {error}") from error
        elif comment.strip():
            group = comment.strip()
    return problems


def join_arguments(words: Sequence[str]) -> list[str]:
    """Problems given without quotes: a word without a colon belongs to the one before it."""
    texts: list[str] = []
    for word in words:
        if ":" in word or not texts:
            texts.append(word)
        else:
            texts[-1] += f" {word}"
    return texts


def _parse_epilogue(text: str, problem: str) -> tuple[Stage, ...]:
    if text == "none":
        return ()
    return tuple(_parse_stage(name, problem) for name in text.split("+"))


def _parse_stage(name: str, problem: str) -> Stage:
    if name in OPERAND_STAGES or name in PLAIN_STAGES:
        return Stage(name)
    clamp = _CLAMP.match(name)
    if not clamp:
        known = " ".join(("none", *OPERAND_STAGES, *PLAIN_STAGES, "clamp(LO,HI)"))
        raise ProblemError(f'"{problem}": unknown epilogue "{name}"; there are {known}')
    if clamp[1] is None:
        return Stage("clamp", DEFAULT_CLAMP)
    try:
        return Stage("clamp", (float(clamp[1]), float(clamp[2])))
    except ValueError:
        raise ProblemError(f'"{problem}": the bounds of "{name}" must be numbers') from None


def groups_of(problems: Iterable[Problem]) -> list[str]:
    """The groups in the order in which they first come."""
    return list(dict.fromkeys(problem.group for problem in problems))
