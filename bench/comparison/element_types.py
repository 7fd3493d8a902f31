"""The element types of a layer, by the names that the library gives them."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

from dataclasses import dataclass

# Without ":", a result is of the inputs' type, of integers f32.
CHOICES = ("f32", "bf16", "f16", "bf16:f32", "f16:f32", "u8s8", "s8s8")


@dataclass(frozen=True)
class Types:
    """Of x and w, and of the result; the epilogue's operands are of the result's type."""

    text: str

    @property
    def inputs(self) -> str:
        """Of x and w: one name of floats, or two together of integers."""
        return self.text.split(":")[0]

    @property
    def are_integers(self) -> bool:
        return self.inputs in ("u8s8", "s8s8")

    @property
    def activation(self) -> str:
        return self.inputs[:2] if self.are_integers else self.inputs

    @property
    def weight(self) -> str:
        return self.inputs[2:] if self.are_integers else self.inputs

    @property
    def result(self) -> str:
        named = self.text.partition(":")[2]
        return named or ("f32" if self.are_integers else self.inputs)

    @property
    def weight_bytes(self) -> int:
        return {"f32": 4, "bf16": 2, "f16": 2, "s8": 1}[self.weight]
