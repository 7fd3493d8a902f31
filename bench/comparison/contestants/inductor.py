"""PyTorch Inductor: max-autotune, weights frozen and packed."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import os
from contextlib import redirect_stderr
from functools import partial
from io import StringIO
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Callable, Sequence

import torch
import torch._inductor.config as config
import torch.ao.quantization.fx._decomposed  # makes torch.ops.quantized_decomposed
import torch._inductor.select_algorithm as select_algorithm
from torch import Tensor
from torch._inductor.codecache import PyCodeCache
from torch._inductor.runtime.cache_dir_utils import default_cache_dir

from .. import epilogue, inductor_cache
from ..layer import Layer
from ..race import Call
from . import Contestant, Entry, fastest_entry
from .integers import IntegerReading, readings


class _FloatProduct(torch.nn.Module):
    """nn.functional.linear, in the result's type."""

    def __init__(self, layer: Layer) -> None:
        super().__init__()
        self._result = layer.result_dtype
        self.weight = torch.nn.Parameter(layer.weight, requires_grad=False)

    def takes_bias(self) -> bool:
        return self.weight.dtype == self._result

    def forward(self, x: Tensor, bias: Tensor | None) -> Tensor:
        return torch.nn.functional.linear(x, self.weight, bias).to(self._result)


class _IntegerProduct(torch.nn.Module):
    """What export and quantization make of a linear layer; Inductor has patterns for it.

    `computed` is the type that the layer had before: f32, or bf16 under autocast."""

    def __init__(self, layer: Layer, reading: IntegerReading, computed: torch.dtype) -> None:
        super().__init__()
        self._computed = computed
        quantization = layer.quantization
        assert quantization is not None
        self._integers = reading.integers
        self._x_scale, self._x_zero = quantization.x_scale, reading.zero
        limits = torch.iinfo(reading.dtype)
        self._least, self._most, self._dtype = limits.min, limits.max, reading.dtype
        self.register_buffer("weight", layer.weight)
        self.register_buffer("w_scale", quantization.w_scale)
        self.register_buffer("w_zero", torch.zeros(layer.problem.n, dtype=torch.int64))

    def takes_bias(self) -> bool:
        return True

    def forward(self, x: Tensor, bias: Tensor | None) -> Tensor:
        operations = torch.ops.quantized_decomposed
        numbers = operations.dequantize_per_tensor.default(
            self._integers(x), self._x_scale, self._x_zero, self._least, self._most, self._dtype)
        weight = operations.dequantize_per_channel.default(
            self.weight, self.w_scale, self.w_zero, 0, -128, 127, torch.int8)
        return torch.nn.functional.linear(
            numbers.to(self._computed), weight.to(self._computed),
            None if bias is None else bias.to(self._computed))


class _Module(torch.nn.Module):
    """The layer with its weight and biases as parameters, which freezing makes constants."""

    def __init__(self, layer: Layer, product: _FloatProduct | _IntegerProduct) -> None:
        super().__init__()
        self._stages = layer.problem.stages
        self._shape = (layer.problem.rows, layer.problem.n)
        self._result = layer.result_dtype
        self.product = product
        names = [stage.name for stage in self._stages if stage.reads_operand]
        self._constant = [name == "bias" for name in names]
        self.biases = torch.nn.ParameterList(
            [torch.nn.Parameter(operand, requires_grad=False)
             for operand, constant in zip(layer.operands, self._constant) if constant])

    def forward(self, x: Tensor, *inputs: Tensor) -> Tensor:
        biases, others = iter(self.biases), iter(inputs)
        stages, constant, bias = self._stages, self._constant, None
        if stages and stages[0].name == "bias" and self.product.takes_bias():
            stages, constant, bias = stages[1:], constant[1:], next(biases)
        # Before the operands are touched: the compiled function takes its inputs in the order
        # in which they are used.
        y = self.product(x, bias)
        y = epilogue.apply(stages, y, [next(biases) if is_constant
                                       else next(others).view(self._shape)
                                       for is_constant in constant])
        return y.to(self._result)


def _products(layer: Layer) -> list[_FloatProduct] | list[_IntegerProduct]:
    """The ways to write down the product, all right."""
    if not layer.types.are_integers:
        return [_FloatProduct(layer)]
    computed = [torch.float32]
    if layer.result_dtype == torch.bfloat16:
        computed.append(torch.bfloat16)
    return [_IntegerProduct(layer, reading, dtype)
            for reading in readings(layer) for dtype in computed]


