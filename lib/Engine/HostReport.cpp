// What the machine has and what of it is in use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/EngineImpl.h"

#include "Runtime/OpenMP.h"

namespace lintel {

static PeakReport peakReport(const ThreadPeaks &row) {
  PeakReport report;
  report.threads = row.threads;
  for (ProductInstruction instruction : kProductInstructions)
    if (const double best = row.gflops(instruction).best; best > 0)
      report.gflops.emplace_back(toString(instruction), best);
  report.l1Gbps = row.l1Gbps.best;
  report.l2Gbps = row.l2Gbps.best;
  report.l3Gbps = row.l3Gbps.best;
  report.memoryGbps = row.memoryGbps.best;
  return report;
}

HostReport Engine::host() const {
  HostReport report;
  report.cpu = impl->facts.model.empty() ? impl->target.cpu : impl->facts.model;
  report.isa = toString(impl->target.isa);
  report.target = impl->target.text();
  Target highest;
  highest.isa = IsaLevel::avx512;
  highest.extensions = {std::begin(kExtensions), std::end(kExtensions)};
  for (Extension emulation :
       {Extension::amxEmulation, Extension::avx512Emulation})
    highest.extensions.erase(emulation); // needs no features
  for (const std::string &feature : highest.features()) {
    auto position = impl->facts.features.find(feature);
    report.features.emplace_back(
        feature, position != impl->facts.features.end() && position->second);
  }
  for (const AmxCheck &check : checkAmx(impl->facts.amx))
    report.amx.push_back({std::string(check.name), check.holds, check.detail});
  report.threads = impl->threads;
  report.openmp = impl->usesOpenMP ? openMPRuntimePath() : "none";
  if (!impl->cacheWorked)
    report.cacheProblem = impl->cacheProblem;
  if (report.cacheProblem.empty())
    report.cacheDirectory = impl->cacheDirectory;
  if (impl->storedPeaks)
    for (const ThreadPeaks &row : impl->storedPeaks->rows)
      report.peaks.push_back(peakReport(row));
  return report;
}

} // namespace lintel
