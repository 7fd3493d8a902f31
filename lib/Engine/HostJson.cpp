// The machine in JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/HostJson.h"

#include "Engine/JsonAttributes.h"

#include "llvm/Support/raw_ostream.h"

namespace lintel {

void writeHost(llvm::json::OStream &out, const HostReport &host) {
  writeText(out, "cpu", host.cpu);
  writeText(out, "isa", host.isa);
  writeText(out, "target", host.target);
  out.attributeObject("features", [&] {
    for (const auto &[name, usable] : host.features)
      out.attribute(name, usable);
  });
  out.attributeObject("amx", [&] {
    for (const HostCheck &check : host.amx)
      out.attribute(check.name, check.holds);
  });
  out.attribute("threads", host.threads);
  writeText(out, "openmp", host.openmp);
}

std::string HostReport::json() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream out(stream);
  out.object([&] {
    writeHost(out, *this);
    out.attributeObject("kernel_cache", [&] {
      writeText(out, "directory", cacheDirectory);
      writeText(out, "problem", cacheProblem);
    });
  });
  return text;
}

} // namespace lintel
