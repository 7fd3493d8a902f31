# Who takes part in the races of bench/compare.py: only those that are right.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import contextlib
import math
import re
import sys
import unittest
from pathlib import Path
from unittest import mock

BENCH = Path(__file__).resolve().parents[3] / "bench"
sys.path.insert(0, str(BENCH))
from comparison import contestants, element_types, field, lintel_abi, problems, race  # noqa: E402
from fake_layer import FakeLayer, FakeOutput, entry_of  # noqa: E402

TORCH = {name: mock.MagicMock() for name in ("torch", "torch.nn", "torch.nn.functional")}
with mock.patch.dict(sys.modules, TORCH):  # imported, but not used
    from comparison import layer  # noqa: E402
    from comparison.contestants import blas, libxsmm, openblas  # noqa: E402


class ReasonTest(unittest.TestCase):
    def test_is_the_first_line(self):
        self.assertEqual(field.reason_of(ValueError("no room\nand more")), "no room")

    def test_is_with_the_cause_that_pytorch_names(self):
        self.assertEqual(field.reason_of(RuntimeError("backend raised:\nNoRoom: all\n\nmore")),
                         "backend raised: NoRoom: all")

        self.assertEqual(field.reason_of(RuntimeError("backend raised:\nNoRoom: all")),
                         "backend raised: NoRoom: all")

    def test_is_with_the_place_where_the_cause_that_pytorch_names_says_nothing(self):
        for text in ("AssertionError: ", "AssertionError: \n\nSet a variable",
                     "LoweringError: AssertionError:\n  target: mm"):
            with self.subTest(text):
                name = text.splitlines()[0].strip()[:-1]
                try:
                    try:
                        assert False
                    except AssertionError as cause:
                        raise RuntimeError(f"backend='inductor' raised:\n{text}") from cause
                except RuntimeError as error:
                    self.assertRegex(field.reason_of(error), rf"^backend='inductor' raised: {name} "
                                     r"in contestants_test\.py:\d+$")

    def test_is_the_line_behind_a_name_alone(self):
        self.assertEqual(field.reason_of(RuntimeError("RuntimeError:\ng++ failed")),
                         "RuntimeError: g++ failed")

    def test_of_nested_names_is_the_place_of_the_last(self):
        try:
            try:
                assert False
            except AssertionError as cause:
                raise RuntimeError("LoweringError: AssertionError: \n  target: mm") from cause
        except RuntimeError as error:
            self.assertRegex(field.reason_of(error), r"^LoweringError: AssertionError in "
                             r"contestants_test\.py:\d+$")

    def test_is_not_the_place_of_what_was_handled_before(self):
        def fail():
            try:
                {}["no such key"]
            except KeyError:
                assert False

        try:
            fail()
        except AssertionError as error:
            line = fail.__code__.co_firstlineno + 4
            self.assertEqual(field.reason_of(error),
                             f"AssertionError in contestants_test.py:{line}")

    def test_of_an_error_that_is_its_own_cause(self):
        error = RuntimeError("OtherError:")
        error.__cause__ = error
        self.assertEqual(field.reason_of(error), "OtherError in unknown code")

    def test_of_an_assertion_without_a_message_is_its_place(self):
        def failed():
            try:
                assert False
            except AssertionError as cause:
                raise RuntimeError("AssertionError: \n\nSet a variable") from cause

        for failing in (failed, lambda: self.fail_silently()):
            try:
                failing()
            except Exception as error:
                self.assertRegex(field.reason_of(error),
                                 r"^AssertionError in contestants_test\.py:\d+$")

    def fail_silently(self):
        raise AssertionError

    def test_of_an_error_that_was_never_raised(self):
        self.assertEqual(field.reason_of(ValueError()), "ValueError in unknown code")


class FakeContestant:
    version = "1"

    def __init__(self, entry):
        self.enter = lambda layer: entry


