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


def check_kernel(report, noisy):
    winner = report["winner"]
    assert set(winner) - {"promised"} == RATES, sorted(winner)
    assert winner.get("promised", True) is True, winner
    # On a busy machine the time may be too short to time anybody twice.
    if not (noisy and winner["median_us"] == winner["min_us"] == 0):
        check_rates(winner)
    for candidate in report["candidates"]:
        assert {"schedule", "status", "median_us"} <= set(candidate), candidate
        assert candidate["status"] in STATUSES, candidate
    if report["winner"]["schedule"]:
        first = report["candidates"][0]
        assert first["status"] == "winner", first
        assert first["schedule"] == report["winner"]["schedule"], first


def panel_of(schedule):
    fields = dict(field.split("=") for field in schedule.split(","))
    return int(fields["tile"].split("x")[1]), int(fields.get("group", 1))


def check_buckets(report):
    """A kernel for each range of rows, which leave none out and share a weight."""
    buckets = report["buckets"]
    for bucket in buckets:
        assert set(bucket) == {"rows", "tuned_rows", "key", "winner", "candidates"}, sorted(bucket)
        least, most = bucket["rows"]
        assert least <= bucket["tuned_rows"] <= most, bucket
        check_kernel(bucket, report["noisy"])
    for before, after in zip(buckets, buckets[1:]):
        assert after["rows"][0] == before["rows"][1] + 1, buckets
    assert buckets[0]["rows"][0] <= 1 and buckets[-1]["rows"][1] == 2**31, buckets
    assert report["winner"] == buckets[-1]["winner"], report
    assert report["candidates"] == buckets[-1]["candidates"], report
    assert report["key"] == buckets[-1]["key"], report
    if len(buckets) > 1:
        chosen = report["panels"][0]
        panels = {panel_of(bucket["winner"]["schedule"]) for bucket in buckets}
        assert panels == {(chosen["columns"], chosen["group"])}, report["panels"]


def check_tune(report):
    keys = SUBJECT | {"source", "key", "winner", "candidates", "objects_compiled", "max_error", "noisy",
                       "interrupted", "ms"}
    if "buckets" in report:
        keys |= {"buckets"} | ({"panels"} if len(report["buckets"]) > 1 else set())
        check_buckets(report)
    assert set(report) == keys, sorted(report)
    check_kernel(report, report["noisy"])
    assert set(report["ms"]) == {"compile", "verify", "time", "total"}, report["ms"]
    assert 0 <= report["max_error"] <= 1


def check_bench(report):
    timed = RATES | {"spread", "peak_gflops"}
    keys = SUBJECT | timed | {"source", "key", "ready_ms", "noisy", "tuning_interrupted", "interrupted"}
    # On a busy machine; what holds of some rows holds of the report.
    doubt = {"doubt"} & set(report)
    if "rows" in report:
        keys |= {"rows"}
        for timing in report["rows"]:
            assert set(timing) - doubt == timed | {"rows"}, sorted(timing)
            check_rates(timing)
        if report["rows"]:
            last = report["rows"][-1]
            assert all(report[key] == last[key] for key in timed), report
    assert set(report) - doubt == keys, sorted(report)
    check_rates(report)
    if report["schedule"]:
        assert report["spread"] >= 0, report
    else:
        assert report["spread"] is None, report
    assert report["ready_ms"] > 0, report
    assert report["interrupted"] is False, report


def check_check(report):
    assert SUBJECT | {"right", "wrong", "failed", "not_checked", "max_error", "candidates"} == set(report)
    assert report["wrong"] == report["failed"] == report["not_checked"] == 0, report
    assert report["right"] == len(report["candidates"]), report


kind, path, sources = sys.argv[1], sys.argv[2], sys.argv[3:]
with open(path) as stream:
    reports = [json.loads(line) for line in stream]
assert reports, "nothing was printed"
for report in reports:
    # Only a model's layers have names.
    layers = report.pop("layers", ["unnamed"])
    assert layers and all(isinstance(name, str) for name in layers), layers
    assert report.pop("module", "none.mlir").endswith(".mlir")
    {"tune": check_tune, "bench": check_bench, "check": check_check}[kind](report)
if sources:
    assert [report["source"] for report in reports] == sources, reports
