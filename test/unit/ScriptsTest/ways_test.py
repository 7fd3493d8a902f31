# Which of the ways that a peer has to compute a layer takes part in the race.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import contextlib
import sys
import unittest
from pathlib import Path
from unittest import mock

BENCH = Path(__file__).resolve().parents[3] / "bench"
sys.path.insert(0, str(BENCH))
from comparison import contestants, problems, race  # noqa: E402
from fake_layer import FakeLayer, entry_of  # noqa: E402

TORCH = {name: mock.MagicMock() for name in ("torch", "torch.nn", "torch.nn.functional")}
with mock.patch.dict(sys.modules, TORCH):  # imported, but not used
    from comparison.contestants import onednn  # noqa: E402


class WaysTest(unittest.TestCase):
    """Of a layer whose first row is that layer; calls take as long as a test says."""

    def setUp(self):
        self.closed, self.seconds, self.checked, self.bound = [], [], [], []
        layer = FakeLayer()
        layer.first_row = lambda: layer
        self.layer = layer

        @contextlib.contextmanager
        def on_first_cpu():
            self.bound.append(True)
            yield
            self.bound.pop()

        for target, name, value in (
                (contestants, "quick_seconds", self.seconds_of),
                (contestants, "seconds_of_a_call", lambda entry, _: self.seconds_of(entry)),
                (contestants.process, "on_first_cpu", on_first_cpu)):
            patch = mock.patch.object(target, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def seconds_of(self, entry):
        self.assertTrue(self.bound)
        return next(seconds for known, seconds in self.seconds if known is entry)

    def way(self, name, seconds, *values):
        """Of calls that write these values, or of one that is right."""
        entry = entry_of(*values or (1,), close=lambda: self.closed.append(name))
        first = entry.calls[0]
        entry.calls[0] = lambda: (self.checked.append(name), first())
        self.seconds.append((entry, seconds))
        return mock.Mock(return_value=entry)

    def fastest(self, *ways):
        return contestants.fastest_entry(self.layer, ways)


class FastestEntryTest(WaysTest):
    def test_the_fastest_takes_part_and_the_others_are_closed(self):
        ways = [self.way(name, seconds) for name, seconds in (("a", 2), ("b", 1), ("c", 3))]
        self.assertIs(self.fastest(*ways), ways[1]())
        self.assertEqual(self.closed, ["a", "c"])

    def test_one_that_is_wrong_does_not_take_part(self):
        wrong, right = self.way("wrong", 1, 1, None), self.way("right", 2)
        self.assertIs(self.fastest(wrong, right), right())
        self.assertEqual(self.closed, ["wrong"])

    def test_one_that_fails_leaves_the_others(self):
        right = self.way("right", 1)
        fails = mock.Mock(side_effect=RuntimeError("no kernel"))
        self.assertIs(self.fastest(fails, right), right())
        with self.assertRaisesRegex(RuntimeError, "no kernel"):
            self.fastest(fails)
        with self.assertRaisesRegex(RuntimeError, "no way"):
            self.fastest()

    def test_one_whose_timing_fails_leaves_the_others_too(self):
        fails, right = self.way("fails", 1), self.way("right", 1)
        self.seconds[0] = (None, 1)  # StopIteration
        self.assertIs(self.fastest(right, fails), right())
        self.assertEqual(self.closed, ["fails"])

    def test_one_that_is_hopeless_is_not_checked(self):
        """On each copy of the weight a call of it may take seconds."""
        ways = [self.way("good", 1), self.way("slow", 99), self.way("hopeless", 101)]
        self.assertIs(self.fastest(*ways), ways[0]())
        self.assertEqual(self.checked, ["good", "slow"])
        self.assertEqual(self.closed, ["slow", "hopeless"])

    def test_one_that_is_wrong_makes_no_other_hopeless(self):
        right = self.way("right", 1000)
        self.assertIs(self.fastest(self.way("wrong", 1, 1, None), right), right())


class WithoutHopelessTest(WaysTest):
    def kept(self, *ways):
        return contestants.without_hopeless(self.layer, ways)

    def test_whoever_is_not_is_kept_in_their_order(self):
        hopeless, good, slow = (self.way("h", 21), self.way("g", 1), self.way("s", 19))
        self.assertEqual(self.kept(hopeless, good, slow), [good, slow])
        self.assertEqual(self.closed, ["h", "g", "s"])

    def test_one_that_fails_or_is_wrong_is_no_measure_and_stays(self):
        fails = mock.Mock(side_effect=RuntimeError("no kernel"))
        wrong, slow = self.way("wrong", 1, 1, None), self.way("slow", 1000)
        self.assertEqual(self.kept(fails, wrong, slow), [fails, wrong, slow])
        self.assertEqual(self.kept(fails), [fails])


class SecondsOfACallTest(unittest.TestCase):
    def test_only_a_short_one_is_repeated(self):
        for seconds, calls, least in (((9e-3, 1e-3), 2, 1e-3), ((9e-3, 8e-3, 7e-3), 3, 7e-3),
                                      ((4e-3,), 1, 4e-3), ((0.2,), 1, 0.2),
                                      ((9e-3, 0.2, 8e-3), 3, 8e-3)):
            with mock.patch.object(race, "_seconds", side_effect=seconds) as timed:
                self.assertEqual(race.seconds_of_a_call(entry_of(1), enough=5e-3), least)
                self.assertEqual(timed.call_count, calls)


class OneDnnTest(unittest.TestCase):
    def ways(self, result):
        """What is multiplied and fused, and what follows, in the order in which it is tried."""
        layer = mock.Mock(problem=problems.parse_problem("2x8:8x4 bias+relu+residual"),
                          operands=[mock.Mock(), mock.Mock()], result_dtype=result)
        with (mock.patch.object(onednn, "readings", return_value=["as u8", "as it is"]),
              mock.patch.object(onednn, "_planned", side_effect=lambda *way: way),
              mock.patch.object(onednn, "without_hopeless", side_effect=lambda _, ways: ways),
              mock.patch.object(onednn, "fastest_entry") as fastest):
            onednn.OneDnn.enter(mock.Mock(), layer)
        ways = [way(layer)[:2] for way in fastest.call_args.args[1]]
        return [(reading, plan.product, plan.function and plan.function.name,
                 [stage.name for stage in plan.rest]) for reading, plan in ways]

    def test_each_reading_fused_and_not(self):
        f32 = onednn.torch.float32
        self.assertEqual(self.ways(f32), [
            (reading, f32, function, rest) for reading in ("as u8", "as it is")
            for function, rest in (("relu", ["residual"]), (None, ["relu", "residual"]))])

    def test_a_narrow_result_is_also_made_of_f32(self):
        """Which comes first: on AVX2 the other way runs reference kernels."""
        f32 = onednn.torch.float32
        self.assertEqual([way[1:3] for way in self.ways("f16")[:4]],
                         [(f32, "relu"), (f32, None), ("f16", "relu"), ("f16", None)])

    def test_what_is_not_of_the_results_type_is_converted_before_the_rest(self):
        for product, steps in (("f16", ["rest"]), ("f32", [mock.ANY, "rest"])):
            layer, plan = mock.Mock(result_dtype="f16"), mock.Mock(product=product)
            with mock.patch.object(onednn.epilogue, "inplace_steps", return_value=["rest"]):
                self.assertEqual(onednn._steps(layer, plan), steps)


if __name__ == "__main__":
    unittest.main()