def _compile(module: _Module, inputs: list[Tensor]) -> ModuleType:
    """The Python module that Inductor makes of the layer."""
    torch._dynamo.reset()
    before = len(PyCodeCache.modules)
    with redirect_stderr(StringIO()):  # where it writes a line about every choice
        torch.compile(module.eval())(*inputs)
    made = [module for module in PyCodeCache.modules[before:] if hasattr(module, "call")]
    if len(made) != 1:
        raise RuntimeError(f"Inductor made {len(made)} modules of one layer")
    return made[0]


def _constants(module: ModuleType) -> dict[str, Tensor]:
    return {name: value for name, value in vars(module).items() if isinstance(value, Tensor)}


def _with_constants(module: ModuleType, constants: dict[str, Tensor]) -> Callable[..., tuple]:
    """The generated function, on other copies of these constants, which are its globals."""
    method = module.call
    function = method.__func__
    copy = FunctionType(function.__code__, {**function.__globals__, **constants},
                        function.__name__, function.__defaults__, function.__closure__)
    return MethodType(copy, method.__self__)


def _packed_by_mkl(layer: Layer) -> Tensor:
    """The weight as `_mkl_linear` wants it.

    MKL's layout depends on the address: it has to be packed anew, a copy would be wrong."""
    return torch.ops.mkl._mkl_reorder_linear_weight(layer.weight, layer.problem.rows)


def _shape_of_mkl(constants: dict[str, Tensor], layer: Layer) -> torch.Size | None:
    """Of the constant that MKL packed, if one is."""
    if layer.types.inputs != "f32":
        return None
    try:
        shape = _packed_by_mkl(layer).shape
    except AttributeError:  # a PyTorch without MKL
        return None
    return shape if any(value.shape == shape for value in constants.values()) else None


def _not_of_the_weight(layer: Layer) -> list[Tensor]:
    """Of the constants: there is one set of these for all copies, as other contestants have it."""
    biases = [operand for operand in layer.operands if operand.dim() == 1]
    quantization = layer.quantization
    if quantization is None:
        return biases
    scale = quantization.w_scale
    return [*biases, scale, scale * quantization.x_scale, torch.zeros_like(scale)]


def _is_one_of(value: Tensor, tensors: Sequence[Tensor]) -> bool:
    """Whichever its type, and all that are single numbers."""
    if value.is_mkldnn:
        return False
    return value.dim() == 0 or any(
        torch.allclose(value.double().flatten(), tensor.double(), rtol=1e-6, atol=0)
        for tensor in tensors if tensor.numel() == value.numel())


def _copies(module: ModuleType, layer: Layer) -> list[Callable[..., tuple]]:
    """The generated function, and others on the weight elsewhere in memory.

    That is what was packed of it, and sums of its columns that go with it."""
    shared = _not_of_the_weight(layer)
    constants = {name: value for name, value in _constants(module).items()
                 if not _is_one_of(value, shared)}
    packed = _shape_of_mkl(constants, layer) if layer.copies > 1 else None

    def copy_of(value: Tensor) -> Tensor:
        if packed is not None and value.shape == packed:
            return _packed_by_mkl(layer)
        if packed is not None and value.shape == layer.weight.shape:
            return value  # passed along with the packed weight, but not read
        return value.clone()

    return [module.call] + [
        _with_constants(module, {name: copy_of(value) for name, value in constants.items()})
        for _ in range(1, layer.copies)]


def _rounded_between(layer: Layer) -> torch.dtype:
    """What it rounds to where it does not fuse: the type of a float product."""
    return layer.x.dtype if layer.quantization is None else layer.result_dtype


def _compiled(product: _FloatProduct | _IntegerProduct, inputs: list[Tensor],
              layer: Layer) -> Entry:
    module = _compile(_Module(layer, product), inputs)

    def call_of(function: Callable[..., tuple]) -> Call:
        return lambda: function(inputs.copy())

    def close() -> None:
        for name in _constants(module):
            setattr(module, name, None)
        torch._dynamo.reset()

    return Entry([call_of(function) for function in _copies(module, layer)],
                 lambda outputs: outputs[0], close, _rounded_between(layer))


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
        folder = os.environ.get(inductor_cache.VARIABLE) or default_cache_dir()
        os.environ[inductor_cache.VARIABLE] = str(inductor_cache.usable(Path(folder)))

    def enter(self, layer: Layer) -> Entry:
        stages = [stage for stage in layer.problem.stages if stage.reads_operand]
        inputs = [layer.x] + [operand for stage, operand in zip(stages, layer.operands)
                              if stage.name != "bias"]
        if layer.types.are_integers:
            # It adds a quantized product to an input in place, unless that is a view.
            inputs[1:] = [operand.flatten().clone() for operand in inputs[1:]]
        return fastest_entry(layer, [partial(_compiled, product, inputs)
                                     for product in _products(layer)])


def create() -> Contestant:
    return Inductor()
