"""The part of Lintel's C ABI that a comparison needs, through ctypes."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The functions are those of include/lintel-c/lintel.h; needs nothing but Python.
from __future__ import annotations

import ctypes
import json
from functools import partial
from pathlib import Path
from typing import Any, Callable, Sequence


class LintelError(RuntimeError):
    """A call failed; carries lintel_last_error()."""


class EngineOptions(ctypes.Structure):
    """lintel_engine_options."""

    _fields_ = [("struct_size", ctypes.c_size_t), ("cache_directory", ctypes.c_char_p),
                ("disable_cache", ctypes.c_int32), ("threads", ctypes.c_int32),
                ("executor", ctypes.c_void_p), ("executor_user", ctypes.c_void_p)]


class CompileOptions(ctypes.Structure):
    """lintel_compile_options."""

    _fields_ = [("struct_size", ctypes.c_size_t), ("budget_milliseconds", ctypes.c_double),
                ("schedule", ctypes.c_char_p)]


class Tensor(ctypes.Structure):
    """lintel_tensor: an address and the elements between rows."""

    _fields_ = [("data", ctypes.c_void_p), ("stride", ctypes.c_int64)]


_HANDLE = ctypes.c_void_p
_SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "lintel_version": (ctypes.c_char_p, []),
    "lintel_last_error": (ctypes.c_char_p, []),
    "lintel_engine_create": (ctypes.c_int, [ctypes.POINTER(EngineOptions),
                                            ctypes.POINTER(_HANDLE)]),
    "lintel_engine_free": (None, [_HANDLE]),
    "lintel_engine_measure_peak": (ctypes.c_int, [_HANDLE, ctypes.c_char_p,
                                                  ctypes.POINTER(ctypes.c_double)]),
    "lintel_problem_parse": (ctypes.c_int, [ctypes.c_char_p, ctypes.c_char_p,
                                            ctypes.POINTER(_HANDLE)]),
    "lintel_problem_free": (None, [_HANDLE]),
    "lintel_compile": (ctypes.c_int, [_HANDLE, _HANDLE, ctypes.POINTER(CompileOptions),
                                      ctypes.POINTER(_HANDLE)]),
    "lintel_linear_free": (None, [_HANDLE]),
    "lintel_linear_set_weight": (ctypes.c_int, [_HANDLE, ctypes.c_void_p, ctypes.c_int64]),
    "lintel_linear_report": (ctypes.c_char_p, [_HANDLE]),
}


class Library:
    """liblintel.so with typed functions."""

    def __init__(self, path: Path) -> None:
        self._functions = ctypes.CDLL(str(path))
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(self._functions, name)
            function.restype, function.argtypes = result, arguments
        # The measured call: PyDLL does not give up the interpreter lock, and without argtypes
        # arguments that are ctypes objects already are passed as they are.
        self.run = ctypes.PyDLL(str(path)).lintel_linear_run

    def __getattr__(self, name: str) -> Any:
        return getattr(self._functions, f"lintel_{name}")

    def check(self, status: int) -> None:
        """Raises what Lintel says if `status` is not LINTEL_OK."""
        if status != 0:
            raise LintelError(self.last_error().decode())

    @property
    def version(self) -> str:
        return self._functions.lintel_version().decode()


class Engine:
    """A lintel_engine."""

    def __init__(self, library: Library, threads: int, cache_directory: str | None = None,
                 disable_cache: bool = False) -> None:
        self.library = library
        self._handle = _HANDLE()
        options = EngineOptions(
            struct_size=ctypes.sizeof(EngineOptions), threads=threads,
            cache_directory=cache_directory.encode() if cache_directory else None,
            disable_cache=int(disable_cache))
        library.check(library.engine_create(ctypes.byref(options), ctypes.byref(self._handle)))

    def compile(self, text: str, dtype: str, schedule: str = "") -> Linear:
        """The layer of a problem: with `schedule` if there is one, else tuned unless the engine
        knows it."""
        library, problem, linear = self.library, _HANDLE(), _HANDLE()
        options = CompileOptions(struct_size=ctypes.sizeof(CompileOptions),
                                 schedule=schedule.encode() or None)
        library.check(library.problem_parse(text.encode(), dtype.encode(), ctypes.byref(problem)))
        try:
            library.check(library.compile(self._handle, problem, ctypes.byref(options),
                                          ctypes.byref(linear)))
        finally:
            library.problem_free(problem)
        return Linear(self, linear)

    def measure_peak(self, dtype: str) -> float:
        """What the engine's threads reach together, now, in GFLOP/s, multiplying these types."""
        gflops = ctypes.c_double()
        self.library.check(self.library.engine_measure_peak(self._handle, dtype.encode(),
                                                            ctypes.byref(gflops)))
        return gflops.value

    def close(self) -> None:
        """Frees the engine; its layers may live on."""
        self.library.engine_free(self._handle)
        self._handle = _HANDLE()


class Linear:
    """A lintel_linear; `engine` made it."""

    def __init__(self, engine: Engine, handle: ctypes.c_void_p) -> None:
        self.engine = engine
        self.handle = handle

    @property
    def report(self) -> dict[str, Any]:
        return json.loads(self.engine.library.linear_report(self.handle))

    def set_weight(self, address: int, stride: int) -> None:
        library = self.engine.library
        library.check(library.linear_set_weight(self.handle, address, stride))

    def close(self) -> None:
        self.engine.library.linear_free(self.handle)
        self.handle = _HANDLE()


def prepared_calls(linears: Sequence[Linear], x: Tensor, rows: int, operands: Sequence[Tensor],
                   output: Tensor) -> list[Callable[[], int]]:
    """lintel_linear_run on each layer, all arguments made beforehand; they return the status."""
    shared = (ctypes.c_void_p(x.data), ctypes.c_int64(x.stride), ctypes.c_int64(rows),
              (Tensor * len(operands))(*operands), ctypes.c_size_t(len(operands)),
              (Tensor * 1)(output), ctypes.c_size_t(1))
    return [partial(linear.engine.library.run, linear.handle, *shared) for linear in linears]
