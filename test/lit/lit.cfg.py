# How lit finds and runs the tests of this folder.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import subprocess

import lit.formats

config.name = "Lintel"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)

config.environment["PATH"] = os.pathsep.join(
    [config.lintel_tools_dir, config.llvm_tools_dir, os.environ.get("PATH", "")]
)
# No test may touch the user's cache; one that writes names a directory of its own.
config.environment["LINTEL_CACHE_DIR"] = os.path.join(config.test_exec_root, "cache")
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# REQUIRES: avx2 / avx512: the machine can run code of that ISA level.
ISA_LEVELS = {
    "avx2": {"avx2", "fma", "f16c", "bmi1", "bmi2", "abm", "movbe", "popcnt"},
    "avx512": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
}


def cpu_flags():
    with open("/proc/cpuinfo") as cpuinfo:
        for line in cpuinfo:
            if line.startswith("flags"):
                return set(line.split(":", 1)[1].split())
    return set()


flags = cpu_flags()
for level, needed in ISA_LEVELS.items():
    if needed <= flags:
        config.available_features.add(level)

# REQUIRES: two-cpus: two threads have a CPU each, by affinity and control groups.
def usable_cpus():
    lintel = os.path.join(config.lintel_tools_dir, "lintel")
    report = subprocess.run([lintel, "doctor", "--json"], env=config.environment,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    try:
        return json.loads(report.stdout)["cores"]
    except (ValueError, KeyError):  # which other tests will say
        return 0


if usable_cpus() >= 2:
    config.available_features.add("two-cpus")
