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

_BLANKS = " \t\r"  # and no other
# M is a number, "?" or a range, and the latter two may say what to tune for.
_PROBLEM = re.compile(r"([0-9]+|(?:\?|[0-9]+\.\.(?:[0-9]+|\?))(?:@[0-9]+)?)"
                      rf"x([0-9]+):([0-9]+)x([0-9]+)(?:[{_BLANKS}]+(.+))?", re.DOTALL)
_BOUND = re.compile(r"-?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf(?:inity)?)",
                    re.IGNORECASE)
_CLAMP = re.compile(r"clamp(?:\(([^,()]+),([^,()]+)\))?")
_QUANTIZATION = re.compile(rf"(?:de)?quant(?:\([^(){_BLANKS}]*\))?")
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

    @property
    def text(self) -> str:
        if self.bounds is None:
            return self.name
        return f"{self.name}({','.join(map(shortest_text, self.bounds))})"


@dataclass(frozen=True)
class Problem:
    """out[m, n] = epilogue(x[m, k] * w[n, k]); `rows` is M, or stands in for a dynamic one.

    `text` is the one spelling that Lintel itself gives a problem, as in its reports."""

    text: str
    rows: int
    k: int
    n: int
    stages: tuple[Stage, ...]
    group: str = NO_GROUP

    @property
    def title(self) -> str:
        """The text, and what a dynamic M was taken for."""
        return f"{self.text}, M = {self.rows}" if self.text.startswith("?") else self.text

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
        for number, line in enumerate(text.split("\n"), start=1):
            content, _, comment = line.partition("#")
            if content.strip(_BLANKS):
                self.add(content, group, f"{source}:{number}: ")
            elif comment.strip():
                group = comment.strip()


def parse_problem(text: str, group: str = NO_GROUP) -> Problem:
    """The problem that `text`, as in "128x768:768x3072 bias+gelu_erf", describes."""
    text = text.strip(_BLANKS)
    parts = _PROBLEM.fullmatch(text)
    if not parts:
        raise ProblemError(f'{_quoted(text)}: expected MxK:KxN EPILOGUE, as in '
                           '"128x768:768x3072 bias+gelu_erf"')
    k, inner, n = (_parse_size(parts[i], text) for i in (2, 3, 4))
    if k != inner:
        raise ProblemError(f"{_quoted(text)}: x has K = {k} and the weight {inner}; they must be "
                           "equal")
    stages = _parse_epilogue(parts[5] or "none", text)
    rows = _rows_to_measure(parts[1], text)
    if 0 in (rows, k, n):
        raise UnsupportedProblem(f"{_quoted(text)}: nothing to compute; M, N and K must be at "
                                 "least 1")
    shape = f"{parts[1] if parts[1] == '?' else rows}x{k}:{k}x{n}"
    epilogue = "+".join(stage.text for stage in stages)
    return Problem(f"{shape} {epilogue}".rstrip(), rows, k, n, stages, group)


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
        raise UnsupportedProblem(f'{_quoted(problem)}: M must be a number or "?", not '
                                 f"{_quoted(text)}; give one of its numbers")
    return _parse_size(text, problem)


def _parse_size(digits: str, problem: str) -> int:
    # More digits, leading zeros aside, are no size; of very many Python makes no number.
    digits = digits.lstrip("0") or "0"
    if len(digits) > len(str(LARGEST_SIZE)) or int(digits) > LARGEST_SIZE:
        raise ProblemError(f"{_quoted(problem)}: {_shortened(digits)} is larger than "
                           f"{LARGEST_SIZE}, the largest size")
    return int(digits)


def _quoted(text: str) -> str:
    return f'"{_shortened(text)}"'


def _shortened(text: str, most: int = 60) -> str:
    return text if len(text) <= most else f"{text[:most]}..."


def _parse_epilogue(text: str, problem: str) -> tuple[Stage, ...]:
    return tuple(_parse_stage(name, problem) for name in _PLUS_BETWEEN_STAGES.split(text)
                 if name != "none")


def _parse_stage(name: str, problem: str) -> Stage:
    if name in OPERAND_STAGES or name in PLAIN_STAGES:
        return Stage(name)
    if _QUANTIZATION.fullmatch(name):
        raise UnsupportedProblem(f"{_quoted(problem)}: scales and zero points must be the default "
                                 f"ones of --dtype, without {_quoted(name)}")
    clamp = _CLAMP.fullmatch(name)
    if not clamp:
        known = " ".join(("none", *OPERAND_STAGES, *PLAIN_STAGES, "clamp(LO,HI)"))
        raise ProblemError(f"{_quoted(problem)}: unknown epilogue {_quoted(name)}; there are "
                           f"{known}")
    if clamp[1] is None:
        return Stage("clamp", DEFAULT_CLAMP)
    low, high = (_parse_bound(text.strip(_BLANKS), problem) for text in clamp.groups())
    if low > high:
        raise ProblemError(f"{_quoted(problem)}: {_quoted(name)} has its bounds the wrong way "
                           "round")
    return Stage("clamp", (low, high))


def _parse_bound(text: str, problem: str) -> float:
    """What Lintel takes for one, of f32: float() alone takes more spellings and numbers."""
    if not _BOUND.fullmatch(text):
        raise ProblemError(f"{_quoted(problem)}: a bound of clamp(LO,HI) must be a number, as "
                           f"-1.5, 2e3 or inf, not {_quoted(text)}")
    value = ctypes.c_float(float(text)).value
    digits, _, _ = text.lower().partition("e")
    if value == 0 and digits.strip("-0."):
        raise ProblemError(f"{_quoted(problem)}: {_shortened(text)} is too small for f32; "
                           "write 0")
    if "inf" not in digits and math.isinf(value):
        raise ProblemError(f"{_quoted(problem)}: {_shortened(text)} is outside the range of "
                           "f32; for no bound write inf or -inf")
    return value + 0.0  # -0 and 0 clamp alike: one spelling


def shortest_text(value: float) -> str:
    """The least digits that are this number of f32, as std::to_chars writes it."""
    if math.isinf(value):
        return str(value)
    for digits in range(9):  # behind the first; nine in all tell any two apart
        scientific = f"{value:.{digits}e}"
        if ctypes.c_float(float(scientific)).value == value:
            break
    decimals = max(digits - int(scientific.partition("e")[2]), 0)
    return min(f"{value:.{decimals}f}", scientific, key=len)


def groups_of(problems: Iterable[Problem]) -> list[str]:
    """The groups in the order in which they first come."""
    return list(dict.fromkeys(problem.group for problem in problems))
