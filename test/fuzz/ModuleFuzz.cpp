// Layers as MLIR: a file with an op, and the region of an epilogue alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ModuleFile.h"

#include "Codegen/Compiler.h"
#include "Problem/BuildLinear.h"
#include "Problem/ReadLinear.h"
#include "Reference/Oracle.h"
#include "Schedule/Legality.h"
#include "fuzz/Harness.h"
#include "fuzz/MemoryFile.h"
#include "fuzz/Properties.h"

#include "mlir/IR/MLIRContext.h"

#include <array>
#include <memory>
#include <optional>

namespace lintel::fuzz {
namespace {

/// The problem as its op states it, or why no op does.
Expected<Problem> throughOp(const Problem &problem) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto module = buildModule(context, problem);
  if (!module)
    return module.error();
  return problemFromModule(**module);
}

/// What MLIR printed is what MLIR reads.
void checkFixedPoint(const Problem &problem) {
  const Expected<Problem> again = throughOp(problem);
  check(bool(again), "a problem from an op has an op",
        again ? "" : again.error().message());
  check(*again == problem, "a problem from an op reads back equal",
        again->text() + "\nis not\n" + problem.text());
}

/// The simplest kernel there is for the problem, on the least machine; none
/// where it has none.
std::optional<Expected<ObjectCode>> compile(const Problem &problem) {
  static const std::unique_ptr<Compiler> compiler =
      std::move(*Compiler::create(Target()));
  Schedule schedule;
  schedule.nr = Target().lanes();
  schedule.group =
      depthOfLane(problem.types().weight, Target(), schedule.accumulate);
  schedule.mc = schedule.nc = schedule.kc = Schedule::kWhole;
  if (!checkSchedule(schedule, problem, Target()))
    return std::nullopt;
  return compiler->compile(problem, schedule);
}

void fuzzModule(Input input) {
  const MemoryFile file(input);
  const Expected<Problem> read = tool::readModuleFile(file.path());
  const Problem *problem = valueOf(read, checkShownMessage);
  if (!problem)
    return;
  checkFixedPoint(*problem);
  if (const auto object = compile(*problem))
    check(bool(*object), "what the tool takes can be compiled",
          *object ? "" : object->error().message());
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// One element of a layer of few elements.
void evaluate(const Problem &problem, const Oracle &oracle) {
  alignas(64) static const std::array<std::byte, 256> zeros = {};
  LinearInputs inputs;
  inputs.m = 1;
  inputs.x = inputs.w = {zeros.data(), problem.k()};
  inputs.operands.assign(problem.epilogue().operands().size(),
                         ConstTensorView{zeros.data(), 1});
  std::vector<ReferenceElement> out;
  oracle.evaluateElement(inputs, 0, 0, /*exactSums=*/true, out);
  check(out.size() == size_t(problem.epilogue().numResults()),
        "the reference gives every output");
}

/// The epilogue of a layer of these types with a region and its operands.
void checkRegion(std::string_view text, std::string_view types,
                 std::vector<EpilogueOperand> operands, int results,
                 InputSums sums = {}) {
  const Expected<Problem> problem =
      Problem::create(1, 2, 3, DataTypes::parse(types).value(),
                      Epilogue::fromRegion(std::string(text),
                                           std::move(operands), results, sums));
  if (!problem)
    return checkShownMessage(problem.error());
  const auto oracle = Oracle::create(*problem);
  if (!oracle)
    return checkShownMessage(oracle.error());
  noteTaken();
  evaluate(*problem, **oracle);
  const Expected<Problem> stated = throughOp(*problem);
  check(bool(stated), "what the reference knows has an op",
        stated ? "" : stated.error().message());
  checkFixedPoint(*stated);
  const auto object = compile(*stated);
  if (object && !*object)
    checkShownMessage(object->error());
}

void fuzzRegion(Input input) {
  const std::string_view text = textOf(input);
  checkRegion(text, "f32", {}, 1);
  checkRegion(text, "f32", {{"operand0", Broadcast::column}}, 1);
  checkRegion(text, "bf16",
              {{"operand0", Broadcast::full, DType::bf16},
               {"operand1", Broadcast::scalar, DType::f32}},
              2);
  checkRegion(text, "u8s8:u8",
              {{"operand0", Broadcast::scalar, DType::s32},
               {"operand1", Broadcast::column, DType::f32}},
              1, {/*ofColumns=*/true, /*ofRows=*/false});
}

std::vector<Bytes> takenModules() {
  constexpr std::string_view kTexts[] = {
      R"(func.func @layer(%x: tensor<?x8xf32>, %w: tensor<16x8xf32>,
                          %s: tensor<16xf32>) -> tensor<?x16xf32> {
  %y = lintel.linear %x, %w epilogue(%s : tensor<16xf32>)
      : (tensor<?x8xf32>, tensor<16x8xf32>) -> tensor<?x16xf32> {
  ^bb0(%acc: f32, %scale: f32):
    %0 = arith.mulf %acc, %scale : f32
    lintel.yield %0 : f32
  }
  return %y : tensor<?x16xf32>
}
)",
      R"(#note = [1, "two"]
func.func @layer(%x: tensor<6x6xui8>, %w: tensor<3x6xi8>, %z: tensor<i32>)
    -> tensor<6x3xui8> {
  %y = lintel.linear %x, %w epilogue(%z : tensor<i32>) {column_sums}
      : (tensor<6x6xui8>, tensor<3x6xi8>) -> tensor<6x3xui8> {
  ^bb0(%acc: i32, %column: i32, %zero: i32):
    %0 = arith.muli %zero, %column : i32
    %1 = arith.subi %acc, %0 : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = math.roundeven %2 : f32
    %least = arith.constant 0.0 : f32
    %4 = arith.cmpf ogt, %3, %least : f32
    %5 = arith.select %4, %3, %least {note = #note} : f32
    %6 = arith.fptosi %5 : f32 to i32
    %7 = arith.trunci %6 : i32 to i8
    lintel.yield %7 : i8
  }
  return %y : tensor<6x3xui8>
}
)",
      R"(func.func @f(%x: tensor<2x4xf16>, %w: tensor<3x4xf16>) -> tensor<2x3xf16> {
  %y = lintel.linear %x, %w {accumulate = f16}
      : (tensor<2x4xf16>, tensor<3x4xf16>) -> tensor<2x3xf16> {
  ^bb0(%acc: f32):
    %0 = math.tanh %acc : f32
    %1 = arith.truncf %0 : f32 to f16
    lintel.yield %1 : f16
  } loc("a":1:2)
  return %y : tensor<2x3xf16>
}
)"};
  return bytesOf(kTexts);
}

