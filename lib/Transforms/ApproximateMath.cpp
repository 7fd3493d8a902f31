// lintel-approximate-math: math functions become inline arithmetic.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lintel/LintelDialect.h"
#include "Transforms/ArcTangent.h"
#include "Transforms/CircularFunctions.h"
#include "Transforms/CubeRoot.h"
#include "Transforms/EpilogueFlags.h"
#include "Transforms/ErrorFunction.h"
#include "Transforms/ExponentialFunction.h"
#include "Transforms/FloatMath.h"
#include "Transforms/HalfPrecision.h"
#include "Transforms/HyperbolicFunctions.h"
#include "Transforms/InlineMath.h"
#include "Transforms/ModuleTarget.h"
#include "Transforms/Passes.h"
#include "Transforms/PowerFunction.h"
#include "Transforms/RangeFunctions.h"
#include "Transforms/RoundingFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <memory>

namespace lintel::ir {
#define GEN_PASS_DEF_LINTELAPPROXIMATEMATH
#include "Transforms/Passes.h.inc"

namespace {

using mlir::Value;
namespace arith = mlir::arith;
namespace math = mlir::math;

/// An integer becomes a 16-bit float by way of f32: of what then rounds to it,
/// every target has its form.
template <class Op> struct ConvertByF32 : mlir::OpRewritePattern<Op> {
  using mlir::OpRewritePattern<Op>::OpRewritePattern;

  mlir::LogicalResult
  matchAndRewrite(Op op, mlir::PatternRewriter &rewriter) const override {
    if (!integerToNarrowFloat(op))
      return rewriter.notifyMatchFailure(op, "makes no 16-bit float");
    mlir::Type single = rewriter.getF32Type();
    if (auto vector = llvm::dyn_cast<mlir::VectorType>(op.getType()))
      single = vector.clone(single);
    Value wide = Op::create(rewriter, op.getLoc(), single, op.getIn());
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), wide);
    return mlir::success();
  }
};

void populateBaselineExpansions(mlir::RewritePatternSet &patterns) {
  populateBaselineRoundingPatterns(patterns);
  math::populateExpansionPatterns(patterns, {"fma"});
}

/// Kernels have no tensors, but the functions beside them may.
bool isOnTensors(mlir::Operation *op) {
  const auto isTensor = [](mlir::Type type) {
    return llvm::isa<mlir::TensorType>(type);
  };
  return llvm::any_of(op->getOperandTypes(), isTensor) ||
         llvm::any_of(op->getResultTypes(), isTensor);
}

/// A pattern that leaves tensors alone: most expansions, MLIR's own as well,
/// would combine them with the constants of scalars. Each is of one operation.
class OffTensors : public mlir::RewritePattern {
public:
  explicit OffTensors(std::unique_ptr<mlir::RewritePattern> pattern)
      : RewritePattern(pattern->getRootKind()->getStringRef(),
                       pattern->getBenefit(), pattern->getContext()),
        pattern(std::move(pattern)) {}

  mlir::LogicalResult
  matchAndRewrite(mlir::Operation *op,
                  mlir::PatternRewriter &rewriter) const override {
    if (isOnTensors(op))
      return rewriter.notifyMatchFailure(op, "tensors are not expanded");
    return pattern->matchAndRewrite(op, rewriter);
  }

private:
  std::unique_ptr<mlir::RewritePattern> pattern;
};

mlir::FrozenRewritePatternSet offTensors(mlir::RewritePatternSet &&patterns) {
  mlir::RewritePatternSet wrapped(patterns.getContext());
  for (std::unique_ptr<mlir::RewritePattern> &pattern :
       patterns.getNativePatterns())
    wrapped.add<OffTensors>(std::move(pattern));
  return mlir::FrozenRewritePatternSet(std::move(wrapped));
}

mlir::FrozenRewritePatternSet makePatterns(mlir::MLIRContext *context,
                                           bool expandForBaseline) {
  mlir::RewritePatternSet patterns(context);
  // rsqrt has an approximation for AVX2 alone; 1 / sqrt is exact to 1 ulp
  // anywhere.
  mlir::populateMathPolynomialApproximationPatterns(
      patterns, [](llvm::StringRef name) {
        return name != "math.rsqrt" && name != "math.erf" &&
               name != "math.exp" && name != "math.exp2" &&
               name != "math.atan" && name != "math.atan2" &&
               name != "math.cbrt" && name != "math.sin" && name != "math.cos";
      });
  populateCubeRootPattern(patterns);
  populateCircularFunctionPatterns(patterns);
  populateErrorFunctionPatterns(patterns);
  populateExponentialFunctionPatterns(patterns);
  populatePowerFunctionPatterns(patterns);
  populateHyperbolicFunctionPatterns(patterns);
  populateRangeFunctionPatterns(patterns);
  math::populateExpansionPatterns(patterns, {"tan", "rsqrt"});
  populateRoundHalfAwayPattern(patterns);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  patterns.add<ConvertByF32<arith::SIToFPOp>, ConvertByF32<arith::UIToFPOp>>(
      context);
  if (expandForBaseline)
    populateBaselineExpansions(patterns);
  return offTensors(std::move(patterns));
}

