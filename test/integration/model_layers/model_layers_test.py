# The comparison of model layers finds what is wrong and lets pass what is right.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import math
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import model_layers  # noqa: E402

M, N, K = 7, 11, 64


class NormalizedErrorTest(unittest.TestCase):
    def setUp(self):
        random = np.random.default_rng(1)
        self.x, self.weight, self.bias, self.residual = (
            random.standard_normal(shape).astype(np.float32)
            for shape in ((M, K), (N, K), (N,), (M, N))
        )

    def output(self, epilogue):
        sums = self.x.astype(np.float64) @ self.weight.T.astype(np.float64)
        value, _ = model_layers.apply_epilogue(epilogue, sums, self.bias, self.residual)
        return value.astype(np.float32)

    def error(self, actual, epilogue):
        return model_layers.normalized_error(
            actual, epilogue, self.x, self.weight, self.bias, self.residual)

    def test_right_outputs_pass(self):
        for epilogue in ("bias", "bias+residual", "bias+gelu_erf"):
            self.assertLess(self.error(self.output(epilogue), epilogue), 0.1)

    def test_float32_sums_in_another_order_pass(self):
        backwards = self.x[:, ::-1] @ self.weight[:, ::-1].T + self.bias
        self.assertLessEqual(self.error(backwards, "bias"), 1)

    def test_one_lost_product_is_wrong(self):
        for epilogue in ("bias", "bias+residual"):
            actual = self.output(epilogue)
            actual[3, 5] -= self.x[3, 9] * self.weight[5, 9]
            self.assertGreater(self.error(actual, epilogue), 1)

    def test_a_stage_left_out_is_wrong(self):
        self.assertGreater(self.error(self.output("bias"), "bias+residual"), 1)
        self.assertGreater(self.error(self.output("bias"), "bias+gelu_erf"), 1)

    def test_nan_and_a_wrong_shape_are_wrong(self):
        actual = self.output("bias")
        self.assertEqual(self.error(actual[:, :-1], "bias"), math.inf)
        actual[0, 0] = math.nan
        self.assertEqual(self.error(actual, "bias"), math.inf)

    def test_unknown_stage_is_an_error(self):
        with self.assertRaises(ValueError):
            self.error(self.output("bias"), "bias+relu")


class ToolTest(unittest.TestCase):
    def test_a_tool_that_cannot_help_is_one_line(self):
        for tool, said in (("/nowhere/lintel", "No such file or directory: '/nowhere/lintel'"),
                           ("/bin/false", "/bin/false ended with code 1")):
            result = subprocess.run(
                [sys.executable, "-B", model_layers.__file__, "--rows", "2", "--lintel", tool],
                capture_output=True, text=True)
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, f"^model_layers.py: .*{said}\n$")


class ModelTest(unittest.TestCase):
    def test_tokens_prefer_the_longest_piece(self):
        vocabulary = {"un": 0, "##able": 1, "##a": 2, "##ble": 3, "unable": 4, ".": 5}
        self.assertEqual(model_layers.tokens_of("Unable.", vocabulary), [4, 5])
        del vocabulary["unable"]
        self.assertEqual(model_layers.tokens_of("unable", vocabulary), [0, 1])
        with self.assertRaises(ValueError):
            model_layers.tokens_of("xyz", vocabulary)

    def test_attention_over_equal_keys_is_the_mean(self):
        value = np.arange(12, dtype=np.float32).reshape(3, 4)
        same = np.ones((3, 4), np.float32)
        mixed = model_layers.attention(same, same, value, heads=2)
        np.testing.assert_allclose(mixed, np.tile(value.mean(axis=0), (3, 1)))

    def test_layer_norm(self):
        tensors = {"n.weight": np.full(4, 2.0, np.float32), "n.bias": np.ones(4, np.float32)}
        value = np.array([[1, 2, 3, 4]], np.float32)
        normed = model_layers.layer_norm(value, tensors, "n")
        self.assertAlmostEqual(float(normed.mean()), 1, places=5)
        self.assertAlmostEqual(float(normed.std()), 2, places=5)


if __name__ == "__main__":
    unittest.main()
