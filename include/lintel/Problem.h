// What to compute: shape, element types, epilogue. Says nothing of how.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text form, also used by lists, logs, cache keys and bug reports:
//
//   problem  ::= M "x" K ":" K "x" N [ " " epilogue ]
//   M        ::= integer | rows [ "@" integer ]
//   rows     ::= "?" | integer ".." ( integer | "?" )
//                                  known only when called: any, or in a range;
//                                  "@": the M to tune for
//   epilogue ::= stage { "+" stage }
//   stage    ::= "none" | "bias" | "relu" | "gelu_erf" | "gelu_tanh" | "silu"
//              | "sigmoid" | "tanh" | "clamp" [ "(" lo "," hi ")" ]
//              | "residual" | "mul"
//              | dequant | quant        of int8, first and last: Quantization.h
//
//   128x768:768x3072 bias+gelu_erf
//
// out[m, n] = epilogue(sum_k x[m, k] * w[n, k]); stages apply left to right.
// The element types stand beside the text (DType.h); whatever they are, the
// epilogue computes in f32 and its result is rounded once.
#pragma once

#include "lintel/AddressSpace.h"
#include "lintel/Broadcast.h"
#include "lintel/DType.h"
#include "lintel/Error.h"
#include "lintel/Quantization.h"
#include "lintel/RowRange.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lintel {

/// One tensor that the epilogue reads.
struct EpilogueOperand {
  /// The stage that reads it, "bias", and "bias2" where it is the second of
  /// its name; "x_scale" and the like; of a region "operand0", ...
  std::string name;
  Broadcast broadcast = Broadcast::full;
  DType dtype = DType::f32;
  OperandRole role = OperandRole::ofStage;
  friend bool operator==(const EpilogueOperand &,
                         const EpilogueOperand &) = default;
};

enum class EpilogueOp : uint8_t {
  bias,     ///< + column operand
  relu,     ///< max(v, 0); NaN stays NaN
  geluErf,  ///< v/2 * (1 + erf(v / sqrt 2))
  geluTanh, ///< v/2 * (1 + tanh(sqrt(2/pi) * (v + 0.044715 v^3)))
  silu,     ///< v / (1 + exp(-v))
  sigmoid,  ///< 1 / (1 + exp(-v))
  tanh,
  clamp,    ///< min(max(v, lo), hi); NaN stays NaN
  residual, ///< + full operand
  mul,      ///< * full operand
};

/// One named step of an epilogue. lo and hi are meant for clamp alone.
struct EpilogueStage {
  EpilogueOp op;
  float lo = 0;
  float hi = 6;
  friend bool operator==(const EpilogueStage &,
                         const EpilogueStage &) = default;
};

/// The elementwise function applied to each accumulator: either a chain of
/// named stages, or a region of scalar `arith`/`math` operations given as MLIR
/// text.
class Epilogue {
public:
  /// The identity.
  Epilogue() = default;
  /// "bias+gelu_erf", "none", "clamp(-1,1)", for a layer of these types. Names
  /// the offending stage and lists the known ones when it fails.
  static Expected<Epilogue> parse(std::string_view text,
                                  const DataTypes &types = {});
  /// A region in generic MLIR form, as taken from a lintel.linear op. The text
  /// is the identity of the epilogue in cache keys. `sums`: what the region
  /// takes between the accumulator and the operands.
  static Epilogue fromRegion(std::string regionText,
                             std::vector<EpilogueOperand> operands,
                             int numResults, InputSums sums = {});

  /// The same stages in a layer of other types: its operands, and the default
  /// scales and zero points but for those of which the stages name others.
  /// Refuses scales in a layer of floats. A region stays as it is.
  Expected<Epilogue> forTypes(const DataTypes &types) const;

  /// Canonical text: parses back to an equal epilogue unless isRegion().
  const std::string &text() const { return canonical; }
  bool isRegion() const { return region; }
  /// The named stages, in order; empty for the identity and for a region.
  const std::vector<EpilogueStage> &stages() const { return stageList; }
  /// Operands in the order in which they are passed to a kernel: the scale and
  /// zero point of x, then of w, those there are; those of the stages; the
  /// scale and zero point of the result. Scales are f32, zero points s32.
  const std::vector<EpilogueOperand> &operands() const { return operandList; }
  /// Of named stages in a layer of int8.
  const std::optional<Quantization> &quantization() const { return scales; }
  /// What the function takes beside the sum of products and the operands.
  const InputSums &inputSums() const { return sums; }
  /// Outputs of type [M, N]; at least 1.
  int numResults() const { return results; }
  friend bool operator==(const Epilogue &, const Epilogue &) = default;

private:
  void describe(const DataTypes &types);

  std::string canonical = "none";
  std::vector<EpilogueStage> stageList;
  std::vector<EpilogueOperand> operandList;
  std::optional<Quantization> scales;
  Quantization usual; ///< the default of the types that `scales` is for
  InputSums sums;
  int results = 1;
  bool region = false;
};

/// A linear layer: x [M, K] times the transpose of w [N, K], then the epilogue.
class Problem {
public:
  /// The largest M, N or K accepted (RowRange.h says why).
  static constexpr int64_t kMaxDim = RowRange::kLargest;

  /// Parses the text form above. The message gives the column of the first
  /// character that cannot be right.
  static Expected<Problem> parse(std::string_view text,
                                 const DataTypes &types = {});
  /// m empty: dynamic, any M. Refuses sizes below 0 or above kMaxDim, tensors
  /// that, with the rows to tune for, would not fit in the address space, types
  /// that no layer has, sums of integers that 32 bits do not hold, and
  /// epilogues of more stages, operands, outputs or text than any layer has.
  /// Operands of named stages get the type that `types` gives them.
  static Expected<Problem> create(std::optional<int64_t> m, int64_t n,
                                  int64_t k, const DataTypes &types,
                                  Epilogue epilogue);
  /// Refuses ranges that end before they begin, too.
  static Expected<Problem> create(const RowRange &rows, int64_t n, int64_t k,
                                  const DataTypes &types, Epilogue epilogue);

  /// The same problem for the rows of a range.
  Expected<Problem> withRowRange(const RowRange &range) const;

  /// Whether it has no output element: there is no kernel then.
  bool isEmpty() const { return range.most == 0 || columns == 0; }
  /// M, or empty if it is known only when called.
  std::optional<int64_t> m() const {
    return range.isKnown() ? std::optional(range.least) : std::nullopt;
  }
  const RowRange &rows() const { return range; }
  int64_t n() const { return columns; }
  int64_t k() const { return depth; }
  const DataTypes &types() const { return elements; }
  const Epilogue &epilogue() const { return function; }

  /// Canonical text: "128x768:768x3072 bias+gelu_erf".
  std::string text() const;
  /// The rows as they stand in text(): "128", "?" or "5..16".
  std::string rowsText() const;
  /// The same problem with m rows. Refuses what create() does.
  Expected<Problem> withRows(int64_t m) const;
  friend bool operator==(const Problem &, const Problem &) = default;

private:
  RowRange range;
  int64_t columns = 0;
  int64_t depth = 0;
  DataTypes elements;
  Epilogue function;
};

/// One problem a line; '#' starts a comment; blank lines are skipped. Errors
/// begin with "<sourceName>:<line>: ".
Expected<std::vector<Problem>> parseProblemList(std::string_view contents,
                                                std::string_view sourceName,
                                                const DataTypes &types = {});

} // namespace lintel
