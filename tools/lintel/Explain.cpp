// lintel explain: what a kernel is made of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Assembly.h"
#include "Command.h"
#include "Console.h"
#include "Interrupt.h"
#include "KernelOptions.h"
#include "ProblemArguments.h"
#include "ProblemFailure.h"
#include "Progress.h"
#include "Quote.h"
#include "Table.h"
#include "TuningText.h"
#include "UsageMessage.h"

#include "Codegen/Compiler.h"
#include "Engine/Buckets.h"
#include "Engine/EngineImpl.h"
#include "Lintel/AmxTile.h"
#include "Pipeline/Pipelines.h"
#include "Schedule/Partition.h"
#include "Schedule/Ranking.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <optional>

namespace lintel::tool {

namespace {

constexpr std::string_view kLlvmStage = "llvm-ir";
constexpr std::string_view kAssemblyStage = "assembly";

/// The name if --stage has an answer, asked before anything is tuned.
Expected<std::string> checkStage(const std::string &name) {
  std::vector<std::string> names = {"linear"};
  for (const PipelineStage &stage : pipelineStages())
    names.push_back(stage.name.str());
  names.insert(names.end(),
               {std::string(kLlvmStage), std::string(kAssemblyStage), "all"});
  if (std::ranges::find(names, name) != names.end())
    return name;
  return Error(ErrorCode::invalidArgument,
               inQuotes(name) + " is none of " + llvm::join(names, ", ") +
                   whatIsMeant(name, names, /*prefix=*/0, /*otherwise=*/""));
}

struct ExplainArguments {
  KernelOptions kernel;
  ProblemArguments problems;
  std::optional<int64_t> rows; ///< --bucket: those of its calls
  std::string stage;           ///< a name, "all", or "" for none
  bool assembly = false;
};

Expected<int64_t> parseBucket(const std::string &text) {
  if (const std::optional<int64_t> rows = parseRowCount(text);
      rows && *rows > 0)
    return *rows;
  return Error(ErrorCode::invalidArgument,
               inQuotes(text) + " is no number of rows of a call, such as 16");
}

/// Success if there are buckets to choose from.
Status checkBucket(const ExplainArguments &arguments, const Problem &problem) {
  if (!arguments.rows)
    return {};
  const std::string option = "--bucket " + std::to_string(*arguments.rows);
  if (!hasBuckets(problem))
    return Error(ErrorCode::invalidArgument,
                 option +
                     " goes with a problem with '?' rows, as in "
                     "'?x768:768x3072'; a layer of " +
                     rowsInWords(problem) + " has one kernel");
  if (!arguments.kernel.schedule.empty())
    return Error(ErrorCode::invalidArgument,
                 option + ": --schedule makes one kernel for any number of "
                          "rows; leave one of the two out");
  return {};
}

/// Everything there is to say about one kernel.
struct Explanation {
  Problem problem; ///< the kernel's own; a bucket's is part of the layer's
  TuningReport layer;
  TuningReport report; ///< the kernel's own
  Schedule schedule;
  double predictedMicroseconds = 0;
  ObjectCode object;
  std::vector<StageText> stages;
  int64_t registersThere = 0;
};

/// Of the CPU that runs it: wider vectors may be emulated.
int64_t registersOfCode(Target target) {
  target.isa = target.levelOfCode();
  return target.vectorRegisters();
}

Expected<Explanation> explainProblem(Engine &engine,
                                     const LayerRequest &request,
                                     const ExplainArguments &arguments) {
  if (request.problem.isEmpty())
    return Error(ErrorCode::invalidArgument,
                 "no output element, so there is no kernel to explain; M and N "
                 "must be at least 1");
  Expected<Linear> layer = [&] {
    Progress progress(headline(request.problem));
    return engine.compile(
        request.problem,
        makeCompileOptions(arguments.kernel, request.rows, progress));
  }();
  if (!layer)
    return layer.error();
  Engine::Impl &impl = engine.internals();
  const TuningReport &whole = layer->report();
  // Without --bucket that of the most rows.
  const TuningReport &report =
      kernelFor(whole, arguments.rows.value_or(Problem::kMaxDim));
  const Problem problem = whole.buckets.empty()
                              ? request.problem
                              : bucketOf(request.problem, report);
  Expected<Schedule> schedule = Schedule::parse(report.schedule);
  if (!schedule)
    return schedule.error();
  auto compiler = Compiler::create(impl.target);
  if (!compiler)
    return compiler.error();
  const bool asksForIr =
      !arguments.stage.empty() && arguments.stage != kAssemblyStage;
  auto texts = (*compiler)->explain(problem, *schedule,
                                    asksForIr ? Forms::all : Forms::assembly);
  if (!texts)
    return texts.error();
  // Second, so that the time it reports is that of a warm compiler.
  Expected<ObjectCode> object = (*compiler)->compile(problem, *schedule);
  if (!object)
    return object.error();
  return Explanation{
      problem,
      whole,
      report,
      *schedule,
      predictMicroseconds(*schedule, problem, impl.target, impl.threads),
      std::move(*object),
      std::move(texts->stages),
      registersOfCode(impl.target)};
}

const StageText *findStage(const Explanation &explanation,
                           std::string_view name) {
  auto found = std::ranges::find(explanation.stages, name, &StageText::stage);
  return found == explanation.stages.end() ? nullptr : &*found;
}

/// What begins a comment in the language of the stage that is asked for.
std::string commentMark(std::string_view stage) {
  return stage == kLlvmStage ? "; " : "// ";
}

std::string measuredText(const TuningReport &report) {
  if (report.medianMicroseconds <= 0)
    return medianText(report) + doubtText(report);
  return medianText(report) + ", " + fixed(report.gflops, 1, " GFLOP/s, ") +
         fixed(report.gbps, 1, " GB/s, ") +
         fixed(100 * report.peakFraction, 1, "% of peak") +
         (report.promised ? ", scaled up from a part of the rows or columns"
                          : "") +
         doubtText(report);
}

/// Tiles that are emulated take no registers of their own.
std::string registersText(std::string_view assembly, int64_t vectorsThere) {
  const int tiles = countTileRegisters(assembly);
  return (tiles > 0
              ? std::to_string(tiles) + " of " +
                    std::to_string(AmxTile::kRegisters) + " tile registers, "
              : "") +
         std::to_string(countVectorRegisters(assembly)) + " of " +
         std::to_string(vectorsThere) + " vector registers";
}

std::string summary(const Explanation &explanation,
                    const std::string &comment) {
  const TuningReport &report = explanation.report;
  const StageText *assembly = findStage(explanation, kAssemblyStage);
  const std::string idle =
      idleText(report.schedule, explanation.problem, report.threads);
  Table table(comment, {});
  table.addRow({"problem", subjectText(explanation.problem, report)});
  table.addRow({"schedule", report.schedule + " (" +
                                std::string(toString(report.source)) +
                                (idle.empty() ? "" : "; " + idle) + ")"});
  table.addRow(
      {"predicted", millisecondsText(explanation.predictedMicroseconds)});
  table.addRow({"measured", measuredText(report)});
  table.addRow({"registers", registersText(assembly ? assembly->text : "",
                                           explanation.registersThere)});
  table.addRow({"spills", std::to_string(explanation.object.loopSpills) +
                              " in loops of micro-kernels" +
                              (explanation.schedule.onTiles()
                                   ? ", of addresses and epilogues"
                                   : "")});
  table.addRow(
      {"object", bytesText(double(explanation.object.bytes.size())) +
                     ", compiled in " +
                     fixed(explanation.object.milliseconds, 1, " ms")});
  for (const TuningReport &bucket : explanation.layer.buckets)
    table.addRow({"rows " + bucketOf(explanation.problem, bucket).rowsText(),
                  bucket.schedule});
  return table.text();
}

/// Beside others, a stage that changes nothing is not worth its text again.
std::string stageBody(const StageText &stage, const StageText *before,
                      const std::string &comment) {
  if (before && before->text == stage.text)
    return comment + "as before\n";
  return stage.text.ends_with('\n') ? stage.text : stage.text + "\n";
}

/// The stages that the command line asks for, each under a banner.
std::string chosenStages(const Explanation &explanation,
                         const ExplainArguments &arguments,
                         const std::string &comment) {
  std::string text;
  const StageText *before = nullptr;
  for (const StageText &stage : explanation.stages) {
    const bool isAssembly = stage.stage == kAssemblyStage;
    if (arguments.stage != "all" && arguments.stage != stage.stage &&
        !(arguments.assembly && isAssembly))
      continue;
    text += "\n" + comment + "----- " + stage.stage + " -----\n" +
            stageBody(stage, before, comment);
    before = &stage;
  }
  return text;
}

int explain(const ExplainArguments &arguments) {
  auto problems = resolveProblems(arguments.problems, arguments.kernel.types,
                                  arguments.kernel.schedule);
  if (!problems)
    return printError(problems.error());
  if (problems->size() != 1)
    return printError(Error(ErrorCode::invalidArgument,
                            "explain takes one problem, " +
                                std::to_string(problems->size()) +
                                " given; of a model, --match chooses layers "
                                "and --rows the number of rows"));
  const LayerRequest &request = problems->front();
  if (Status bucket = checkBucket(arguments, request.problem); !bucket)
    return printError(bucket.error());
  auto engine = makeEngine(arguments.kernel);
  if (!engine)
    return printError(engine.error());
  warnOfThreadsInTurns(**engine);
  InterruptGuard interrupt;
  Expected<Explanation> explanation =
      explainProblem(**engine, request, arguments);
  if (!explanation)
    return printError(failureOf(request, explanation.error()));
  const std::string comment = commentMark(arguments.stage);
  print(summary(*explanation, comment) +
        chosenStages(*explanation, arguments, comment));
  return InterruptGuard::requested() ? kInterrupted : kSuccess;
}

} // namespace

Command makeExplainCommand(CommandParser program) {
  auto arguments = std::make_shared<ExplainArguments>();
  CommandParser parser = program.addCommand(
      "explain", "schedule, IR, assembly, registers and times of a kernel");
  parser
      .addValue(
          "--stage",
          [arguments](const std::string &name) {
            return store(checkStage(name), arguments->stage);
          },
          "print the IR after this stage, or after all")
      .takes("NAME|all");
  parser.addFlag("--asm", arguments->assembly, "print the assembly");
  parser
      .addValue(
          "--bucket",
          [arguments](const std::string &text) {
            return store(parseBucket(text), arguments->rows);
          },
          "of a problem with '?' rows: the kernel of calls with M rows [the "
          "most]")
      .takes("M");
  addMachineOptions(parser, arguments->kernel);
  addTuningOptions(parser, arguments->kernel);
  addProblemArguments(parser, arguments->problems);
  return {parser, [arguments] { return explain(*arguments); }};
}

} // namespace lintel::tool
