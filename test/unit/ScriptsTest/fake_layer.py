# A layer of one element, for tests that need no PyTorch.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from comparison import contestants, problems


class FakeOutput:
    """A tensor of one element."""

    def __init__(self, value=float("nan")):
        self.value = value

    def fill_(self, value):
        self.value = value


class FakeLayer:
    """Every element of its result is 1; results may be off by a tenth."""

    problem = problems.parse_problem("1x8:8x4")

    def error(self, result):
        return abs(result.value - 1)

    def tolerance(self, rounded_between=None):
        return 0.1


def entry_of(*values, close=lambda: None):
    """One whose calls write these values to one output, and nothing where it is None."""
    output = FakeOutput()

    def call_of(value):
        return lambda: value is not None and output.fill_(value)

    return contestants.Entry([call_of(value) for value in values], lambda _: output, close)
