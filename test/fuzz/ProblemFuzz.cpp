// The text of problems, of their epilogues, and of lists of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/Harness.h"
#include "fuzz/Properties.h"
#include "lintel/Problem.h"

#include <array>

namespace lintel::fuzz {
namespace {

/// All that a layer may have.
const std::vector<DataTypes> &allTypes() {
  static const std::vector<DataTypes> types = [] {
    std::vector<DataTypes> list;
    for (std::string_view name :
         {"f32", "bf16", "bf16:f32", "f16", "f16:f32", "f16,accumulate=f16",
          "f16:f32,accumulate=f16", "u8s8", "u8s8:bf16", "u8s8:f16", "u8s8:u8",
          "u8s8:s8", "s8s8", "s8s8:u8", "s8s8:s8,accumulate=s16"})
      list.push_back(DataTypes::parse(name).value());
    return list;
  }();
  return types;
}

void checkEpilogue(std::string_view text, const DataTypes &types) {
  const Expected<Epilogue> read = Epilogue::parse(text, types);
  const Epilogue *epilogue = valueOf(read);
  if (!epilogue)
    return;
  const Expected<Epilogue> again = Epilogue::parse(epilogue->text(), types);
  check(bool(again), "the text of an epilogue parses", epilogue->text());
  check(*again == *epilogue, "the text of an epilogue reads back equal",
        epilogue->text());
  checkSame("the text of an epilogue is canonical", again->text(),
            epilogue->text());
}

void checkRows(const Problem &problem) {
  for (int64_t rows : {int64_t(0), int64_t(1), Problem::kMaxDim}) {
    const Expected<Problem> other = problem.withRows(rows);
    if (!other)
      checkMessage(other.error());
    else
      check(other->m() == rows && other->epilogue() == problem.epilogue(),
            "other rows change the rows alone", other->text());
  }
}

void checkProblem(std::string_view text, const DataTypes &types) {
  const Expected<Problem> read = Problem::parse(text, types);
  const Problem *problem = valueOf(read);
  if (!problem)
    return;
  const Expected<Problem> again = Problem::parse(problem->text(), types);
  check(bool(again), "the text of a problem parses", problem->text());
  check(*again == *problem, "the text of a problem reads back equal",
        problem->text());
  checkSame("the text of a problem is canonical", again->text(),
            problem->text());
  checkRows(*problem);
}

void checkList(std::string_view contents, const DataTypes &types) {
  const Expected<std::vector<Problem>> read =
      parseProblemList(contents, "list", types);
  const std::vector<Problem> *problems = valueOf(read);
  if (!problems)
    return;
  std::string written;
  for (const Problem &problem : *problems)
    written += problem.text() + "\n";
  const Expected<std::vector<Problem>> again =
      parseProblemList(written, "list", types);
  check(again && *again == *problems, "a list of problems reads back equal",
        written);
}

void fuzzProblem(Input input) {
  const std::string_view text = textOf(input);
  for (const DataTypes &types : allTypes()) {
    checkProblem(text, types);
    checkEpilogue(text, types);
  }
  // Empty lines are no problems, but a list; of those the next test knows.
  if (text.find('x') == std::string_view::npos)
    return;
  checkList(text, allTypes().front());
  checkList(text, allTypes().back());
}

std::vector<Bytes> taken() {
  constexpr std::string_view kTexts[] = {
      "128x768:768x3072 bias+gelu_erf",
      "?x768:768x3072 bias+gelu_tanh+residual+mul",
      "5..16@8x64:64x32 clamp(-1.5e-3,inf)+silu+sigmoid+tanh",
      "1..?x0:0x2147483648 none",
      "\t 8x8:8x8 \r",
      "dequant(x=row,xzero=tensor,w=tensor,wzero=column)+bias+quant",
      "3x4:4x5 dequant(x=row)+relu+quant(zero=none)",
      "# layers\n1x2:2x3 relu # one\n\n?x2:2x3\n",
  };
  return bytesOf(kTexts);
}

std::vector<Bytes> refused() {
  using namespace std::string_view_literals;
  constexpr std::string_view kTexts[] = {
      ""sv,
      "1x2"sv,
      "1x2:3x4"sv,
      "-1x2:2x3"sv,
      "99999999999999999999x2:2x3"sv,
      "2147483648x2147483648:2147483648x2147483648"sv,
      "9..5x2:2x3"sv,
      "1..9@0x2:2x3"sv,
      "1x2:2x3 clamp(1e999,0)"sv,
      "1x2:2x3 clamp(nan,nan)"sv,
      "1x2:2x3 bias+"sv,
      "1x2:2x3\0relu"sv,
      "\x1b[2Jx\x7f"sv,
  };
  return bytesOf(kTexts);
}

} // namespace

const Harness &problemHarness() {
  static const Harness harness = {
      "problem",
      fuzzProblem,
      taken,
      refused,
      {"x",       ":",          "?",
       "..",      "@",          "+",
       "(",       ")",          ",",
       "=",       " ",          "#",
       "\n",      "none",       "bias",
       "relu",    "gelu_erf",   "gelu_tanh",
       "silu",    "sigmoid",    "tanh",
       "clamp",   "residual",   "mul",
       "dequant", "quant",      "zero",
       "xzero",   "wzero",      "tensor",
       "row",     "column",     "-0",
       "1e-46",   "1e38",       "-inf",
       "nan",     "2147483648", "9223372036854775808"},
      6000};
  return harness;
}

} // namespace lintel::fuzz
