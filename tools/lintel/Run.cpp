// lintel run: compute one layer from files to a file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Command.h"
#include "Console.h"
#include "Interrupt.h"
#include "KernelOptions.h"
#include "LayerFiles.h"
#include "ProblemArguments.h"
#include "ProblemFailure.h"
#include "Progress.h"

#include "formats/OutputFile.h"
#include "formats/TensorFile.h"

namespace lintel::tool {

namespace {

struct RunArguments {
  LayerFiles files;
  std::string output;
  KernelOptions kernel; ///< all but types, which `files` has
};

/// A kernel that was found before an interrupt is kept like any other, but
/// whoever interrupts wants no output.
Expected<Linear> compileUnlessInterrupted(Engine &engine,
                                          const Problem &problem,
                                          const KernelOptions &options) {
  InterruptGuard interrupt;
  Progress progress(headline(problem));
  Expected<Linear> layer =
      engine.compile(problem, makeCompileOptions(options, {}, progress));
  if (layer && InterruptGuard::requested())
    return Error(ErrorCode::cancelled, "interrupted; no output is written");
  return layer;
}

Expected<Tensor> allocateOutput(const Problem &problem) {
  Expected<Tensor> output =
      Tensor::allocate({*problem.m(), problem.n()}, problem.types().result);
  if (output)
    return output;
  return Error(output.error().code(),
               output.error().message() +
                   " for the output; compute it in parts, of fewer rows of "
                   "--input each");
}

Status compute(Engine &engine, const LayerTensors &tensors,
               const KernelOptions &options, const Tensor &output) {
  const Problem &problem = tensors.problem;
  Expected<Linear> layer = compileUnlessInterrupted(engine, problem, options);
  if (!layer)
    return layer.error();
  if (Status status = layer->setWeight(tensors.weight.data(), problem.k());
      !status)
    return status.error();
  std::vector<ConstTensorRef> operands;
  for (size_t i = 0; i < tensors.operands.size(); ++i) {
    const bool isRow =
        problem.epilogue().operands()[i].broadcast == Broadcast::row;
    operands.push_back({tensors.operand(i).data(), isRow ? 1 : problem.n()});
  }
  const TensorRef outputs[] = {{output.data(), problem.n()}};
  return layer->run({tensors.input.data(), problem.k()}, *problem.m(), operands,
                    outputs);
}

int run(const RunArguments &arguments) {
  // What cannot be written should not cost a tuning run first.
  if (Status status = checkOutputPath(arguments.output); !status)
    return printError(status.error().in("--output"));
  if (Status status = checkIsNoInput(arguments.output, arguments.files);
      !status)
    return printError(status.error().in("--output"));
  Expected<LayerTensors> tensors = readLayer(arguments.files);
  if (!tensors)
    return printError(tensors.error());
  if (Status status =
          checkOutputType(arguments.output, tensors->problem.types());
      !status)
    return printError(status.error().in("--output"));
  if (Status status = checkCanBeWritten(arguments.output); !status)
    return printError(status.error().in("--output"));
  Expected<Tensor> output = allocateOutput(tensors->problem);
  if (!output)
    return printError(failureOf(tensors->problem, output.error()));
  auto engine = makeEngine(arguments.kernel);
  if (!engine)
    return printError(engine.error());
  warnOfThreadsInTurns(**engine);
  if (Status status = compute(**engine, *tensors, arguments.kernel, *output);
      !status)
    return printError(failureOf(tensors->problem, status.error()));
  if (Status status = writeTensor(arguments.output, *output); !status)
    return printError(status.error().in("--output"));
  return kSuccess;
}

/// One for each scale and zero point that a layer of int8 may have.
void addQuantizationOptions(CommandParser parser, LayerFiles &files) {
  struct Option {
    const char *option, *operand, *meaning;
  };
  for (const Option &one :
       {Option{"--x-scale", "x_scale", "of int8: scale of the input"},
        Option{"--x-zero", "x_zero", "zero point of the input"},
        Option{"--w-scale", "w_scale", "scale of the weight"},
        Option{"--w-zero", "w_zero", "zero point of the weight"},
        Option{"--result-scale", "result_scale", "scale of the output"},
        Option{"--result-zero", "result_zero", "zero point of the output"}})
    parser
        .addValue(
            one.option,
            [&files, name = one.operand](const std::string &text) -> Status {
              files.quantization[name] = text;
              return {};
            },
            one.meaning)
        .takes("NUMBER|FILE[:TENSOR]");
}

} // namespace

Command makeRunCommand(CommandParser program) {
  auto arguments = std::make_shared<RunArguments>();
  LayerFiles &files = arguments->files;
  CommandParser parser = program.addCommand(
      "run", "compute one layer from .npy and .safetensors files");
  parser.explainWords(
      "files and the epilogue stand behind options, as in --input x.npy "
      "--epilogue relu, and the files say the sizes of the layer");
  parser.addText("--weight", files.weight, "weight [N, K]")
      .takes("FILE[:TENSOR]")
      .required();
  parser
      .addText("--bias", files.bias,
               "bias [N], the same for every bias of the epilogue")
      .takes("FILE[:TENSOR]");
  parser
      .addTexts("--operand", files.operands,
                "tensor [M, N] of residual or mul; once for each, in the order "
                "in which the epilogue names them")
      .takes("FILE[:TENSOR]")
      .oneValueEach();
  addQuantizationOptions(parser, files);
  parser.addText("--input", files.input, "input [M, K]")
      .takes("FILE[:TENSOR]")
      .required();
  parser
      .addText("--output", arguments->output,
               "where the output [M, N] goes: .npy or .safetensors")
      .takes("FILE")
      .required();
  parser
      .addText("--epilogue", files.epilogue,
               "as in bias+gelu_erf [bias with --bias, else none]")
      .takes("E");
  addTypeOptions(parser, files.named,
                 "element types, as in bf16:f32 or u8s8:u8, a result of their "
                 "own behind the colon [those of the files]");
  addThreadsOption(parser, arguments->kernel.threads);
  addScheduleOption(parser, arguments->kernel.schedule);
  addTuningOptions(parser, arguments->kernel);
  return {parser, [arguments] { return run(*arguments); }};
}

} // namespace lintel::tool