class CheckTest(unittest.TestCase):
    def test_the_largest_error_counts(self):
        error = contestants.check(FakeLayer(), entry_of(1.01, 1.05, 1.0))
        self.assertAlmostEqual(error, 0.05)

    def test_every_call_must_write_what_is_right(self):
        for values in ((1, 1, None), (None, 1, 1), (1, None, 1), (1, 2, 1), (1, float("inf"))):
            with self.assertRaises(ArithmeticError, msg=values):
                contestants.check(FakeLayer(), entry_of(*values))


class ToleranceTest(unittest.TestCase):
    """Of layers with K = 4096 and results of bf16; layer_test.py has them computed."""

    def tolerance(self, epilogue, *rounded_between):
        problem = problems.parse_problem(f"1x4096:4096x4 {epilogue}")
        epsilons = {layer.torch.float32: 2**-23, "bf16": 2**-7}
        with mock.patch.object(layer.torch, "finfo",
                               lambda dtype: mock.Mock(eps=epsilons[dtype])):
            return layer.Layer.tolerance(mock.Mock(problem=problem, result_dtype="bf16"),
                                         *rounded_between)

    def test_who_fuses_rounds_once(self):
        for epilogue in ("none", "bias+relu"):  # two terms that are missing are 0.017 there
            self.assertAlmostEqual(self.tolerance(epilogue), 2**-8, delta=2e-4)

    def test_who_does_not_rounds_each_stage(self):
        for epilogue, roundings in (("none", 1), ("bias+relu", 3)):
            self.assertAlmostEqual(self.tolerance(epilogue, "bf16"), roundings * 2**-7, delta=2e-4)


class FusedStagesTest(unittest.TestCase):
    """What libxsmm's loops compute of an epilogue."""

    @staticmethod
    def layer_of(stages):
        problem = problems.parse_problem(f"4x8:8x16 {stages}")
        operands = [mock.Mock(data_ptr=mock.Mock(return_value=100 + i))
                    for i, _ in enumerate(s for s in problem.stages if s.reads_operand)]
        return mock.Mock(problem=problem, operands=operands)

    def fused(self, stages):
        return [(one.operation, one.low, one.high, one.operand)
                for one in libxsmm._fused_stages(self.layer_of(stages))]

    def test_arithmetic_before_the_first_function(self):
        self.assertEqual(self.fused("bias+relu+mul+residual+clamp(-1,2)+gelu_erf+residual"),
                         [(0, 0, 0, 100), (3, 0, math.inf, None), (2, 0, 0, 101),
                          (1, 0, 0, 102), (3, -1, 2, None)])
        self.assertEqual(self.fused("silu+mul"), [])
        self.assertEqual(self.fused("none"), [])

    def test_no_more_than_there_is_room_for(self):
        self.assertEqual(len(self.fused("+".join(["relu"] * 9))), 8)

    def test_what_is_done_is_not_done_again(self):
        layer = self.layer_of("bias+gelu_erf+residual")
        done = []
        steps = [lambda _, i=i: done.append(i) for i in range(3)]
        with mock.patch.object(blas.epilogue, "inplace_steps", return_value=steps):
            blas.with_epilogue(lambda: done.append("product"), layer, None, 1)()
            self.assertEqual(done, ["product", 1, 2])
            product = mock.Mock()
            self.assertIs(blas.with_epilogue(product, layer, None, 3), product)

    def test_numbers_are_those_of_the_c_file(self):
        text = (BENCH / "comparison" / "contestants" / "xsmm_linear.c").read_text()
        self.assertIn(f"MOST_STAGES = {libxsmm._MOST_STAGES} ", text)
        names = re.findall(r"^  XSMM_(\w+),", text, re.MULTILINE)
        self.assertEqual([getattr(libxsmm, f"_{name}") for name in names],
                         list(range(len(names))))
        self.assertEqual(names, ["ADD_ROW", "ADD", "MULTIPLY", "CLAMP"])


