# What bench/compare.py compares: problems, lists of them, element types.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import argparse
import math
import sys
import unittest
from pathlib import Path

BENCH = Path(__file__).resolve().parents[3] / "bench"
sys.path.insert(0, str(BENCH))
from comparison import element_types, problems  # noqa: E402
from comparison.contestants import PEERS, why_not  # noqa: E402

LIST = """# What this list is.
# Where it is from.

# first group
1x8:8x4 bias+relu   # a remark
?x8:8x4

# second group

17x8:8x4 clamp(-1,1)+residual
"""


class ProblemsTest(unittest.TestCase):
    def test_a_problem(self):
        problem = problems.parse_problem("128x768:768x3072 bias+gelu_erf")
        self.assertEqual((problem.rows, problem.k, problem.n), (128, 768, 3072))
        self.assertEqual([stage.name for stage in problem.stages], ["bias", "gelu_erf"])
        self.assertEqual(problem.operations, 2 * 128 * 768 * 3072)

    def test_defaults(self):
        problem = problems.parse_problem("?x8:8x4")
        self.assertEqual((problem.text, problem.rows, problem.stages),
                         ("?x8:8x4", problems.ROWS_OF_DYNAMIC_M, ()))
        clamp, = problems.parse_problem("1x8:8x4 clamp").stages
        self.assertEqual(clamp.bounds, (0, 6))

    def test_bounds_of_a_clamp(self):
        clamp, residual = problems.parse_problem("1x8:8x4 clamp(-1.5,2)+residual").stages
        self.assertEqual((clamp.bounds, residual.reads_operand), ((-1.5, 2), True))

        for text, bounds in (("-inf,1.e2", (-math.inf, 100)), ("-.5,Infinity", (-0.5, math.inf)),
                             ("0,0", (0, 0)), ("-0,00e0", (0, 0)), ("1e-45,3e38", (2**-149, 3e38))):
            clamp, = problems.parse_problem(f"1x8:8x4 clamp({text})").stages
            for actual, bound in zip(clamp.bounds, bounds):
                self.assertTrue(math.isclose(actual, bound, rel_tol=1e-7), text)

    def test_bounds_that_lintel_refuses(self):
        for text, part in (("a,2", '"a"'), ("nan,1", '"nan"'), ("1_0,60", '"1_0"'),
                           ("+0,6", r'"\+0"'), ("0x1,2", '"0x1"'), ("0,\uff11", '"\uff11"'),
                           ("6,0", "wrong way round"), ("inf,-inf", "wrong way round"),
                           ("1e400,2e400", "1e400 is outside the range of f32"),
                           ("0,1e39", "1e39 is outside"),
                           ("1e-50,1", "1e-50 is too small for f32; write 0")):
            with self.assertRaisesRegex(problems.ProblemError, part):
                problems.parse_problem(f"1x8:8x4 clamp({text})")

    def test_what_is_wrong_is_named(self):
        for text, part in (("12", "expected MxK:KxN"), ("1x8:9x4 bias", "K = 8"),
                           ("5..16x8:9x4", "K = 8"), ("1@5x8:8x4", "expected"),
                           ("1x8:8x4 bais", '"bais"'), ("0x8:8x4 bais", '"bais"'),
                           ("1x8:8x4 bias relu", '"bias relu"')):
            with self.assertRaises(problems.ProblemError) as raised:
                problems.parse_problem(text)
            self.assertIn(part, str(raised.exception))
            self.assertNotIsInstance(raised.exception, problems.UnsupportedProblem, text)

    def test_long_texts_are_quoted_by_their_beginnings(self):
        long = "x" * 1000
        for text in (long, f"1x8:8x4 {long}", f"1x8:9x4 {long}", f"1x8:8x4 clamp(0,{long})",
                     f"1..{'1' * 1000}x8:8x4"):
            with self.assertRaises(problems.ProblemError) as raised:
                problems.parse_problem(text)
            self.assertLess(len(str(raised.exception)), 400)

    def test_sizes_are_those_that_lintel_takes(self):
        self.assertEqual(problems.parse_problem("2147483648x08:0008x4").k, 8)
        for text in ("2147483649x8:8x4", "1x9999999999:9999999999x4", f"1x8:8x{'9' * 5000}",
                     f"{'9' * 5000}x8:8x4"):
            with self.assertRaisesRegex(problems.ProblemError, "larger than 2147483648") as raised:
                problems.parse_problem(text)
            self.assertLess(len(str(raised.exception)), 200)
        for digit in ("\uff11", "\u0661", "\u00b2"):  # full-width, Arabic, superscript
            with self.assertRaisesRegex(problems.ProblemError, "expected MxK:KxN"):
                problems.parse_problem(f"{digit}x8:8x4")

    def test_what_is_not_measured_is_told_from_what_is_wrong(self):
        for text, part in (("0x8:8x4", "at least 1"), ("1x0:0x4", "at least 1"),
                           ("1x8:8x0", "at least 1"), ("5..16x8:8x4", '"5..16"'),
                           ("65..?x8:8x4 bias", '"65..?"'), ("?@64x8:8x4", '"?@64"'),
                           ("5..16@8x8:8x4", '"5..16@8"'), ("1x8:8x4 quant", '"quant"'),
                           ("1x8:8x4 dequant(x=row,xzero=row)+relu", '"dequant(x=row,xzero=row)"'),
                           ("1x8:8x4 relu+quant(zero=none)", '"quant(zero=none)"')):
            with self.assertRaises(problems.UnsupportedProblem) as raised:
                problems.parse_problem(text)
            self.assertIn(part, str(raised.exception))

    def test_spellings_of_epilogues(self):
        for text, names in (("none+relu", ["relu"]), ("none+none", []),
                            ("clamp(-1e+1,2e+1)+mul", ["clamp", "mul"])):
            stages = problems.parse_problem(f"1x8:8x4 {text}").stages
            self.assertEqual([stage.name for stage in stages], names)

    def read_list(self, text):
        reading = problems.Reading()
        reading.add_list(text, "list.txt")
        return reading

    def test_a_list_begins_without_a_byte_order_mark(self):
        with self.assertRaisesRegex(problems.ProblemError, "^list.txt: begins with a byte order "
                                    "mark; save it as UTF-8 without one$"):
            self.read_list("\ufeff1x8:8x4\n")

    def test_groups_of_a_list(self):
        read = self.read_list(LIST).problems
        self.assertEqual([(problem.rows, problem.group) for problem in read],
                         [(1, "first group"), (512, "first group"), (17, "second group")])

    def test_a_group_may_have_any_name(self):
        for name in ("other", "none"):
            problem, = self.read_list(f"# {name}\n1x8:8x4\n").problems
            self.assertEqual(problem.group, name)
            self.assertNotEqual(problem.group, problems.NO_GROUP)

    def test_a_wrong_line_is_found(self):
        with self.assertRaises(problems.ProblemError) as raised:
            self.read_list("# group\n1x8:8x4\n1x8:8x4 bais\n")
        self.assertIn("list.txt:3:", str(raised.exception))

    def test_a_line_that_is_not_measured_does_not_cost_the_list(self):
        reading = self.read_list("1x8:8x4\n5..16x8:8x4   # a range\n2x8:8x4\n")
        self.assertEqual([problem.rows for problem in reading.problems], [1, 2])
        reason, = reading.left_out
        self.assertTrue(reason.startswith('list.txt:2: "5..16x8:8x4": '), reason)

    def test_problems_without_quotes(self):
        self.assertEqual(problems.join_arguments(["1x8:8x4", "bias", "2x8:8x4", "3x8:8x4 relu"]),
                         ["1x8:8x4 bias", "2x8:8x4", "3x8:8x4 relu"])


