// What a machine can do at most, for people and as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PeakText.h"

#include "JsonLine.h"
#include "Table.h"

namespace lintel::tool {

namespace {

std::string bestText(const Rate &rate) {
  return rate.best > 0 ? fixed(rate.best, 1) : "?";
}

void writeRate(llvm::json::OStream &out, const llvm::Twine &name,
               const Rate &rate) {
  out.attributeObject(name.str(), [&] {
    writeNumber(out, "best", rate.best, 3);
    writeNumber(out, "median", rate.median, 3);
  });
}

} // namespace

std::vector<ProductInstruction>
instructionsBesideFma(const ThreadPeaks &peaks) {
  std::vector<ProductInstruction> measured;
  for (ProductInstruction instruction : kProductInstructions)
    if (instruction != ProductInstruction::fma &&
        peaks.gflops(instruction).best > 0)
      measured.push_back(instruction);
  return measured;
}

std::string peaksText(const ThreadPeaks &peaks) {
  std::string products =
      "FMA " + bestText(peaks.gflops(ProductInstruction::fma));
  for (ProductInstruction instruction : instructionsBesideFma(peaks))
    products += ", " + std::string(toString(instruction)) + " " +
                bestText(peaks.gflops(instruction));
  return products + " GFLOP/s; reads L1 " + bestText(peaks.l1Gbps) + ", L2 " +
         bestText(peaks.l2Gbps) + ", L3 " + bestText(peaks.l3Gbps) +
         ", memory " + bestText(peaks.memoryGbps) + " GB/s";
}

void writePeaks(llvm::json::OStream &out, llvm::StringRef name,
                const std::optional<MachinePeaks> &peaks) {
  if (!peaks)
    return out.attribute(name, nullptr);
  out.attributeObject(name, [&] {
    writeText(out, "machine", peaks->machine);
    out.attribute("measured", peaks->measuredUnixSeconds);
    out.attributeArray("rows", [&] {
      for (const ThreadPeaks &row : peaks->rows)
        out.object([&] {
          out.attribute("threads", row.threads);
          if (row.measuredUnixSeconds > 0)
            out.attribute("measured", row.measuredUnixSeconds);
          writeRate(out, "fma_gflops", row.gflops(ProductInstruction::fma));
          for (ProductInstruction instruction : instructionsBesideFma(row))
            writeRate(out, std::string(toString(instruction)) + "_gflops",
                      row.gflops(instruction));
          writeRate(out, "l1_gbps", row.l1Gbps);
          writeRate(out, "l2_gbps", row.l2Gbps);
          writeRate(out, "l3_gbps", row.l3Gbps);
          writeRate(out, "memory_gbps", row.memoryGbps);
        });
    });
  });
}

} // namespace lintel::tool
