# What a comparison takes from `lintel doctor`.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import contextlib
import json
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

BENCH = Path(__file__).resolve().parents[3] / "bench"
sys.path.insert(0, str(BENCH))
from comparison.machine import Machine  # noqa: E402

NONE = {"avx512vnni": False, "avxvnni": False, "amx-int8": False}


class MachineTest(unittest.TestCase):
    def setUp(self):
        # Only a measuring process knows its CPUs.
        patch = mock.patch("comparison.machine.on_all_cpus", contextlib.nullcontext)
        patch.start()
        self.addCleanup(patch.stop)

    def machine(self, **facts):
        """One of which a tool says so, with an exit code that tells of a cache."""
        with tempfile.TemporaryDirectory() as folder:
            tool = Path(folder) / "lintel"
            tool.write_text(f"#!/bin/sh\ncat <<'END'\n{json.dumps(facts)}\nEND\nexit 1\n")
            tool.chmod(0o755)
            return Machine(tool)

    def test_weights_are_a_bit_shorter_where_products_of_bytes_saturate(self):
        self.assertEqual(self.machine(features=NONE).weight_bits, 7)
        for feature in NONE:
            self.assertEqual(self.machine(features={**NONE, feature: True}).weight_bits, 8)

    def test_the_largest_cache_is_the_last(self):
        caches = {"l1": 1 << 15, "l2": 1 << 20, "l3": 0}
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch("comparison.machine.CPUS", Path(folder)):  # hidden
            self.assertEqual(self.machine(cpu_caches=caches).last_level_caches([0]), 1 << 20)

    def test_caches_that_cpus_share_count_once(self):
        machine = self.machine(cpu_caches={"l1": 1 << 15, "l2": 1 << 20, "l3": 32 << 20})
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch("comparison.machine.CPUS", Path(folder)):
            for cpu, shared in enumerate(("0-1", "0-1", "2-3")):
                for index, level, cpus in ((0, 1, cpu), (3, 3, shared)):
                    cache = Path(folder) / f"cpu{cpu}" / "cache" / f"index{index}"
                    cache.mkdir(parents=True)
                    (cache / "level").write_text(f"{level}\n")
                    (cache / "shared_cpu_list").write_text(f"{cpus}\n")
            for cpus, count in (([0, 1], 1), ([1, 2], 2), ([7], 1)):
                self.assertEqual(machine.last_level_caches(cpus), count * (32 << 20))

    def test_caches_of_different_sizes_count_as_they_are(self):
        """Lintel says the smallest: that of the second die of a 7950X3D."""
        machine = self.machine(cpu_caches={"l1": 1 << 15, "l2": 1 << 20, "l3": 32 << 20})
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch("comparison.machine.CPUS", Path(folder)):
            for cpu, size in enumerate(("98304K", "32M", "nonsense")):
                cache = Path(folder) / f"cpu{cpu}" / "cache" / "index3"
                cache.mkdir(parents=True)
                for name, text in (("level", "3"), ("shared_cpu_list", cpu), ("size", size)):
                    (cache / name).write_text(f"{text}\n")
            for cpus, megabytes in (([0], 96), ([1], 32), ([0, 1], 128), ([1, 2], 64)):
                self.assertEqual(machine.last_level_caches(cpus), megabytes << 20)

    def test_a_tool_that_says_nothing_is_an_error(self):
        with self.assertRaisesRegex(RuntimeError, "doctor --json ended with code 1"):
            Machine(Path("/bin/false"))


if __name__ == "__main__":
    unittest.main()