class AblePeersTest(unittest.TestCase):
    def test_who_cannot_run_is_left_out(self):
        def create(name):
            if name == "mkl":
                raise OSError("libmkl_rt.so: cannot open")
            return name
        said = []
        with mock.patch.object(field, "create_peer", side_effect=create):
            able = field.able_peers(["eager", "mkl", "onednn", "eager"],
                                    element_types.Types("f32"), said.append)
        self.assertEqual(able, {"eager": "eager"})
        self.assertEqual(said, ["mkl is left out: libmkl_rt.so: cannot open",
                                "onednn is left out: it computes u8s8, s8s8 and not f32"])


class FieldTest(unittest.TestCase):
    def setUp(self):
        self.said, self.closed = [], []
        self.field = field.Field(FakeLayer(), ("mkl", "eager"), self.said.append)

    def entry(self, name, *values):
        return entry_of(*values, close=lambda: self.closed.append(name))

    def assemble(self, **entries):
        self.field.assemble({name: FakeContestant(entry) for name, entry in entries.items()})

    def test_a_peer_that_does_not_write_is_left_out(self):
        self.assemble(lintel=self.entry("lintel", 1, 1), mkl=self.entry("mkl", 1, None))
        self.assertEqual(list(self.field.entries), ["lintel"])
        self.assertEqual(self.closed, ["mkl"])
        self.assertIn("1x8:8x4: mkl is left out: wrong result: off by nan", self.said[0])

    def test_who_is_no_peer_must_be_right_and_is_named(self):
        with self.assertRaisesRegex(RuntimeError, "^tile=1x32: wrong result: off by nan"):
            self.assemble(**{"tile=1x16": self.entry("a", 1), "tile=1x32": self.entry("b", None)})

    def test_who_fails_in_the_race_is_left_out(self):
        entries = {name: self.entry(name, 1) for name in ("lintel", "mkl", "eager")}
        self.assemble(**entries)
        entries["mkl"].calls[0] = lambda: None
        entries["eager"].result = mock.Mock(side_effect=RuntimeError("out of memory"))
        self.field.check_again()
        self.assertEqual(list(self.field.entries), ["lintel"])
        self.assertIn("mkl is left out: wrong result", self.said[0])
        self.assertIn("eager is left out: out of memory", self.said[1])

    def race(self):
        effort = race.Effort(seconds=0, min_rounds=2, max_rounds=2)
        return race.race(self.field.entries, effort, self.field.attempt)

    def test_lintel_must_not_fail_in_the_race(self):
        """Calls that fail return at once, and would be the fastest."""
        statuses = iter([0] * 6)  # the check takes one, the estimate four

        def result(status):
            if status != 0:
                raise lintel_abi.LintelError("no memory")
            return FakeOutput(1)

        self.assemble(lintel=contestants.Entry([lambda: next(statuses, 1)], result))
        with self.assertRaisesRegex(RuntimeError, "^lintel: no memory$"):
            self.race()

    def test_a_peer_that_fails_in_the_race_is_out_of_it(self):
        self.assemble(**{name: self.entry(name, 1) for name in ("lintel", "mkl", "eager")})
        for name, calls in (("mkl", 2), ("eager", 30)):  # the estimate takes four
            call = mock.Mock(side_effect=[None] * calls + [RuntimeError("no room")])
            self.field.entries[name].calls[0] = call
        self.assertEqual({name: len(times) for name, times in self.race().items()}, {"lintel": 2})
        self.assertEqual([reason.partition(": ")[2] for reason in self.said],
                         ["mkl is left out: no room", "eager is left out: no room"])
        self.assertEqual(self.closed, ["mkl", "eager"])

    def test_lintel_must_still_be_right_after_the_race(self):
        entry = self.entry("lintel", 1)
        self.assemble(lintel=entry)
        entry.result = mock.Mock(side_effect=lintel_abi.LintelError("out of memory"))
        with self.assertRaisesRegex(RuntimeError, "^lintel: out of memory$"):
            self.field.check_again()


class FakeTensor:
    def __init__(self, address):
        self.data_ptr = lambda: address