std::vector<Bytes> refusedModules() {
  using namespace std::string_view_literals;
  constexpr std::string_view kTexts[] = {
      ""sv,
      "module {}"sv,
      "ML\xefR"sv,
      "\xef\xbb\xbfmodule {}"sv,
      "func.func @f(%x: tensor<2x4xf32>) { return %y : tensor<\0>}"sv,
      "#map = affine_map<(d0) -> (d0)>"sv,
      "{-# dialect_resources: {builtin: {a: \"0x00000000AABB\"}} #-}"sv,
      "\"builtin.module\"() ({}) {a = array<index: 1>} : () -> ()"sv,
      "%0#99999999999 = \"a\"() : () -> ()"sv,
      // Outputs of both kinds, whose rows were looked for.
      R"(func.func @f(%x: tensor<?x8xf32>, %w: tensor<16x8xf32>, %y: memref<?x16xf32>) -> tensor<?x16xf32> {
  %r = lintel.linear %x, %w outs(%y : memref<?x16xf32>) : (tensor<?x8xf32>, tensor<16x8xf32>) -> tensor<?x16xf32> {
  ^bb0(%a: f32):
    lintel.yield %a, %a : f32, f32
  }
  return %r : tensor<?x16xf32>
})"sv,
  };
  std::vector<Bytes> inputs = bytesOf(kTexts);
  inputs.push_back(bytesOf(std::string(50000, '(')));
  return inputs;
}

