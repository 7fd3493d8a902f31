# What says whether kernels came from the cache.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import subprocess
import sys
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[3] / "scripts" / "from_cache.py"


def report(source):
    return json.dumps({"problem": "1x2:2x3", "source": source, "key": "ab"}).encode()


class FromCacheTest(unittest.TestCase):
    def run_script(self, *lines):
        result = subprocess.run([sys.executable, "-B", SCRIPT], input=b"\n".join(lines),
                                capture_output=True)
        return result.returncode, result.stdout.decode(), result.stderr.decode()

    def test_all_from_the_cache(self):
        code, stdout, _ = self.run_script(report("cache"), report("cache"))
        self.assertEqual(code, 0)
        self.assertIn("2 of 2 kernels from the cache", stdout)

    def test_one_that_was_tuned(self):
        code, stdout, _ = self.run_script(report("cache"), report("tuned"))
        self.assertEqual(code, 1)
        self.assertIn("1 of 2 kernels from the cache", stdout)

    def test_one_that_failed(self):
        failed = json.dumps({"problem": "1x0:0x9", "dtype": "f32", "error": "no memory"})
        code, stdout, stderr = self.run_script(failed.encode(), report("cache"))
        self.assertEqual((code, stderr), (1, ""))
        self.assertRegex(stdout, "1x0:0x9 +failed: no memory")
        self.assertIn("1 of 2 kernels from the cache", stdout)

    def test_nothing(self):
        self.assertEqual(self.run_script()[0], 1)

    def test_what_is_no_report(self):
        for line in (b"AUTOTUNE linear", b"3", b"null", b"[]", b"{}", b"\xff\xfe\xff", b""):
            with self.subTest(line=line):
                code, _, stderr = self.run_script(report("cache"), line, report("cache"))
                self.assertEqual(code, 1)
                self.assertEqual(stderr, "from_cache.py: line 2 is no report of lintel tune\n")


if __name__ == "__main__":
    unittest.main()
