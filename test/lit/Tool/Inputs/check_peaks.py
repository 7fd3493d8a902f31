# Checks what `lintel doctor --json` says of peaks.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   check_peaks.py FILE stored|run [THREADS...]
import json
import sys
import time

path, source, threads = sys.argv[1], sys.argv[2], [int(t) for t in sys.argv[3:]]
with open(path) as stream:
    report = json.load(stream)
assert report["peak_source"] == source, report
assert report["peak_gflops"] > 0 and report["read_gbps"] > 0, report
assert report["peaks_problem"] == "", report
peaks = report["peaks"]
if not threads:
    assert peaks is None, peaks
    sys.exit()
assert set(peaks) == {"machine", "measured", "rows"}, peaks
assert f"isa={report['isa']}," in peaks["machine"], peaks
assert abs(time.time() - peaks["measured"]) < 600, peaks
assert [row["threads"] for row in peaks["rows"]] == threads, peaks
# What multiplies other types than f32, where the machine has it.
instructions = {"vfmadd231ph": ["avx512fp16"], "vdpbf16ps": ["avx512bf16"],
                "vpdpbusd": ["avx512vnni", "avxvnni"], "tdpbf16ps": ["amx-bf16"],
                "tdpfp16ps": ["amx-fp16"], "tdpbusd": ["amx-int8"]}
for row in peaks["rows"]:
    for instruction, features in instructions.items():
        rate = row.get(instruction + "_gflops")
        there = any(feature in report["target"] for feature in features)
        assert (rate is not None) == there, row
        assert rate is None or 0 < rate["median"] <= rate["best"], row
    # Pairs of bytes, where nothing multiplies four at once.
    assert ("vpmaddwd_gflops" in row) == ("vpdpbusd_gflops" not in row), row
    assert ("vpmaddubsw_gflops" in row) == (
        "vpmaddwd_gflops" in row and report["isa"] != "x86_64"), row
    for name in "fma_gflops", "l1_gbps", "l2_gbps", "l3_gbps", "memory_gbps":
        assert 0 < row[name]["median"] <= row[name]["best"], row
    if row["threads"] == report["threads"]:
        assert abs(row["fma_gflops"]["best"] - report["peak_gflops"]) < 0.01, report
