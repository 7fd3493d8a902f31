// Short texts that users give: types, variables of the environment, words of a
// command line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ByteSize.h"
#include "ModelLayers.h"
#include "PosixExpression.h"
#include "ProblemArguments.h"
#include "Runtime/Environment.h"
#include "fuzz/Harness.h"
#include "fuzz/Properties.h"

#include <climits>
#include <cstdlib>

namespace lintel::fuzz {
namespace {

using namespace lintel::tool;

void checkTypes(std::string_view text) {
  const Expected<DataTypes> read = DataTypes::parse(text);
  if (const DataTypes *types = valueOf(read, checkShownMessage)) {
    check(bool(types->check()), "types that were parsed are a layer's", text);
    const Expected<DataTypes> again = DataTypes::parse(types->text());
    check(again && *again == *types, "types read back equal", types->text());
  }
  if (const auto sums = parseAccumulate(text); !sums)
    checkShownMessage(sums.error());
}

/// A variable that holds `value` while this lives.
class Variable {
public:
  Variable(std::string variable, const std::string &value)
      : name(std::move(variable)) {
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  Variable(const Variable &) = delete;
  Variable &operator=(const Variable &) = delete;
  ~Variable() { ::unsetenv(name.c_str()); }

private:
  const std::string name;
};

void checkEnvironment(const std::string &value) {
  for (const char *name :
       {"LINTEL_CACHE_DIR", "LINTEL_LOG", "LINTEL_ISA", "LINTEL_EMULATE_AMX",
        "LINTEL_THREADS", "XDG_CACHE_HOME", "LINTEL_STRAY"}) {
    const Variable variable(name, value);
    const Expected<Environment> read = Environment::read();
    if (!read) {
      checkMessage(read.error());
      continue;
    }
    const std::string directory = cacheDirectory(*read);
    check(directory.empty() || directory.front() == '/',
          "the directory of the cache is absolute", directory);
    check(!read->threads || *read->threads > 0, "threads are some", value);
  }
}

/// A name of a variable that is not Lintel's is shown in a warning.
void checkStray(std::string name) {
  // The longer, the longer takes the search for what was meant.
  constexpr size_t kMostBytes = 200;
  name.resize(std::min(name.size(), kMostBytes));
  std::erase(name, '=');
  const Variable variable("LINTEL_" + name, "1");
  for (const std::string &sentence : strayVariables())
    checkMessage(Error(ErrorCode::invalidArgument, sentence));
}

/// Problems are other harnesses', and files none of this one.
bool namesFile(const std::string &word) {
  return word.ends_with(".safetensors") || word.ends_with(".mlir");
}

/// One word a line; the first is of --rows.
void checkProblems(std::string_view text) {
  ProblemArguments arguments;
  const size_t end = std::min(text.find('\n'), text.size());
  if (end > 0)
    arguments.rows = std::string(text.substr(0, end));
  for (std::string_view rest = text.substr(end); !rest.empty();) {
    rest.remove_prefix(1);
    const size_t size = std::min(rest.find('\n'), rest.size());
    const std::string word(rest.substr(0, size));
    if (!namesFile(word))
      arguments.positionals.push_back(word);
    rest.remove_prefix(size);
  }
  const auto requests = resolveProblems(arguments, {});
  if (!requests)
    return checkShownMessage(requests.error());
  noteTaken();
  check(!requests->empty(), "there is a problem where there is no error");
  for (const LayerRequest &request : *requests)
    check(headline(request.problem).find('\n') == std::string::npos,
          "a headline is a line", headline(request.problem));
}

void checkMatch(const std::string &text) {
  const std::vector<SafetensorsEntry> entries = {
      {"encoder.0.query.weight", "F32", {8, 8}, 0, 256},
      {"wte.weight", "F32", {100, 8}, 256, 3456}};
  const auto layers = findLayers(entries, text, DType::f32);
  if (!layers)
    checkShownMessage(layers.error());
  if (const auto expression = posixExpression(text); !expression)
    checkShownMessage(expression.error());
}

void fuzzOptions(Input input) {
  const std::string_view text = textOf(input);
  checkTypes(text);
  checkProblems(text);
  checkMatch(std::string(text));
  if (const auto size = parseByteSize(text); !size)
    checkShownMessage(size.error());
  // A C string ends at the first zero.
  const std::string value(text.substr(0, text.find('\0')));
  checkEnvironment(value);
  checkStray(value);
}

std::vector<Bytes> taken() {
  constexpr std::string_view kTexts[] = {
      "f32",
      "u8s8:u8,accumulate=s16",
      "bf16:f32",
      "f16,accumulate=f16",
      "1,16,5\n?x8:8x16\nbias+relu\n1x8:8x16 none",
      "\n128x768:768x3072\nbias",
  };
  return bytesOf(kTexts);
}

std::vector<Bytes> refused() {
  static const std::string kLong(PATH_MAX, '/');
  using namespace std::string_view_literals;
  const std::string_view texts[] = {
      ""sv,
      "f32:bf16"sv,
      "f32,accumulate=f16"sv,
      "\x1b[2J"sv,
      "trace"sv,
      "avx512"sv,
      "1024"sv,
      "18446744073709551616"sv,
      "-1"sv,
      "512K"sv,
      "16777216T"sv,
      "/tmp"sv,
      kLong,
      "(a|b)*[\\d"sv,
      "((((((((a*)*)*)*)*)*)*)*)*"sv,
      "a{1,255}"sv,
      "\\1"sv,
      "[[:alpha:"sv,
  };
  return bytesOf(texts);
}

} // namespace

const Harness &optionsHarness() {
  static const Harness harness = {"options",
                                  fuzzOptions,
                                  taken,
                                  refused,
                                  {"f32",
                                   "bf16",
                                   "f16",
                                   "u8s8",
                                   "s8s8",
                                   ":",
                                   ",accumulate=",
                                   "s16",
                                   "\n",
                                   "?",
                                   ",",
                                   "2147483648",
                                   "x8:8x16",
                                   "bias",
                                   "relu",
                                   "+",
                                   "(",
                                   ")",
                                   "[",
                                   "]",
                                   "*",
                                   "|",
                                   "\\d",
                                   "\\W",
                                   "[:alpha:]",
                                   "^",
                                   "$",
                                   "{2}",
                                   "/",
                                   "warn",
                                   "trace",
                                   "avx2",
                                   "x86_64",
                                   "1024",
                                   "16G"},
                                  4000};
  return harness;
}

} // namespace lintel::fuzz
