# Checks the keys and the sense of what `lintel --json` prints.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   check_json.py tune|bench|check FILE [SOURCE...]
import json
import sys

SUBJECT = {"problem", "dtype", "threads", "isa", "cpu"}
RATES = {"schedule", "median_us", "min_us", "gflops", "gbps", "peak_fraction", "peak_source"}
STATUSES = {"winner", "timed", "dropped", "wrong", "failed"}


def check_rates(rates):
    if rates["schedule"] == "":
        return
    assert 0 < rates["min_us"] <= rates["median_us"], rates
    assert rates["gflops"] >= 0 and rates["gbps"] > 0, rates
    assert 0 <= rates["peak_fraction"] <= 1, rates
    assert rates["peak_source"] in {"stored", "run"}, rates


def check_tune(report):
    assert set(report) == SUBJECT | {"source", "key", "winner", "candidates",
                                     "objects_compiled", "max_error", "ms"}, sorted(report)
    assert set(report["winner"]) == RATES, sorted(report["winner"])
    check_rates(report["winner"])
    assert set(report["ms"]) == {"compile", "verify", "time", "total"}, report["ms"]
    assert 0 <= report["max_error"] <= 1
    for candidate in report["candidates"]:
        assert {"schedule", "status", "median_us"} <= set(candidate), candidate
        assert candidate["status"] in STATUSES, candidate
    if report["winner"]["schedule"]:
        first = report["candidates"][0]
        assert first["status"] == "winner", first
        assert first["schedule"] == report["winner"]["schedule"], first


def check_bench(report):
    assert set(report) == SUBJECT | RATES | {"source", "key", "peak_gflops", "ready_ms"}, sorted(report)
    check_rates(report)
    assert report["ready_ms"] > 0, report


def check_check(report):
    assert SUBJECT | {"right", "wrong", "failed", "not_checked", "max_error", "candidates"} == set(report)
    assert report["wrong"] == report["failed"] == report["not_checked"] == 0, report
    assert report["right"] == len(report["candidates"]), report


kind, path, sources = sys.argv[1], sys.argv[2], sys.argv[3:]
with open(path) as stream:
    reports = [json.loads(line) for line in stream]
assert reports, "nothing was printed"
for report in reports:
    {"tune": check_tune, "bench": check_bench, "check": check_check}[kind](report)
if sources:
    assert [report["source"] for report in reports] == sources, reports
