# What bench/compare.py takes for right: needs PyTorch, that of .venv-bench if there is no other.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import unittest

import with_pytorch  # noqa: F401, the first of these
import torch  # noqa: E402
from comparison import element_types, problems  # noqa: E402
from comparison.layer import Layer  # noqa: E402

INFINITY, NAN = float("inf"), float("nan")


def layer_of(text, types="f32"):
    types = element_types.Types(types)
    return Layer(problems.parse_problem(text), types, 1, types.weight_bits(8))


class ErrorTest(unittest.TestCase):
    """Of a layer the results of which are -inf, 0 or inf, whichever clamp says."""

    def error(self, epilogue, value):
        layer = layer_of(f"2x8:8x3 {epilogue}")
        result = layer._reference.float()
        result[1, 2] = value
        return layer.error(result)

    def test_the_same_infinity_is_no_difference(self):
        self.assertEqual(self.error("clamp(inf,inf)", INFINITY), 0)
        self.assertEqual(self.error("clamp(-inf,-inf)", -INFINITY), 0)

    def test_another_value_than_infinity_is_wrong(self):
        for value in (-INFINITY, NAN, 0, 3e38):
            self.assertFalse(self.error("clamp(inf,inf)", value) <= 1e9, value)

    def test_infinity_is_no_number(self):
        for value in (INFINITY, -INFINITY, NAN):
            self.assertFalse(self.error("clamp(0,0)", value) <= 1e9, value)

    def test_a_number_beside_infinities_counts(self):
        """A difference of 5, though the largest value of all has no end."""
        layer = layer_of("4x64:64x64 clamp(inf,inf)+mul+relu")
        infinite = layer._reference.isinf()
        self.assertTrue(infinite.any() and not infinite.all())
        result = layer._reference.float()
        self.assertEqual(layer.error(result), 0)
        result[~infinite] = 5
        self.assertEqual(layer.error(result), 5)

    def test_another_shape_is_wrong(self):
        layer = layer_of("2x8:8x3")
        self.assertEqual(layer.error(torch.zeros(3, 2)), INFINITY)


class ToleranceTest(unittest.TestCase):
    EPILOGUES = ("none", "bias+relu", "bias+gelu_erf+residual", "silu+mul", "sigmoid")
    SHAPES = ("1x4096:4096x256", "64x4096:4096x64", "16x512:512x64", "3x1:1x40")
    TYPES = [types for types in element_types.CHOICES if "," not in types]

    def test_a_right_result_is_rounded_once(self):
        for types in self.TYPES:
            for shape in self.SHAPES:
                for epilogue in self.EPILOGUES:
                    layer = layer_of(f"{shape} {epilogue}", types)
                    error = layer.error(layer._reference.to(layer.result_dtype))
                    self.assertLessEqual(error, layer.tolerance(), (types, shape, epilogue))

    def test_two_terms_of_4096_are_missed(self):
        """A pair of vdpbf16ps, or half a group of vpdpbusd."""
        for types in self.TYPES:
            for shape in self.SHAPES[:2]:
                layer = layer_of(f"{shape} bias+relu", types)
                layer.x[:, -2:] = layer.quantization.x_zero if layer.quantization else 0
                error = layer.error(layer._evaluate().to(layer.result_dtype))
                self.assertGreater(error, 1.5 * layer.tolerance(), (types, shape))

    def test_operations_that_round_each_are_given_more(self):
        layer = layer_of("64x512:512x64 bias+silu+mul", "bf16")
        bias, factor = layer.operands
        product = torch.nn.functional.linear(layer.x, layer.weight, bias)
        result = torch.nn.functional.silu(product).mul_(factor)
        self.assertLessEqual(layer.error(result), layer.tolerance(torch.bfloat16))


class ReferenceTest(unittest.TestCase):
    def test_it_is_the_same_by_blocks(self):
        """Two of the weight in double precision: 32 columns of K = 262144, and one."""
        layer = layer_of("2x262144:262144x33", "u8s8")
        quantization = layer.quantization
        x = (layer.x.double() - quantization.x_zero) * quantization.x_scale
        product = x @ (layer.weight.double() * quantization.w_scale.double()[:, None]).T
        self.assertLess(layer.error(product), 1e-12)


if __name__ == "__main__":
    unittest.main()
