// One JSON object on one line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "JsonLine.h"

#include "Table.h"

#include "llvm/Support/raw_ostream.h"

namespace lintel::tool {

std::string jsonLine(llvm::function_ref<void(llvm::json::OStream &)> write) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream out(stream);
  out.object([&] { write(out); });
  stream << '\n';
  return text;
}

void writeNumber(llvm::json::OStream &out, llvm::StringRef name, double value,
                 int decimals) {
  writeDigits(out, name, value, fixed(value, decimals));
}

void writeTexts(llvm::json::OStream &out, llvm::StringRef name,
                const std::vector<std::string> &values) {
  out.attributeArray(name, [&] {
    for (const std::string &value : values)
      out.value(llvm::json::fixUTF8(value));
  });
}

void writeSubject(llvm::json::OStream &out, const TuningReport &report) {
  writeText(out, "problem", report.problem);
  writeText(out, "dtype", report.types.text());
  out.attribute("threads", report.threads);
  writeText(out, "isa", report.isa);
  writeText(out, "cpu", report.cpu);
}

} // namespace lintel::tool
