"""PyTorch Inductor: max-autotune, weights frozen and packed."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

from contextlib import redirect_stderr
from io import StringIO
from types import FunctionType, MethodType, ModuleType
from typing import Callable

import torch
import torch._inductor.config as config
import torch._inductor.select_algorithm as select_algorithm
from torch import Tensor
from torch._inductor.codecache import PyCodeCache

from .. import epilogue
from ..layer import Layer
from ..race import Call
from . import Contestant, Entry


class _Module(torch.nn.Module):
    """The layer with its weight and biases as parameters, which freezing makes constants."""

    def __init__(self, layer: Layer) -> None:
        super().__init__()
        self._stages = layer.problem.stages
        self.weight = torch.nn.Parameter(layer.weight, requires_grad=False)
        names = [stage.name for stage in self._stages if stage.reads_operand]
        self._constant = [name == "bias" for name in names]
        self.biases = torch.nn.ParameterList(
            [torch.nn.Parameter(operand, requires_grad=False)
             for operand, constant in zip(layer.operands, self._constant) if constant])

    def forward(self, x: Tensor, *inputs: Tensor) -> Tensor:
        biases, others = iter(self.biases), iter(inputs)
        operands = [next(biases if constant else others) for constant in self._constant]
        stages, bias = self._stages, None
        if stages and stages[0].name == "bias":
            bias, stages, operands = operands[0], stages[1:], operands[1:]
        y = torch.nn.functional.linear(x, self.weight, bias)
        return epilogue.apply(stages, y, operands)


def _compile(layer: Layer, inputs: list[Tensor]) -> ModuleType:
    """The Python module that Inductor makes of the layer."""
    torch._dynamo.reset()
    before = len(PyCodeCache.modules)
    with redirect_stderr(StringIO()):  # where it writes a line about every choice
        torch.compile(_Module(layer).eval())(*inputs)
    made = [module for module in PyCodeCache.modules[before:] if hasattr(module, "call")]
    if len(made) != 1:
        raise RuntimeError(f"Inductor made {len(made)} modules of one layer")
    return made[0]


def _constants(module: ModuleType) -> dict[str, Tensor]:
    return {name: value for name, value in vars(module).items() if isinstance(value, Tensor)}


def _with_constants(module: ModuleType, constants: dict[str, Tensor]) -> Callable[..., tuple]:
    """The generated function, on other copies of its constants, which are its globals."""
    method = module.call
    function = method.__func__
    copy = FunctionType(function.__code__, {**function.__globals__, **constants},
                        function.__name__, function.__defaults__, function.__closure__)
    return MethodType(copy, method.__self__)


def _packed_by_mkl(layer: Layer) -> Tensor:
    """The weight as `_mkl_linear` wants it.

    MKL's layout depends on the address: it has to be packed anew, a copy would be wrong."""
    return torch.ops.mkl._mkl_reorder_linear_weight(layer.weight, layer.problem.rows)


def _copy_of(constants: dict[str, Tensor], layer: Layer) -> dict[str, Tensor]:
    """The constants once more, elsewhere in memory."""
    packed = _packed_by_mkl(layer)
    uses_mkl = any(value.shape == packed.shape for value in constants.values())
    copy = {}
    for name, value in constants.items():
        if uses_mkl and value.shape == packed.shape:
            copy[name] = packed
        elif uses_mkl and value.shape == layer.weight.shape:
            copy[name] = value  # passed along with the packed weight, but not read
        else:
            copy[name] = value.clone()
    return copy


def _copies(module: ModuleType, layer: Layer) -> list[Callable[..., tuple]]:
    constants = _constants(module)
    return [module.call] + [_with_constants(module, _copy_of(constants, layer))
                            for _ in range(1, layer.copies)]


class Inductor:
    """The generated function is called directly, past the guards of torch.compile."""

    version = str(torch.__version__)

    def __init__(self) -> None:
        config.freezing = True
        config.max_autotune = True
        config.max_autotune_gemm_backends = "CPP,ATEN"
        # Compiled code is kept on disk, choices are not: a choice of a noisy moment would stay.
        config.fx_graph_cache = False
        config.autotune_local_cache = False
        config.size_asserts = False
        select_algorithm.PRINT_AUTOTUNE = False

    def enter(self, layer: Layer) -> Entry:
        stages = [stage for stage in layer.problem.stages if stage.reads_operand]
        inputs = [layer.x] + [operand for stage, operand in zip(stages, layer.operands)
                              if stage.name != "bias"]
        module = _compile(layer, inputs)

        def call_of(function: Callable[..., tuple]) -> Call:
            return lambda: function(inputs.copy())

        def close() -> None:
            for name in _constants(module):
                setattr(module, name, None)
            torch._dynamo.reset()

        return Entry([call_of(function) for function in _copies(module, layer)],
                     lambda outputs: outputs[0], close)


def create() -> Contestant:
    return Inductor()
