"""The element types of a layer, by the names that the library gives them."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import argparse
from dataclasses import dataclass

# Without ":", a result is of the inputs' type, of integers f32.
CHOICES = ("f32", "bf16", "f16", "bf16:f32", "f16:f32",
           "u8s8", "u8s8:bf16", "u8s8:f16", "s8s8", "s8s8:bf16", "s8s8:f16",
           "u8s8,accumulate=s16", "u8s8:bf16,accumulate=s16", "u8s8:f16,accumulate=s16",
           "s8s8,accumulate=s16", "s8s8:bf16,accumulate=s16", "s8s8:f16,accumulate=s16")
_INTEGERS = ("u8s8", "s8s8")
# What `lintel` takes besides, and why it is not raced.
_RESULTS_NOT_COMPARED = ("u8", "s8")
_SUMS_NOT_COMPARED = "accumulate=f16"


def parse(text: str) -> str:
    """The shortest name of types, as --dtype takes them; raises ArgumentTypeError."""
    tensors, comma, sums = text.partition(",")
    inputs, colon, result = tensors.partition(":")
    if result and result == Types(inputs).result:
        colon = result = ""
    name = inputs + colon + result + comma + sums
    if name in CHOICES:
        return name
    if sums == _SUMS_NOT_COMPARED:
        reason = "sums of f16 are not compared"
    elif inputs in _INTEGERS and result in _RESULTS_NOT_COMPARED:
        reason = "results of u8 and s8 are not compared"
    else:
        reason = f"unknown element types '{text}'"
    raise argparse.ArgumentTypeError(f"{reason}; there are {', '.join(CHOICES)}")


@dataclass(frozen=True)
class Types:
    """Of x and w, and of the result; the epilogue's operands are of the result's type."""

    text: str

    @property
    def inputs(self) -> str:
        """Of x and w: one name of floats, or two together of integers."""
        return self.text.partition(",")[0].partition(":")[0]

    @property
    def are_integers(self) -> bool:
        return self.inputs in _INTEGERS

    @property
    def sum_pairs_in_s16(self) -> bool:
        """Whether sums of two products of integers may be of 16 bits."""
        return self.text.endswith(",accumulate=s16")

    def weight_bits(self, most: int) -> int:
        """Of the integers that a weight may hold on a machine where peers take `most`."""
        return min(most, 7) if self.sum_pairs_in_s16 else most

    @property
    def activation(self) -> str:
        return self.inputs[:2] if self.are_integers else self.inputs

    @property
    def weight(self) -> str:
        return self.inputs[2:] if self.are_integers else self.inputs

    @property
    def result(self) -> str:
        named = self.text.partition(",")[0].partition(":")[2]
        return named or ("f32" if self.are_integers else self.inputs)

    @property
    def weight_bytes(self) -> int:
        return {"f32": 4, "bf16": 2, "f16": 2, "s8": 1}[self.weight]