/// Of constants MLIR's own folding, which comes before any pattern, has NaN for
/// the angle of the origin.
mlir::FrozenRewritePatternSet
makePatternsBeforeFolding(mlir::MLIRContext *context) {
  mlir::RewritePatternSet patterns(context);
  populateArcTangentPatterns(patterns);
  return offTensors(std::move(patterns));
}

/// Rounding to bf16 by integer arithmetic, to nearest even; NaN stays NaN.
mlir::FrozenRewritePatternSet
makeNarrowingPatterns(mlir::MLIRContext *context) {
  mlir::RewritePatternSet patterns(context);
  arith::populateExpandBFloat16Patterns(patterns);
  return offTensors(std::move(patterns));
}

mlir::FrozenRewritePatternSet makeHalfPatterns(mlir::MLIRContext *context) {
  mlir::RewritePatternSet patterns(context);
  populateHalfConversionPatterns(patterns);
  return offTensors(std::move(patterns));
}

/// Whether an operation is wanted and not on tensors.
bool anyOf(mlir::Operation *scope,
           llvm::function_ref<bool(mlir::Operation *)> wanted) {
  return scope
      ->walk([&](mlir::Operation *op) {
        return wanted(op) && !isOnTensors(op) ? mlir::WalkResult::interrupt()
                                              : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// Nearest and even is how everything rounds, and needs no saying: patterns and
/// instructions look for what does not say it.
void removeNearestModes(mlir::Operation *scope) {
  scope->walk([](arith::TruncFOp op) {
    if (!isOnTensors(op) &&
        op.getRoundingmode() == arith::RoundingMode::to_nearest_even)
      op.removeRoundingmodeAttr();
  });
}

bool hasEpilogue(mlir::Operation *op) {
  return llvm::isa_and_present<LinearOp, MicrokernelOp, ApplyEpilogueOp>(op);
}

/// Whether the operation stands in the scalar region of an epilogue.
bool isInEpilogue(mlir::Operation *op) {
  return hasEpilogue(op->getParentOp());
}

/// Null unless the operation says for which target it is.
TargetAttr targetOn(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, TargetAttr>(op)
      .Case<LinearOp, MicrokernelOp, ApplyEpilogueOp>(
          [](auto owner) { return owner.getTargetAttr(); })
      .Default(TargetAttr());
}

using Targets = llvm::SmallSetVector<TargetAttr, 2>;

/// Those that operations in `scope` name, but for modules inside.
Targets targetsIn(mlir::Operation *scope) {
  Targets targets;
  scope->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (op != scope && llvm::isa<mlir::ModuleOp>(op))
      return mlir::WalkResult::skip();
    if (TargetAttr target = targetOn(op))
      targets.insert(target);
    return mlir::WalkResult::advance();
  });
  return targets;
}

/// Null where targets differ, which lintel-tile and lintel-lower-microkernel
/// refuse of a module.
TargetAttr common(const Targets &targets) {
  return targets.size() == 1 ? targets.front() : TargetAttr();
}

/// The attribute that lintel-tile sets, or before that pass what it will be:
/// the target of the layers, of which one module has one. The nearest module
/// that has either decides.
TargetAttr targetOfLayers(mlir::ModuleOp module) {
  for (; module; module = module->getParentOfType<mlir::ModuleOp>()) {
    if (auto known = module->getAttrOfType<TargetAttr>(kTargetAttribute))
      return known;
    if (TargetAttr ofAll = common(targetsIn(module)))
      return ofAll;
  }
  return {};
}

/// An operation has the instructions of its own target, or else of its
/// module's; without one, those that lintel-assign-schedule assumes.
Target firstKnown(TargetAttr own, TargetAttr ofModule) {
  TargetAttr target = own ? own : ofModule;
  return target ? target.getValue() : genericTarget();
}

struct ApproximateMathPass
    : impl::LintelApproximateMathBase<ApproximateMathPass> {
  mlir::LogicalResult initialize(mlir::MLIRContext *context) override {
    patterns = makePatterns(context, /*expandForBaseline=*/false);
    baselinePatterns = makePatterns(context, /*expandForBaseline=*/true);
    patternsBeforeFolding = makePatternsBeforeFolding(context);
    narrowingPatterns = makeNarrowingPatterns(context);
    halfPatterns = makeHalfPatterns(context);
    return mlir::success();
  }

  void runOnOperation() override {
    if (mlir::failed(approximateAll(getOperation())))
      signalPassFailure();
  }

  mlir::LogicalResult approximateAll(mlir::ModuleOp module) {
    bool refused = false;
    TargetAttr ofModule = targetOfLayers(module);
    for (mlir::Operation &op : module.getBody()->getOperations()) {
      if (auto nested = llvm::dyn_cast<mlir::ModuleOp>(op)) {
        refused |= mlir::failed(approximateAll(nested));
        continue;
      }
      refused |= mlir::failed(checkModules(&op)) ||
                 mlir::failed(approximateFunction(&op, ofModule));
    }
    return mlir::failure(refused);
  }

  /// All of a function is for the target of its layer, before and after
  /// lintel-tile.
  mlir::LogicalResult approximateFunction(mlir::Operation *function,
                                          TargetAttr ofModule) {
    const Targets targets = targetsIn(function);
    if (targets.size() > 1)
      return approximateRegions(function, ofModule);
    return approximateInline(function, firstKnown(common(targets), ofModule));
  }

  /// Where targets differ each region is for its own. What stands beside them
  /// stays as it is: patterns that are applied there go into regions, too.
  mlir::LogicalResult approximateRegions(mlir::Operation *function,
                                         TargetAttr ofModule) {
    const Target beside = firstKnown({}, ofModule);
    auto walked = function->walk<mlir::WalkOrder::PreOrder>(
        [&](mlir::Operation *op) -> mlir::WalkResult {
          if (!hasEpilogue(op))
            return checkInlineBeside(op, beside);
          const Target target = firstKnown(targetOn(op), ofModule);
          return mlir::failed(approximateInline(op, target))
                     ? mlir::WalkResult::interrupt()
                     : mlir::WalkResult::skip();
        });
    return mlir::failure(walked.wasInterrupted());
  }

  static mlir::LogicalResult checkInlineBeside(mlir::Operation *op,
                                               const Target &target) {
    if (hasInlineLowering(op, target) || isOnTensors(op))
      return mlir::success();
    return op->emitOpError("has no inline lowering, and stands beside layers "
                           "for different targets; put it in a function of "
                           "its own");
  }

  mlir::LogicalResult approximateInline(mlir::Operation *scope,
                                        const Target &target) {
    return mlir::failure(mlir::failed(approximate(scope, target)) ||
                         mlir::failed(checkInline(scope, target)));
  }

  /// Patterns rewrite all that stands in a scope, for its target.
  static mlir::LogicalResult checkModules(mlir::Operation *scope) {
    const auto walked = scope->walk([](mlir::ModuleOp module) {
      module.emitOpError("may have a target of its own; put it beside what "
                         "it stands in, which is made for one target");
      return mlir::WalkResult::interrupt();
    });
    return mlir::failure(walked.wasInterrupted());
  }

  mlir::LogicalResult approximate(mlir::Operation *scope,
                                  const Target &target) {
    const auto expands = [](mlir::Operation *op) {
      return llvm::isa_and_present<math::MathDialect>(op->getDialect()) ||
             llvm::isa<arith::CeilDivSIOp, arith::CeilDivUIOp,
                       arith::FloorDivSIOp>(op) ||
             integerToNarrowFloat(op);
    };
    removeNearestModes(scope);
    scope->walk([](mlir::Operation *op) {
      if (isInEpilogue(op))
        dropPromises(op);
    });
    const auto &chosen = target.hasFma() ? patterns : baselinePatterns;
    if (anyOf(scope, expands)) {
      mlir::walkAndApplyPatterns(scope, patternsBeforeFolding);
      if (mlir::failed(mlir::applyPatternsGreedily(scope, chosen)))
        return mlir::failure();
    }
    if (!target.has(Extension::avx512Bf16) && anyOf(scope, narrowsToBF16) &&
        mlir::failed(mlir::applyPatternsGreedily(scope, narrowingPatterns)))
      return mlir::failure();
    if (!target.hasHalfConversions() && anyOf(scope, convertsHalf))
      return mlir::applyPatternsGreedily(scope, halfPatterns);
    return mlir::success();
  }

  mlir::LogicalResult checkInline(mlir::Operation *scope,
                                  const Target &target) {
    auto walked = scope->walk([&](mlir::Operation *op) {
      if (hasInlineLowering(op, target) || isOnTensors(op))
        return mlir::WalkResult::advance();
      op->emitOpError(
          "has no inline lowering and kernels call no library; express it with "
          "operations that have one");
      return mlir::WalkResult::interrupt();
    });
    return mlir::failure(walked.wasInterrupted());
  }

  mlir::FrozenRewritePatternSet patternsBeforeFolding, patterns,
      baselinePatterns, narrowingPatterns, halfPatterns;
};

} // namespace
} // namespace lintel::ir
