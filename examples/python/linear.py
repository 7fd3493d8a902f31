"""The C API from Python, with nothing but ctypes: one layer, run and checked."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import argparse
import ctypes
import json
import sys
from array import array

ROWS, DEPTH, COLUMNS = 32, 256, 512


class Tensor(ctypes.Structure):
    """lintel_tensor: an address, and the elements between rows."""

    _fields_ = [("data", ctypes.c_void_p), ("stride", ctypes.c_int64)]


def load(path: str) -> ctypes.CDLL:
    """The library. What returns no lintel_status, and what takes more than handles and addresses,
    needs types: ctypes passes plain numbers as 32 bits."""
    lib = ctypes.CDLL(path)
    lib.lintel_last_error.restype = ctypes.c_char_p
    lib.lintel_linear_report.restype = ctypes.c_char_p
    lib.lintel_linear_set_weight.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
    lib.lintel_linear_run.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64,
                                      ctypes.c_int64, ctypes.POINTER(Tensor), ctypes.c_size_t,
                                      ctypes.POINTER(Tensor), ctypes.c_size_t]
    return lib


def address(values: array) -> int:
    """Of the elements. A NumPy array has it as a.ctypes.data, a tensor of PyTorch as
    t.data_ptr(); the caller keeps them alive, and contiguous within each row."""
    return values.buffer_info()[0]


def numbers(count: int) -> array:
    """Numbers between -1 and 1 that look random."""
    return array("f", ((i * 2654435761 % 2001) / 1000 - 1 for i in range(count)))


def main(path: str) -> int:
    try:
        lib = load(path)
    except (OSError, AttributeError) as error:  # not there, or another library
        print(f"{error}; name the path of liblintel.so", file=sys.stderr)
        return 2

    def check(status: int) -> None:
        if status != 0:
            sys.exit(lib.lintel_last_error().decode())

    engine, problem, layer = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    # out = relu(x * transpose(w) + bias), for any number of rows.
    check(lib.lintel_problem_parse(b"?x256:256x512 bias+relu", b"f32", ctypes.byref(problem)))
    check(lib.lintel_engine_create(None, ctypes.byref(engine)))
    # The first time this tunes; from then on the kernel comes from the cache.
    check(lib.lintel_compile(engine, problem, None, ctypes.byref(layer)))

    x, w, bias = numbers(ROWS * DEPTH), numbers(COLUMNS * DEPTH), numbers(COLUMNS)
    out = array("f", bytes(4 * ROWS * COLUMNS))
    # Packs a copy: w may go afterwards.
    check(lib.lintel_linear_set_weight(layer, address(w), DEPTH))
    operands, outputs = (Tensor * 1)((address(bias), 0)), (Tensor * 1)((address(out), COLUMNS))
    check(lib.lintel_linear_run(layer, address(x), DEPTH, ROWS, operands, 1, outputs, 1))

    row, column = 3, 17
    expected = max(0.0, bias[column] + sum(x[row * DEPTH + k] * w[column * DEPTH + k]
                                           for k in range(DEPTH)))
    actual = out[row * COLUMNS + column]
    report = json.loads(lib.lintel_linear_report(layer))
    print(f"out[{row}, {column}] = {actual:.5f}, expected {expected:.5f} "
          f"({report['source']}, {len(report['buckets'])} kernels)")

    lib.lintel_linear_free(layer)
    lib.lintel_engine_free(engine)
    lib.lintel_problem_free(problem)
    return 0 if abs(actual - expected) < 1e-3 else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", nargs="?", default="liblintel.so",
                        help="of the library; %(default)s is looked for where the system does")
    sys.exit(main(parser.parse_args().path))
