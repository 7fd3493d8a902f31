# bench/compare.py takes the lists that Lintel takes, and spells their problems as Lintel does.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import argparse
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BENCH = Path(__file__).resolve().parents[3] / "bench"
sys.path.insert(0, str(BENCH))
import compare  # noqa: E402
from comparison import problems  # noqa: E402

# Of a list, and how its problems are spelled.
TAKEN = (
    ("1x8:8x4", ["1x8:8x4"]), ("1x8:8x4 none", ["1x8:8x4"]), ("?x8:8x4 none", ["?x8:8x4"]),
    ("01x008:8x4 none+bias", ["1x8:8x4 bias"]), ("1x8:8x4 none+none", ["1x8:8x4"]),
    (" \t1x8:8x4\t\r bias+relu \r\n", ["1x8:8x4 bias+relu"]),
    ("1x8:8x4 clamp", ["1x8:8x4 clamp(0,6)"]),
    ("1x8:8x4 clamp(0, 6)", ["1x8:8x4 clamp(0,6)"]),
    ("1x8:8x4 bias+clamp(\t-1.50 ,\r1e3 )+mul", ["1x8:8x4 bias+clamp(-1.5,1000)+mul"]),
    ("1x8:8x4 clamp(-0,00e0)", ["1x8:8x4 clamp(0,0)"]),
    ("1x8:8x4 clamp(-INF,Infinity)", ["1x8:8x4 clamp(-inf,inf)"]),
    ("1x8:8x4 clamp(1e-45,3.4028235e38)", ["1x8:8x4 clamp(1e-45,3.4028235e+38)"]),
    ("1x8:8x4 clamp(0.0001,0.001)", ["1x8:8x4 clamp(1e-04,0.001)"]),
    ("1x8:8x4 clamp(.1,16777217)", ["1x8:8x4 clamp(0.1,16777216)"]),
    ("1x8:8x4 clamp(-0.3333333333,123456789012)", ["1x8:8x4 clamp(-0.33333334,123456790528)"]),
    ("1x8:8x4 clamp(1.17549435e-38,100000)", ["1x8:8x4 clamp(1.1754944e-38,1e+05)"]),
    ("# a\x0cb\u2028c\x85\r\n1x8:8x4 # d\x0b\n\r\n \t\n2x8:8x4", ["1x8:8x4", "2x8:8x4"]),
    ("1x8:8x4 # \0\n", ["1x8:8x4"]))
REFUSED = (
    "1x8:8x4\u00a0bias", "\u00a01x8:8x4", "1x8:8x4 bias\u2003", "\u0661x8:8x4",
    "1x8:8x4\x0c", "1x8:8x4\x0b2x8:8x4", "1x8:8x4\x852x8:8x4", "1x8:8x4\u20282x8:8x4",
    "1x8:8x4\x1c2x8:8x4", "1x8:8x4\r2x8:8x4", "1x8:8x4 bias\n\x0c\n", "1x8:8x4 \0",
    "1x8:8x4 bias relu", "1x8:8x4 bias +relu", "1x8:8x4 bias+ relu", "1x8:8x4 bias+",
    "1x8:8x4 +bias", "1x8:8x4 clamp (0,6)", "1x8:8x4 cl amp", "1x8:8x4 clamp(0,6",
    "1x8:8x4 clamp(0\x0c,6)", "1x8:8x4 clamp(0,\n6)", "1x8:8x4 clamp(0 0,6)", "1x8:8x4 clamp(0,)",
    "1x8:8x4 clamp(0,6)\u2028", "1x8:8x4 clamp(+0,6)", "1x8:8x4 clamp(nan,1)", "1x8:8x4 Relu",
    "1 x8:8x4", "1x8 :8x4", "1x8: 8x4", "1x8:8x4bias", "1x8:9x4")


class ListsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "list.txt"

    def test_the_comparison(self):
        for text, spellings in TAKEN:
            with self.subTest(text):
                self.assertEqual(self.spellings(text), spellings)
        for text in REFUSED:
            with self.subTest(text), self.assertRaises(problems.ProblemError):
                self.spellings(text)

    def spellings(self, text):
        self.path.write_bytes(text.encode())
        arguments = argparse.Namespace(file=[self.path], problem=[])
        return [problem.text for problem in compare._read_problems(arguments).problems]

    def test_lintel(self):
        for text, spellings in TAKEN:
            with self.subTest(text):
                result = self.check_by_lintel(text)
                self.assertEqual([json.loads(line)["problem"]
                                  for line in result.stdout.splitlines()], spellings)
        for text in REFUSED:
            with self.subTest(text):
                self.assertEqual(self.check_by_lintel(text).returncode, 2, text)

    def check_by_lintel(self, text):
        self.path.write_bytes(text.encode())
        return subprocess.run(
            [os.environ["LINTEL_TOOL_UNDER_TEST"], "check", "--json", "--threads", "1",
             "--schedule", "tile=1x16", "--file", self.path], capture_output=True, text=True,
            env={**os.environ, "LINTEL_CACHE_DIR": str(self.path.parent)})


class ProvidedListsTest(unittest.TestCase):
    """Those beside compare.py."""

    SIZES = {"bert-base-128": 4, "core": 43, "amx": 7}

    def test_all_of_them_is_measured(self):
        paths = sorted((BENCH / "problems").glob("*.txt"))
        self.assertEqual(sorted(path.stem for path in paths), sorted(self.SIZES))
        for path in paths:
            reading = compare._read_problems(argparse.Namespace(file=[path], problem=[]))
            self.assertEqual((len(reading.problems), reading.left_out),
                             (self.SIZES[path.stem], []), path)


if __name__ == "__main__":
    unittest.main()
