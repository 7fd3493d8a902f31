// An analytic estimate of a kernel's time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "Schedule/AmxSchedules.h"
#include "Schedule/CoreModel.h"
#include "Schedule/Partition.h"
#include "Schedule/ProductForm.h"
#include "lintel/Problem.h"

namespace lintel {

/// Predicts microseconds from issue slots, the bytes that each level of the
/// memory hierarchy delivers, and the largest share of one thread. Good for
/// ranking.
///
/// The figures behind it were measured on Zen 3, 4, 5 and Emerald Rapids; they
/// need not fit another machine, since the best few dozen are raced.
class CostModel {
public:
  CostModel(const Problem &problem, const Target &target, int threads);
  /// Of a part of a problem that is as cold when a call begins as `whole` is.
  CostModel(const Problem &part, const Target &target, int threads,
            const CostModel &whole);
  /// The same while other hyperthreads work, where that is known to matter.
  static CostModel besideHyperthreads(const Problem &problem,
                                      const Target &target, int threads);
  double microseconds(const Schedule &schedule) const;
  /// What a parallel region takes that does no work.
  double regionMicroseconds() const;
  /// Of that, the products and what memory delivers for them. Neither this nor
  /// packing x counts how far apart threads end that take chunks as they get
  /// free: of the few chunks of a part that would be a fifth, and it comes or
  /// does not.
  double productMicroseconds(const Schedule &schedule) const;
  /// Of that, packing x.
  double packingMicroseconds(const Schedule &schedule) const;

private:
  /// Call, loop entry and the drain of the pipeline, for one micro-kernel call.
  static constexpr double kCallCycles = 40;
  enum Level { l1Level, l2Level, l3Level, memoryLevel };
  /// One operand's reads by one chunk: how often, and how far away.
  struct Stream {
    double cold = 0;          ///< bytes drawn for the first time in a call
    double shared = 0;        ///< bytes that other chunks read as well
    double packed = 0;        ///< bytes of rows that stay packed
    double again = 0;         ///< bytes read again in a later block
    double againDistance = 0; ///< bytes touched between two such reads
    double inner = 0;         ///< bytes read again inside a block
    double innerDistance = 0;
  };
  /// Rows of x, or columns of w, as the loops of a chunk pass them.
  struct Factor {
    double bytes; ///< of the chunk
    double block; ///< bytes of a block, one K block deep
    double blocks;
    double innerDistance; ///< bytes touched between two reads inside a block
    double otherBlock, otherTiles, otherBlocks; ///< of the other factor
    LoopOrder outer; ///< with which its blocks change in the outer loop
  };
  /// Bytes touched between two tiles that read the same strip, or panel.
  struct ReuseDistances {
    double strip, panel;
  };
  /// Cycles that memory takes, by what can be computed meanwhile.
  struct MemoryCycles {
    double firstPass;     ///< of w, which the first strip of a block draws
    double drawingBlocks; ///< blocks of rows that draw w from beyond L2
    double others;        ///< of x, and of w once it is nearby
    double all;           ///< of what all of these draw from the busiest level
    /// Of rows that are read again from memory, and in place, or on tiles
    /// packed from beyond L2: nothing asks for them ahead, and all wait.
    /// 4096x4096:4096x4096 in bf16 took 14 to 26 % longer on Zen 5 where x came
    /// again and again and not w.
    double lateRows;
  };
  /// The largest chunk, the one the others wait for.
  struct Chunk {
    double strips, panels, stripBlocks, panelBlocks, depthBlocks;
    double blockStrips, blockPanels;
    double stripBytes, panelBytes; ///< of one strip or panel, one K block deep
    double rows;    ///< that micro-kernels compute of a strip, in the mean
    double vectors; ///< of a panel
    double threads; ///< at work at the same time
    double rounds;  ///< chunks that a thread takes in turn, on average
    double apart;   ///< chunks by which they end apart, if dealt
    double slowest; ///< times that the slowest thread takes for its share
    bool dealt;     ///< as threads get free
    double gridRows, gridColumns; ///< chunks along M and N
    double depth;                 ///< all of K, or of one slice
    double allTiles;              ///< of the output

    /// Of x, as products find it, and of w that the chunk reads, each once.
    double bytesOfRows() const { return strips * stripBytes * depthBlocks; }
    double bytesOfColumns() const { return panels * panelBytes * depthBlocks; }
  };

