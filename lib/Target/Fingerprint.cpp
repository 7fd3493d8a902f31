// What makes measured peaks those of one machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/Fingerprint.h"

namespace lintel {
namespace {

/// Hypervisors put what they like into the brand string.
std::string printable(std::string text) {
  for (char &c : text)
    if (c < ' ' || c > '~')
      c = '?';
  return text;
}

} // namespace

std::string machineFingerprint(const HostFacts &facts, const Target &target) {
  const auto field = [](const char *name, int64_t value) {
    return std::string(name) + "=" + std::to_string(value) + ",";
  };
  // The brand comes last: it may hold commas.
  return "isa=" + std::string(toString(target.levelOfCode())) + "," +
         field("cores", target.cores) + field("l1", target.l1) +
         field("l2", target.l2) + field("l3", target.l3) +
         field("family", facts.family) + field("model", facts.familyModel) +
         "cpu=" + printable(facts.model.empty() ? facts.cpu : facts.model);
}

} // namespace lintel