std::vector<Bytes> takenRegions() {
  constexpr std::string_view kTexts[] = {
      R"({ ^bb0(%a: f32): "lintel.yield"(%a) : (f32) -> () })",
      R"({ ^bb0(%a: f32): %0 = "math.absf"(%a) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32 "lintel.yield"(%0) : (f32) -> () })",
      R"({ ^bb0(%a: f32, %b: f32):
  %c = "arith.constant"() <{value = 1.5 : f32}> : () -> f32
  %0 = "math.fma"(%a, %b, %c) : (f32, f32, f32) -> f32
  %1 = "arith.cmpf"(%0, %c) <{predicate = 2 : i64}> : (f32, f32) -> i1
  %2 = "arith.select"(%1, %0, %c) : (i1, f32, f32) -> f32
  %3 = "math.exp"(%2) : (f32) -> f32
  "lintel.yield"(%3) : (f32) -> () })",
      R"({ ^bb0(%a: f32, %b: bf16, %c: f32):
  %0 = "arith.extf"(%b) : (bf16) -> f32
  %1 = "arith.maximumf"(%a, %0) : (f32, f32) -> f32
  %2 = "arith.truncf"(%1) : (f32) -> bf16
  %3 = "arith.truncf"(%c) : (f32) -> bf16
  "lintel.yield"(%2, %3) : (bf16, bf16) -> () })",
      R"({ ^bb0(%a: i32, %s: i32, %z: i32, %f: f32):
  %0 = "arith.muli"(%s, %z) : (i32, i32) -> i32
  %1 = "arith.subi"(%a, %0) : (i32, i32) -> i32
  %2 = "arith.sitofp"(%1) : (i32) -> f32
  %3 = "arith.mulf"(%2, %f) : (f32, f32) -> f32
  %4 = "arith.fptosi"(%3) : (f32) -> i32
  %5 = "arith.trunci"(%4) : (i32) -> i8
  "lintel.yield"(%5) : (i8) -> () })"};
  return bytesOf(kTexts);
}

std::vector<Bytes> refusedRegions() {
  using namespace std::string_view_literals;
  constexpr std::string_view kTexts[] = {
      ""sv,
      "{}"sv,
      "{ ^bb0(%a: f32): }"sv,
      "{ ^bb0(%a: f32): \"lintel.yield\"() : () -> () }"sv,
      "{ ^bb0(%a: f32): \"lintel.yield\"(%b) : (f32) -> () }"sv,
      "{ ^bb0(%a: f32): \"lintel.yield\"(%a) : (f32) -> () } { }"sv,
      "{ ^bb0(%a: f32): \"cf.br\"()[^bb0] : () -> () }"sv,
      "}) : () -> () \"a\"() ({"sv,
      "{ ^bb0(%a: f32): \"a\"() {b = affine_map<() -> (1)>} : () -> () }"sv,
  };
  return bytesOf(kTexts);
}

const std::vector<std::string_view> kDictionary = {"{",
                                                   "}",
                                                   "(",
                                                   ")",
                                                   "<",
                                                   ">",
                                                   "<{",
                                                   "}>",
                                                   "[",
                                                   "]",
                                                   ":",
                                                   "->",
                                                   ",",
                                                   "=",
                                                   "%a",
                                                   "%0",
                                                   "%acc",
                                                   "%0#1",
                                                   "%0:2 =",
                                                   "^bb0",
                                                   "^bb0(%a: f32):",
                                                   "@layer",
                                                   "#note",
                                                   "!t = f32\n",
                                                   "loc(\"a\":1:2)",
                                                   "loc(unknown)",
                                                   "f32",
                                                   "f16",
                                                   "bf16",
                                                   "f64",
                                                   "i1",
                                                   "i8",
                                                   "i32",
                                                   "index",
                                                   "none",
                                                   "tensor<",
                                                   "?x",
                                                   "vector<2xf32>",
                                                   "memref<4xf32>",
                                                   "memref<?x4xf32>",
                                                   "outs(%x : memref<4x4xf32>)",
                                                   "tensor<16xf32>",
                                                   "complex<f32>",
                                                   "tuple<>",
                                                   "() -> ()",
                                                   "(f32) -> f32",
                                                   "dense<0.0> : tensor<2xf32>",
                                                   "array<i64: 1>",
                                                   "1.5 : f32",
                                                   "0x7FC00000 : f32",
                                                   "-1 : i64",
                                                   "99999999999 : i128",
                                                   "true",
                                                   "unit",
                                                   "\"arith.addf\"",
                                                   "\"arith.divf\"",
                                                   "\"arith.constant\"",
                                                   "\"arith.divsi\"",
                                                   "\"arith.shli\"",
                                                   "\"arith.bitcast\"",
                                                   "\"math.powf\"",
                                                   "\"math.erf\"",
                                                   "\"math.sin\"",
                                                   "\"lintel.yield\"",
                                                   "lintel.linear",
                                                   "epilogue(",
                                                   "{column_sums, row_sums}",
                                                   "accumulate = i16",
                                                   "fastmath<fast>",
                                                   "attributes {",
                                                   "module {",
                                                   "//",
                                                   "\n"};

} // namespace

const Harness &moduleHarness() {
  static const Harness harness = {"module",       fuzzModule,  takenModules,
                                  refusedModules, kDictionary, 1500};
  return harness;
}

const Harness &regionHarness() {
  static const Harness harness = {"region",       fuzzRegion,  takenRegions,
                                  refusedRegions, kDictionary, 700};
  return harness;
}

} // namespace lintel::fuzz