  /// Rows that micro-kernels compute of a strip: those of the tallest, whose
  /// micro-kernel serves the shorter ones too, unless they have their own; then
  /// the mean over the chunk that has most, or over all that are dealt out.
  double rowsOfStrip(const Schedule &schedule, const Partition &parts,
                     const Chunk &chunk) const;
  Chunk largestChunk(const Schedule &schedule, const Partition &parts) const;
  ReuseDistances reuseDistances(const Schedule &schedule,
                                const Chunk &chunk) const;
  SharesInL1 sharesInL1(const Schedule &schedule, const Chunk &chunk) const;
  bool widensRows(const Schedule &schedule) const {
    return schedule.typeOfRows(activation, target) != activation;
  }
  /// Of an element of x as products find it.
  double rowBytes(const Schedule &schedule) const {
    return static_cast<double>(schedule.bytesOfRows(activation, target));
  }
  const ProductForm &formOf(const Schedule &schedule) const;
  bool flipsSigns(const Schedule &schedule) const;
  /// Bytes in which strips find a panel, for each of w.
  double growthOfPanels(const Schedule &schedule) const {
    return static_cast<double>(schedule.bytesOfPanels(weight)) / weightBytes;
  }
  double cyclesPerK(const Schedule &schedule, const Chunk &chunk) const;
  double dotCyclesPerK(const Schedule &schedule, const Chunk &chunk) const;
  double reductionCycles(const Schedule &schedule, const Chunk &chunk) const;
  double readInPlaceFactor(const Schedule &schedule, const Chunk &chunk) const;
  double tileRowsInPlaceFactor(const Schedule &schedule,
                               const Chunk &chunk) const;
  double wideningCycles(const Schedule &schedule, const Chunk &chunk) const;
  double computeCycles(const Schedule &schedule, const Chunk &chunk) const;
  static Stream repeatsOf(const Factor &factor, const Schedule &schedule,
                          const Chunk &chunk);
  Stream streamOfRows(const Schedule &schedule, const Chunk &chunk) const;
  static bool passesPanelByPanel(const Schedule &schedule, const Chunk &chunk);
  static double gainOfStreams(const Schedule &schedule, const Chunk &chunk);
  double slowdownOfPlaces(const Schedule &schedule, const Chunk &chunk) const;
  static double drawnPerByte(const Schedule &schedule, const Chunk &chunk);
  Stream streamOfColumns(const Schedule &schedule, const Chunk &chunk) const;
  MemoryCycles memoryCycles(const Schedule &schedule, const Chunk &chunk) const;
  double firstPassCycles(const Schedule &schedule, const Chunk &chunk,
                         const MemoryCycles &memory, double compute) const;
  double overlappedCycles(const Schedule &schedule, const Chunk &chunk) const;
  double packingCycles(const Schedule &schedule, const Chunk &chunk) const;
  double packings(const Schedule &schedule, const Chunk &chunk) const;
  double sumsCycles(const Schedule &schedule, const Chunk &chunk) const;
  double finishingCycles(const Schedule &schedule, const Chunk &chunk,
                         double tiles) const;
  double hiddenCycles(const Schedule &schedule, const Chunk &chunk,
                      double ofVector) const;
  double partialStoreCycles(const Schedule &schedule, const Chunk &chunk) const;
  double secondPhaseCycles(const Schedule &schedule, const Chunk &chunk) const;
  double outputCycles(const Schedule &schedule, double elements,
                      double active) const;
  double finishedBytes() const;
  double forkJoinCycles(double active) const;
  Level levelOf(double distance) const;
  Level levelOfColdWeight() const;
  Level levelOfShared(const Chunk &chunk, Level cold) const;
  double bandwidth(Level level, double active) const;
  double partialBandwidth(const Schedule &schedule, const Chunk &chunk,
                          double active) const;

  /// Splitting a vector of f16 in L2 into two of bf16, of rows and of panels:
  /// 1.7 ns on Emerald Rapids at 3.1 GHz.
  static constexpr double kSplitCycles = 5.3;

  RowRange rowRange;
  int64_t rows;
  int64_t columns, depth;
  double lanes;
  CoreModel core;
  bool fusedMultiplyAdd;
  Target target;
  DType activation, weight;
  ProductForm product;
  ProductForm halfProduct;                          ///< of runs of f16
  ProductForm wordProduct;                          ///< of pairs in s16
  ProductForm wideProduct;                          ///< of widened panels
  double activationBytes, weightBytes, resultBytes; ///< of one element
  double l1, l2, l3;
  double threads;
  double busyCores;    ///< share of them whose other hyperthread works, 0 to 1
  double betweenCalls; ///< bytes that a call touches
  bool streamsWeight;  ///< from beyond L2, whatever a call touches
  double epilogueCycles;   ///< of one vector
  double outputs;          ///< how many
  double fullOperandBytes; ///< of one element of each
};

} // namespace lintel