class ElementTypesTest(unittest.TestCase):
    def test_what_a_name_stands_for(self):
        for text, activation, weight, result in (
                ("f32", "f32", "f32", "f32"), ("bf16", "bf16", "bf16", "bf16"),
                ("f16:f32", "f16", "f16", "f32"), ("u8s8", "u8", "s8", "f32"),
                ("s8s8", "s8", "s8", "f32"), ("u8s8:bf16", "u8", "s8", "bf16"),
                ("s8s8,accumulate=s16", "s8", "s8", "f32")):
            types = element_types.Types(text)
            self.assertEqual((types.activation, types.weight, types.result),
                             (activation, weight, result))
            self.assertEqual(types.are_integers, weight == "s8")

    def test_bytes_of_a_weight(self):
        self.assertEqual([element_types.Types(text).weight_bytes for text in element_types.CHOICES],
                         [4, 2, 2, 2, 2] + 12 * [1])

    def test_sums_of_s16_take_weights_of_seven_bits(self):
        for text, most, bits in (("u8s8", 8, 8), ("u8s8", 7, 7), ("u8s8,accumulate=s16", 8, 7)):
            self.assertEqual(element_types.Types(text).weight_bits(most), bits)

    def test_usual_results_may_be_written_out(self):
        for text, name in (("f32:f32", "f32"), ("bf16:bf16", "bf16"), ("f16:f16", "f16"),
                           ("u8s8:f32", "u8s8"), ("s8s8:f32", "s8s8"), ("bf16:f32", "bf16:f32"),
                           ("s8s8:f16", "s8s8:f16"),
                           ("u8s8,accumulate=s16", "u8s8,accumulate=s16"),
                           ("u8s8:f32,accumulate=s16", "u8s8,accumulate=s16"),
                           ("s8s8:bf16,accumulate=s16", "s8s8:bf16,accumulate=s16")):
            self.assertEqual(element_types.parse(text), name)

    def test_types_that_are_not_compared_say_why(self):
        for text, part in (("u8s8:u8", "results of u8 and s8 are not compared; there are f32, "),
                           ("s8s8:s8", "results of u8 and s8 are not compared"),
                           ("u8s8:u8,accumulate=s16", "results of u8 and s8 are not compared"),
                           ("f16,accumulate=f16", "sums of f16 are not compared"),
                           ("u8s8,accumulate=s32", "unknown"), ("u8s8,", "unknown"),
                           ("f8", "unknown element types 'f8'"), ("", "unknown"),
                           (":f32", "unknown"), ("f32:bf16", "unknown"), ("f32:", "unknown")):
            with self.assertRaises(argparse.ArgumentTypeError) as raised:
                element_types.parse(text)
            self.assertIn(part, str(raised.exception))

    def test_peers_that_cannot_compute_a_type_say_so(self):
        able = {text: [peer for peer in PEERS if not why_not(peer, element_types.Types(text))]
                for text in element_types.CHOICES}
        self.assertEqual(able["f32"], ["eager", "inductor", "mkl", "openblas", "libxsmm"])
        self.assertEqual(able["bf16:f32"], ["eager", "inductor"])
        for text in ("s8s8", "u8s8:bf16", "s8s8:f16", "u8s8,accumulate=s16"):
            self.assertEqual(able[text], ["inductor", "onednn"])
        self.assertEqual(why_not("mkl", element_types.Types("bf16:f32")),
                         "it computes f32 and not bf16")


if __name__ == "__main__":
    unittest.main()