class BlasTest(unittest.TestCase):
    """The ways of a library to compute a layer, by the arguments of its functions."""

    X, WEIGHT, OUTPUT = 1 << 12, 2 << 12, 3 << 12

    def calls(self, problem):
        """The arguments of sgemm and sgemv in all ways."""
        layer = mock.Mock(problem=problems.parse_problem(problem), x=FakeTensor(self.X),
                          weights=lambda: [FakeTensor(self.WEIGHT)])
        library = mock.Mock()
        for product in blas.Blas(library).products(layer):
            for call in product(layer, FakeTensor(self.OUTPUT)):
                call()
        return [[[argument if isinstance(argument, int) else argument.value
                  for argument in call.args] for call in function.call_args_list]
                for function in (library.cblas_sgemm, library.cblas_sgemv)]

    def test_a_matrix_is_for_sgemm_alone(self):
        sgemm, sgemv = self.calls("2x8:8x4")
        self.assertEqual(sgemm, [[101, 111, 112, 2, 4, 8, 1.0, self.X, 8, self.WEIGHT, 8, 0.0,
                                  self.OUTPUT, 4]])
        self.assertEqual(sgemv, [])

    def test_one_row_is_a_vector(self):
        sgemm, sgemv = self.calls("1x8:8x4")
        self.assertEqual(len(sgemm), 1)
        self.assertEqual(sgemv, [[101, 111, 4, 8, 1.0, self.WEIGHT, 8, self.X, 1, 0.0,
                                  self.OUTPUT, 1]])

    def test_the_weight_of_one_column_is_a_vector(self):
        sgemm, sgemv = self.calls("2x8:8x1")
        self.assertEqual(len(sgemm), 1)
        self.assertEqual(sgemv, [[101, 111, 2, 8, 1.0, self.X, 8, self.WEIGHT, 1, 0.0,
                                  self.OUTPUT, 1]])


class OpenBlasTest(unittest.TestCase):
    def test_a_cpu_that_it_does_not_know_has_the_kernels_of_one_it_does(self):
        for chosen, flags, core in (("Prescott", {"avx2", "avx512vl"}, "SkylakeX"),
                                    ("Prescott", {"avx", "avx2"}, "Haswell"),
                                    ("Prescott", {"ssse3"}, None),
                                    ("Zen", {"avx2", "avx512vl"}, None)):
            with self.subTest(chosen, flags=flags):
                self.assertEqual(openblas.core_instead(chosen, flags), core)

    def test_a_core_of_the_users_stays(self):
        with mock.patch.dict(openblas.os.environ, OPENBLAS_CORETYPE="Nehalem"), \
                mock.patch.object(openblas.subprocess, "run") as asked:
            openblas._choose_core()
            self.assertEqual(openblas.os.environ["OPENBLAS_CORETYPE"], "Nehalem")
        asked.assert_not_called()

    def test_another_process_asks_it(self):
        answer = mock.Mock(stdout="Prescott\n")
        with mock.patch.dict(openblas.os.environ), \
                mock.patch.object(openblas, "_cpu_flags", return_value={"avx2"}), \
                mock.patch.object(openblas.subprocess, "run", return_value=answer):
            openblas.os.environ.pop("OPENBLAS_CORETYPE", None)
            openblas._choose_core()
            self.assertEqual(openblas.os.environ["OPENBLAS_CORETYPE"], "Haswell")


class LintelContestantTest(unittest.TestCase):
    def test_layers_made_before_a_failure_are_closed(self):
        linears = [mock.Mock(), mock.Mock()]
        engine = mock.Mock()
        engine.compile.side_effect = [*linears, lintel_abi.LintelError("out of memory")]
        torch = {name: mock.MagicMock() for name in ("torch", "torch.nn", "torch.nn.functional")}
        with mock.patch.dict(sys.modules, torch):  # imported, but not used
            from comparison.contestants.lintel import Lintel
            with self.assertRaises(lintel_abi.LintelError):
                Lintel(engine).enter(mock.Mock(copies=3))
        for linear in linears:
            linear.close.assert_called_once_with()


if __name__ == "__main__":
    unittest.main()
