# What Inductor and oneDNN are given: needs PyTorch, that of .venv-bench if there is no other.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import contextlib
import types
import unittest
from unittest import mock

import with_pytorch  # noqa: F401, the first of these
import torch  # noqa: E402
from comparison import contestants, element_types, problems  # noqa: E402
from comparison.contestants import inductor, onednn  # noqa: E402
from comparison.layer import Layer  # noqa: E402


def layer_of(text, dtype, copies=1):
    dtype = element_types.Types(dtype)
    return Layer(problems.parse_problem(text), dtype, copies, dtype.weight_bits(7))


def module_of(**constants):
    """As Inductor generates it: its function reads the constants from its globals."""
    module = types.ModuleType("generated")
    vars(module).update(constants)
    exec("class Runner:\n    def call(self, names):\n"
         "        return [globals()[name] for name in names]\n", vars(module))
    module.call = module.Runner().call
    return module


class ConstantsTest(unittest.TestCase):
    """Which of them each copy of the weight has for itself."""

    def copied(self, layer, **constants):
        first, *others = inductor._copies(module_of(**constants), layer)
        self.assertEqual(len(others), layer.copies - 1)
        names = list(constants)
        for original, value in zip(constants.values(), first(names)):
            self.assertIs(original, value)
        for other in others:
            for value, original in zip(other(names), constants.values()):
                torch.testing.assert_close(value, original, rtol=0, atol=0)
        return [name for name, original in constants.items()
                if all(value is not original for other in others for value in other([name]))]

    def test_of_floats_the_bias_is_everyones(self):
        layer = layer_of("2x8:8x16 bias+relu+bias", "bf16", copies=3)
        first, second = layer.operands
        self.assertEqual(self.copied(layer, weight=layer.weight.clone(), first=first.clone(),
                                     second=second.float().reshape(1, 16)), ["weight"])

    def test_of_integers_what_the_weight_is_and_its_sums(self):
        layer = layer_of("2x8:8x16 bias", "u8s8", copies=2)
        scale = layer.quantization.w_scale
        x_scale = torch.tensor(layer.quantization.x_scale)
        self.assertEqual(
            self.copied(layer, packed=layer.weight.reshape(1, 8, 16).clone(), scale=scale.clone(),
                        zeros=torch.zeros(16, dtype=torch.int64), both=scale * x_scale,
                        sums=layer.weight.float().sum(dim=1) * scale, x_scale=x_scale,
                        x_zero=torch.tensor(128), bias=layer.operands[0].clone()),
            ["packed", "sums"])


class FirstRowTest(unittest.TestCase):
    def test_it_is_that_of_the_layer(self):
        layer = layer_of("3x32:32x16 bias+mul", "f32", copies=2)
        row = layer.first_row()
        self.assertEqual((row.problem.rows, row.copies, len(row.weights())), (1, 1, 1))
        self.assertEqual(row.error(layer._reference[:1]), 0)
        self.assertLess(row.error(row._evaluate()), 1e-12)
        self.assertEqual((layer.problem.rows, len(layer.weights())), (3, 2))


class OneDnnTest(unittest.TestCase):
    def setUp(self):
        patch = mock.patch.object(contestants.process, "on_first_cpu", contextlib.nullcontext)
        patch.start()
        self.addCleanup(patch.stop)

    def test_a_narrow_result_may_be_made_of_f32(self):
        """With the same bits: each is rounded once."""
        for result in ("f16", "bf16"):
            layer = layer_of("4x32:32x16 bias+relu", f"u8s8:{result}")
            reading, = onednn.readings(layer)
            wide, _, narrow, _ = [onednn._planned(reading, plan, layer)
                                  for plan in onednn._plans(layer)]
            self.assertTrue(torch.equal(wide.calls[0](), narrow.calls[0]()))
            self.assertIsNone(wide.rounded_between)

    def test_it_is_right(self):
        for dtype in ("u8s8:f16", "s8s8:bf16", "u8s8"):
            layer = layer_of("3x32:32x16 bias+relu+residual", dtype, copies=2)
            entry = onednn.OneDnn().enter(layer)
            self.assertEqual(len(entry.calls), 2)
            contestants.check(layer, entry)


if __name__ == "__main__":
    unittest.main()
