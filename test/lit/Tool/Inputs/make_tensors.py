# Writes small .npy and .safetensors files for the tests, with the standard library alone.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   make_tensors.py DIRECTORY
#
# x [3, 4], w [5, 4], b [5] and r [3, 5] hold small integers; sum.npy is what
# x * w^T + b, clamped to at least 0, plus r gives.
import json
import os
import struct
import sys


def npy(shape, values, descr="<f4", order="False"):
    text = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (descr, order, tuple(shape))
    text += " " * (-(len(text) + 11) % 64) + "\n"
    code = {"|u1": "B", "|i1": "b", "<i4": "i"}.get(descr, "f")
    data = struct.pack("<%d%s" % (len(values), code), *values)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + data


def safetensors(tensors):
    header, data = {}, b""
    for name, (dtype, shape, values) in tensors.items():
        code = {"F32": "f", "BF16": "H", "I64": "q", "I8": "b", "U8": "B", "I32": "i"}[dtype]
        raw = struct.pack("<%d%s" % (len(values), code), *values)
        header[name] = {"dtype": dtype, "shape": shape,
                        "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


M, N, K = 3, 5, 4
x = [float((3 * i) % 7 - 3) for i in range(M * K)]
w = [float((5 * i) % 11 - 5) for i in range(N * K)]
b = [float(i - 2) for i in range(N)]
r = [float(10 * i) for i in range(M * N)]
out = []
for m in range(M):
    for n in range(N):
        total = sum(x[m * K + k] * w[n * K + k] for k in range(K))
        out.append(max(total + b[n], 0.0) + r[m * N + n])

# The same shapes in int8: qx [3, 4] of u8 with zero point 3, qw [5, 4] of s8 with
# a scale of 0.5 a column; qsum.npy in f32, and q.npy in u8, of scale 2 and zero
# point 100.
qx = [(37 * i) % 256 for i in range(M * K)]
qw = [(53 * i) % 256 - 128 for i in range(N * K)]
qsum = [0.5 * sum((qx[m * K + k] - 3) * qw[n * K + k] for k in range(K)) + b[n]
        for m in range(M) for n in range(N)]
q = [min(max(round(v / 2) + 100, 0), 255) for v in qsum]  # halves to even, as in Python

files = {
    "qx.npy": npy([M, K], qx, descr="|u1"),
    "qsum.npy": npy([M, N], qsum),
    "q.npy": npy([M, N], q, descr="|u1"),
    "scale.npy": npy([N], [0.5] * N),
    "int8.safetensors": safetensors({
        "weight": ("I8", [N, K], qw), "zero": ("I32", [], [3])}),
    "x.npy": npy([M, K], x),
    "w.npy": npy([N, K], w),
    "b.npy": npy([N], b),
    "r.npy": npy([M, N], r),
    "sum.npy": npy([M, N], out),
    "wt.npy": npy([N, K], [w[n * K + k] for k in range(K) for n in range(N)], order="True"),
    "big-endian.npy": npy([N, K], w, descr=">f4"),
    "empty.npy": npy([0, K], []),
    "tall.npy": npy([1 << 31, 0], []),
    "wide.npy": npy([1 << 13, 0], []),
    "plain.npy": npy([4096, 64], [0.0] * (4096 * 64)),
    "layer.safetensors": safetensors({
        "fc.weight": ("F32", [N, K], w), "fc.bias": ("F32", [N], b),
        "half": ("BF16", [2], [0, 0])}),
    "model.safetensors": safetensors({
        "embeddings.word_embeddings.weight": ("F32", [6, K], [0.0] * (6 * K)),
        "layer.0.fc.weight": ("F32", [N, K], w), "layer.0.fc.bias": ("F32", [N], b),
        "layer.1.fc.weight": ("F32", [N, K], w), "layer.1.fc.bias": ("F32", [N], b),
        "layer.1.norm.weight": ("F32", [K], [1.0] * K),
        "pooler.weight": ("F32", [K, K], [0.0] * (K * K)),
        "position_ids": ("I64", [1, 2], [0, 1])}),
    "half.safetensors": safetensors({"fc.weight": ("BF16", [2, 2], [0] * 4)}),
    "controls.safetensors": safetensors({"a\0b\x1b[31m.weight": ("BF16", [2, 2], [0] * 4)}),
}
for name, contents in files.items():
    with open(os.path.join(sys.argv[1], name), "wb") as stream:
        stream.write(contents)
