# The memory that bench/compare.py finds, in made-up trees of control groups.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

BENCH = Path(__file__).resolve().parents[3] / "bench"
sys.path.insert(0, str(BENCH))
from comparison import memory  # noqa: E402


class MemoryTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name

    def write(self, path, text):
        file = Path(self.root + path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def left(self):
        return min(memory.left_in_groups(self.root), default=None)

    def test_without_groups_there_is_no_limit(self):
        self.assertIsNone(self.left())

    def test_version_2(self):
        self.write("/proc/self/mountinfo",
                   "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
                   "23 27 0:22 / /c rw - 9p drvfs rw,path=C:\\Program Files;uid=0\n"
                   "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n")
        self.write("/proc/self/cgroup", "0::/a/b\n")
        self.write("/sys/fs/cgroup/a/b/memory.max", "max\n")
        self.write("/sys/fs/cgroup/a/b/memory.current", "500\n")
        self.assertIsNone(self.left())
        self.write("/sys/fs/cgroup/a/memory.max", "1000\n")
        self.write("/sys/fs/cgroup/a/memory.current", "600\n")
        self.assertEqual(self.left(), 400)
        self.write("/sys/fs/cgroup/a/memory.stat",
                   "anon 500\ninactive_file 70\nactive_file 5\nslab_reclaimable 4\n")
        self.assertEqual(self.left(), 479)
        self.write("/sys/fs/cgroup/a/b/memory.max", "450\n")
        self.assertEqual(self.left(), 0)

    def test_version_1(self):
        self.write("/proc/self/mountinfo",
                   "31 23 0:27 / /sys/fs/cgroup/memory rw shared:9 - cgroup cgroup rw,memory\n"
                   "32 23 0:28 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n")
        self.write("/proc/self/cgroup", "4:cpu:/elsewhere\n5:memory:/a\n")
        group = "/sys/fs/cgroup/memory/a/"
        self.write(group + "memory.limit_in_bytes", "1000\n")
        self.write(group + "memory.usage_in_bytes", "600\n")
        self.assertEqual(self.left(), 400)
        self.write(group + "memory.stat",
                   "inactive_file 1\ntotal_inactive_file 30\ntotal_active_file 7\n")
        self.assertEqual(self.left(), 437)

    def test_a_container_sees_its_group_at_the_mount_point(self):
        self.write("/proc/self/mountinfo",
                   "30 23 0:26 /box /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n")
        self.write("/sys/fs/cgroup/memory.max", "1000\n")
        self.write("/sys/fs/cgroup/memory.current", "1\n")
        for group in ("/box", "/", "/../other", "/box/inner"):
            self.write("/proc/self/cgroup", f"0::{group}\n")
            self.assertEqual(self.left(), 999, group)

    def test_the_tightest_limit_counts(self):
        machine = memory.available_memory()
        self.assertGreater(machine, 1 << 20)
        with mock.patch.object(memory, "left_in_groups", return_value=[5 << 60, 12345]):
            self.assertEqual(memory.available_memory(), 12345)
        with mock.patch.object(memory, "left_in_groups", return_value=[]):
            self.assertLess(memory.available_memory(), 1 << 50)


if __name__ == "__main__":
    unittest.main()
