"""Problems as text, and lists of them in groups."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import ctypes
import math
import re
from dataclasses import dataclass, field
from typing import Iterable, Sequence

# `lintel bench` times a dynamic M with 1, 4, 16, 64 and 512 rows; here the most of them count.
ROWS_OF_DYNAMIC_M = 512
OPERAND_STAGES = ("bias", "residual", "mul")
PLAIN_STAGES = ("relu", "gelu_erf", "gelu_tanh", "silu", "sigmoid", "tanh")
DEFAULT_CLAMP = (0.0, 6.0)
NO_GROUP = ""  # no comment names a group so
LARGEST_SIZE = 2**31

# M is a number, "?" or a range, and the latter two may say what to tune for.
_SHAPE = re.compile(r"([0-9]+|(?:\?|[0-9]+\.\.(?:[0-9]+|\?))(?:@[0-9]+)?)"
                    r"x([0-9]+):([0-9]+)x([0-9]+)$")
_BOUND = re.compile(r"-?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf(?:inity)?)$",
                    re.IGNORECASE)
_CLAMP = re.compile(r"clamp(?:\(([^,()]+),([^,()]+)\))?$")
_QUANTIZATION = re.compile(r"(?:de)?quant(?:\([^()]*\))?$")
# Not the one in clamp(0,1e+3).
_PLUS_BETWEEN_STAGES = re.compile(r"\+(?![^()]*\))")


class ProblemError(ValueError):
    """Text that is no problem; says where and what would be right."""


class UnsupportedProblem(ProblemError):
    """A problem that Lintel takes and this comparison does not; says what it takes."""


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
    def title(self) -> str:
        """The text, and what a dynamic M was taken for."""
        return self.text if self.text.startswith(f"{self.rows}x") else (
            f"{self.text}, M = {self.rows}")

    @property
    def operations(self) -> int:
        return 2 * self.rows * self.n * self.k

    @property
    def weight_elements(self) -> int:
        return self.n * self.k


@dataclass
class Reading:
    """The problems of a command, and why some of them are left out."""

    problems: list[Problem] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def add(self, text: str, group: str = NO_GROUP, place: str = "") -> None:
        """Raises ProblemError, which begins with `place`, if the text is no problem."""
        try:
            self.problems.append(parse_problem(text, group))
        except UnsupportedProblem as error:
            self.left_out.append(f"{place}{error}")
        except ProblemError as error:
            raise ProblemError(f"{place}{error}") from error

    def add_list(self, text: str, source: str) -> None:
        """One problem a line; the last line of comment names the group of those that follow."""
        if text.startswith("\ufeff"):  # Lintel takes no such list either
            raise ProblemError(f"{source}: begins with a byte order mark; save it as UTF-8 "
                               "without one")
        group = NO_GROUP
        for number, line in enumerate(text.splitlines(), start=1):
            content, _, comment = line.partition("#")
            if content.strip():
                self.add(content.strip(), group, f"{source}:{number}: ")
            elif comment.strip():
                group = comment.strip()


def parse_problem(text: str, group: str = NO_GROUP) -> Problem:
    """The problem that `text`, as in "128x768:768x3072 bias+gelu_erf", describes."""
    words = text.split()
    shape = _SHAPE.match(words[0]) if words else None
    if not shape or len(words) > 2:
        raise ProblemError(f'"{text}": expected MxK:KxN EPILOGUE, as in '
                           '"128x768:768x3072 bias+gelu_erf"')
    k, inner, n = (_parse_size(shape[i], text) for i in (2, 3, 4))
    if k != inner:
        raise ProblemError(f'"{text}": x has K = {k} and the weight {inner}; they must be equal')
    epilogue = words[1] if len(words) == 2 else "none"
    stages = _parse_epilogue(epilogue, text)
    rows = _rows_to_measure(shape[1], text)
    if 0 in (rows, k, n):
        raise UnsupportedProblem(f'"{text}": nothing to compute; M, N and K must be at least 1')
    return Problem(f"{words[0]} {epilogue}", rows, k, n, stages, group)


def join_arguments(words: Sequence[str]) -> list[str]:
    """Problems given without quotes: a word without a colon belongs to the one before it."""
    texts: list[str] = []
    for word in words:
        if ":" in word or not texts:
            texts.append(word)
        else:
            texts[-1] += f" {word}"
    return texts


def _rows_to_measure(text: str, problem: str) -> int:
    if text == "?":
        return ROWS_OF_DYNAMIC_M
    if not text.isdecimal():
        raise UnsupportedProblem(f'"{problem}": M must be a number or "?", not "{text}"; '
                                 "give one of its numbers")
    return _parse_size(text, problem)


def _parse_size(digits: str, problem: str) -> int:
    # More digits, leading zeros aside, are no size; of very many Python makes no number.
    digits = digits.lstrip("0") or "0"
    if len(digits) > len(str(LARGEST_SIZE)) or int(digits) > LARGEST_SIZE:
        raise ProblemError(f'"{_shortened(problem)}": {_shortened(digits)} is larger than '
                           f"{LARGEST_SIZE}, the largest size")
    return int(digits)


def _shortened(text: str, most: int = 60) -> str:
    return text if len(text) <= most else f"{text[:most]}..."


def _parse_epilogue(text: str, problem: str) -> tuple[Stage, ...]:
    return tuple(_parse_stage(name, problem) for name in _PLUS_BETWEEN_STAGES.split(text)
                 if name != "none")


def _parse_stage(name: str, problem: str) -> Stage:
    if name in OPERAND_STAGES or name in PLAIN_STAGES:
        return Stage(name)
    if _QUANTIZATION.match(name):
        raise UnsupportedProblem(f'"{problem}": scales and zero points must be the default ones '
                                 f'of --dtype, without "{name}"')
    clamp = _CLAMP.match(name)
    if not clamp:
        known = " ".join(("none", *OPERAND_STAGES, *PLAIN_STAGES, "clamp(LO,HI)"))
        raise ProblemError(f'"{problem}": unknown epilogue "{name}"; there are {known}')
    if clamp[1] is None:
        return Stage("clamp", DEFAULT_CLAMP)
    low, high = (_parse_bound(text, problem) for text in clamp.groups())
    if low > high:
        raise ProblemError(f'"{problem}": "{name}" has its bounds the wrong way round')
    return Stage("clamp", (low, high))


def _parse_bound(text: str, problem: str) -> float:
    """What Lintel takes for one, of f32: float() alone takes more spellings and numbers."""
    if not _BOUND.match(text):
        raise ProblemError(f'"{problem}": a bound of clamp(LO,HI) must be a number, as -1.5, 2e3 '
                           f'or inf, not "{text}"')
    value = ctypes.c_float(float(text)).value
    digits, _, _ = text.lower().partition("e")
    if value == 0 and digits.strip("-0."):
        raise ProblemError(f'"{_shortened(problem)}": {_shortened(text)} is too small for f32; '
                           "write 0")
    if "inf" not in digits and math.isinf(value):
        raise ProblemError(f'"{_shortened(problem)}": {_shortened(text)} is outside the range of '
                           "f32; for no bound write inf or -inf")
    return value


def groups_of(problems: Iterable[Problem]) -> list[str]:
    """The groups in the order in which they first come."""
    return list(dict.fromkeys(problem.group for problem in problems))
