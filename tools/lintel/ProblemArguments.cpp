// Problems on a command line: text, lists, model files and MLIR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ProblemArguments.h"

#include "ModelLayers.h"
#include "ModuleFile.h"
#include "PositionalWords.h"
#include "Quote.h"
#include "UsageMessage.h"
#include "formats/InputFile.h"

#include "Engine/Buckets.h"
#include "Runtime/PrintableText.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <map>

namespace lintel::tool {

namespace {

constexpr uint64_t kMaxListBytes = 16 << 20;

bool isModel(const std::string &word) { return word.ends_with(".safetensors"); }

/// "128,?,1": row counts, each once; '?' is a dynamic M.
Expected<std::vector<std::optional<int64_t>>>
parseRows(const std::string &text) {
  std::vector<std::optional<int64_t>> rows;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find(',', begin), text.size());
    std::string item = text.substr(begin, end - begin);
    begin = end + 1;
    const std::optional<int64_t> number = parseRowCount(item);
    if (item != "?" && !number)
      return usageError("--rows " + inQuotes(text) + ": " + inQuotes(item) +
                        " is no number of rows, such as 16; separate several "
                        "by commas, as in 1,16,512");
    if (std::ranges::find(rows, number) == rows.end())
      rows.push_back(number);
  }
  return rows;
}

/// Makes problems of the words, in their order, and then of the list; what
/// depends on all of them (--rows, --match, --epilogue, types that contradict a
/// module's) is checked at the end.
class Resolver {
public:
  Resolver(const ProblemArguments &arguments, const NamedTypes &named)
      : arguments(arguments), named(named) {}
  Expected<std::vector<LayerRequest>> resolve();

private:
  Status addPositionals();
  Status addWord(size_t &i);
  std::vector<std::string> modelFiles() const;
  Expected<std::vector<int64_t>> mixOfRows() const;
  Expected<std::vector<LayerRequest>> requests();
  Expected<DataTypes> takeTypes();
  Status addModel(const std::vector<std::string> &paths);
  Expected<std::vector<std::optional<int64_t>>>
  rowsOfModel(const std::string &model) const;
  Expected<std::optional<Epilogue>>
  epilogueOfModel(const DataTypes &types) const;
  Status addModule(const std::string &path);
  Status addText(std::string text);
  Status addList(const std::string &path);

  const ProblemArguments &arguments;
  const NamedTypes &named;
  bool tookTypes = false; ///< a problem that does not state its own
  bool sawModel = false;
  std::string contradiction; ///< of a module with the types that are named
  std::vector<LayerRequest> found; ///< without rows
};

std::vector<std::string> Resolver::modelFiles() const {
  std::vector<std::string> files;
  std::ranges::copy_if(arguments.positionals, std::back_inserter(files),
                       isModel);
  return files;
}

/// The problems of word `i`, which passes the next if that is its epilogue.
Status Resolver::addWord(size_t &i) {
  const std::vector<std::string> &words = arguments.positionals;
  const bool beforeEpilogue =
      i + 1 < words.size() && isEpilogueText(words[i + 1]);
  // A large model is cut into files, and a layer's bias may be in another.
  if (isModel(words[i]))
    return sawModel ? Status() : addModel(modelFiles());
  if (words[i].ends_with(".mlir")) {
    Status status = addModule(words[i]);
    if (!status || !beforeEpilogue)
      return status;
    return usageError(inQuotes(words[i + 1]) + " after " + words[i] +
                      " is no problem, and a module states its own epilogue, "
                      "in the region of lintel.linear");
  }
  if (startsLikeStages(words[i]))
    return isNoProblem(words[i]);
  std::string text = words[i];
  // An unquoted epilogue arrives as a word of its own.
  if (text.find(':') != std::string::npos && beforeEpilogue)
    text += " " + words[++i];
  return addText(std::move(text));
}

Status Resolver::addPositionals() {
  // Before one is taken for the epilogue of the problem before it.
  const auto rows = std::ranges::find_if(arguments.positionals, looksLikeRows);
  if (arguments.rows && rows != arguments.positionals.end())
    return isBehindRows(*rows, *arguments.rows);
  for (size_t i = 0; i < arguments.positionals.size(); ++i)
    if (Status status = addWord(i); !status)
      return status;
  return {};
}

/// The numbers of --rows, where they are the mix of rows of calls.
Expected<std::vector<int64_t>> Resolver::mixOfRows() const {
  auto named = parseRows(*arguments.rows);
  if (!named)
    return named.error();
  std::vector<int64_t> rows;
  for (std::optional<int64_t> number : *named) {
    if (!number)
      return usageError("--rows " + inQuotes(*arguments.rows) +
                        ": names the numbers of rows that a problem with '?' "
                        "is tuned for, as in 1,16,512");
    rows.push_back(*number);
  }
  Expected<std::vector<int64_t>> mix = makeMix(std::move(rows));
  if (!mix)
    return mix.error().in("--rows " + inQuotes(*arguments.rows));
  return mix;
}

Expected<std::vector<LayerRequest>> Resolver::requests() {
  std::vector<int64_t> mix;
  if (arguments.rows && !sawModel) {
    if (std::ranges::none_of(found, hasBuckets, &LayerRequest::problem))
      return usageError(
          "--rows goes with a .safetensors file or a problem "
          "with '?' rows alone; other problems state theirs, as in "
          "'128x768:768x3072' or '?@64x768:768x3072'");
    Expected<std::vector<int64_t>> named = mixOfRows();
    if (!named)
      return named.error();
    mix = std::move(*named);
  }
  for (LayerRequest &request : found)
    if (hasBuckets(request.problem))
      request.rows = mix;
  return std::move(found);
}

Expected<std::vector<LayerRequest>> Resolver::resolve() {
  if (Status added = addPositionals(); !added)
    return added.error();
  if (arguments.listFile)
    if (Status status = addList(*arguments.listFile); !status)
      return status.error();
  if (!sawModel && (arguments.match || arguments.epilogue))
    return usageError(!arguments.match
                          ? "--epilogue goes with a .safetensors file; a "
                            "problem states its own, as in "
                            "'128x768:768x3072 bias+gelu_erf'"
                          : "--match goes with a .safetensors file, whose "
                            "layers have names");
  // Beside other problems they are meant for those.
  if (!tookTypes && !contradiction.empty())
    return usageError(contradiction);
  if (found.empty())
    return usageError(
        "no problem given: name one as in '128x768:768x3072 bias+gelu_erf', a "
        "list of them with --file, a .safetensors file with --rows, or an "
        ".mlir file");
  return requests();
}

/// Of a problem that does not state its own.
Expected<DataTypes> Resolver::takeTypes() {
  tookTypes = true;
  return named.over(DataTypes());
}

Status Resolver::addText(std::string text) {
  std::error_code ignored;
  if (std::filesystem::is_directory(text, ignored))
    return usageError(onOneLine(text) +
                      ": is a directory; name a .safetensors or .mlir "
                      "file in it, or give a list of problems with "
                      "--file");
  if (text.find(':') == std::string::npos &&
      std::filesystem::exists(text, ignored))
    return usageError(onOneLine(text) +
                      ": is a file of no known kind; give lists of "
                      "problems with --file, models end in "
                      ".safetensors and modules in .mlir" +
                      aboutEnding(text));
  Expected<DataTypes> types = takeTypes();
  if (!types)
    return types.error();
  Expected<Problem> problem = Problem::parse(text, *types);
  if (!problem)
    return looksLikeAFile(text) ? isNoFile(text)
                                : problem.error().in(inQuotes(text));
  found.push_back({std::move(*problem)});
  return {};
}

Status Resolver::addModule(const std::string &path) {
  Expected<Problem> problem = readModuleFile(path);
  if (!problem)
    return problem.error();
  if (contradiction.empty())
    if (Status agrees = checkStatedTypes(problem->types(), named); !agrees)
      contradiction = agrees.error().in(path).message();
  found.push_back({std::move(*problem), {}, {.module = path}});
  return {};
}

Status Resolver::addList(const std::string &path) {
  if (path.ends_with(".safetensors") || path.ends_with(".mlir"))
    return usageError(path + ": is no list of problems; leave out --file");
  Expected<DataTypes> types = takeTypes();
  if (!types)
    return types.error();
  Expected<InputFile> file = InputFile::open(path);
  if (!file)
    return file.error();
  Expected<std::string> text = file->readText(kMaxListBytes);
  if (!text)
    return text.error();
  Expected<std::vector<Problem>> listed = parseProblemList(*text, path, *types);
  if (!listed)
    return listed.error();
  if (listed->empty())
    return usageError(path + ": holds no problem");
  for (Problem &problem : *listed)
    found.push_back({std::move(problem)});
  return {};
}

/// The numbers of --rows, where they are those of a model's layers.
Expected<std::vector<std::optional<int64_t>>>
Resolver::rowsOfModel(const std::string &model) const {
  if (!arguments.rows)
    return usageError(model + ": say for how many rows with --rows, as in "
                              "--rows 128 or --rows 1,128");
  auto rows = parseRows(*arguments.rows);
  if (rows &&
      std::ranges::find(*rows, std::optional<int64_t>(0)) != rows->end())
    return usageError("--rows " + inQuotes(*arguments.rows) +
                      ": with 0 rows the layers of a model compute nothing");
  return rows;
}

/// What --epilogue says of every layer of a model, if it says something.
Expected<std::optional<Epilogue>>
Resolver::epilogueOfModel(const DataTypes &types) const {
  if (!arguments.epilogue)
    return std::optional<Epilogue>();
  Expected<Epilogue> parsed = Epilogue::parse(*arguments.epilogue, types);
  if (!parsed)
    return parsed.error().in("--epilogue " + inQuotes(*arguments.epilogue));
  return std::optional<Epilogue>(std::move(*parsed));
}

Status Resolver::addModel(const std::vector<std::string> &paths) {
  sawModel = true;
  const std::string model = modelName(paths);
  Expected<DataTypes> types = takeTypes();
  if (!types)
    return types.error();
  auto entries = readModel(paths);
  if (!entries)
    return entries.error();
  auto rows = rowsOfModel(model);
  if (!rows)
    return rows.error();
  auto forced = epilogueOfModel(*types);
  if (!forced)
    return forced.error();
  auto layers = findLayers(*entries, arguments.match, types->weight);
  if (!layers)
    return layers.error().in(model);

  const Epilogue none, bias = Epilogue::parse("bias").value();
  // A model may have as many shapes as layers. Texts tell problems apart that
  // share their types and have no region.
  std::map<std::string, size_t> places;
  for (std::optional<int64_t> m : *rows)
    for (const ModelLayer &layer : *layers) {
      const Epilogue &own = layer.hasBias ? bias : none;
      Expected<Problem> problem =
          Problem::create(m, layer.n, layer.k, *types, forced->value_or(own));
      if (!problem)
        return problem.error().in(model + ": " + layer.name);
      auto [place, isNew] = places.try_emplace(problem->text(), found.size());
      if (isNew)
        found.push_back({std::move(*problem)});
      found[place->second].origin.layers.push_back(layer.name);
    }
  return {};
}

} // namespace

std::optional<int64_t> parseRowCount(std::string_view text) {
  int64_t value = 0;
  const char *end = text.data() + text.size();
  auto [rest, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || rest != end || value < 0 ||
      value > Problem::kMaxDim)
    return std::nullopt;
  return value;
}

void addProblemArguments(CommandParser parser, ProblemArguments &arguments) {
  parser
      .addTexts("problem", arguments.positionals,
                "'128x768:768x3072 bias+gelu_erf', a .safetensors model or an "
                ".mlir file")
      .takes("PROBLEM");
  parser
      .addText("--file", arguments.listFile,
               "problems from a file, one a line, '#' for comments")
      .takes("LIST");
  parser
      .addText("--rows", arguments.rows,
               "rows of the input of a model, or those that calls of a problem "
               "with '?' will have, as in 1,128")
      .takes("M[,M...]");
  parser
      .addText("--match", arguments.match,
               "for a model: layers whose names this regular expression finds")
      .takes("REGEX");
  parser
      .addText("--epilogue", arguments.epilogue,
               "for a model: the epilogue of every layer, instead of bias "
               "where there is one")
      .takes("E");
}

Expected<std::vector<LayerRequest>>
resolveProblems(const ProblemArguments &arguments, const NamedTypes &named) {
  return Resolver(arguments, named).resolve();
}

Expected<std::vector<LayerRequest>>
resolveProblems(const ProblemArguments &arguments, const NamedTypes &named,
                const std::string &schedule) {
  auto requests = resolveProblems(arguments, named);
  if (!requests || schedule.empty())
    return requests;
  if (std::ranges::all_of(*requests, &std::vector<int64_t>::empty,
                          &LayerRequest::rows))
    return requests;
  return usageError("--rows " + inQuotes(*arguments.rows) +
                    ": names what a problem with '?' rows is tuned for, but "
                    "--schedule makes one kernel for any number of rows; leave "
                    "one of the two out");
}

std::string headline(const Problem &problem) {
  const std::string n = std::to_string(problem.n());
  const std::string k = std::to_string(problem.k());
  const Epilogue &epilogue = problem.epilogue();
  return "linear(" + problem.rowsText() + "x" + k + ", " + k + "x" + n + ") " +
         problem.types().text() + " " +
         (epilogue.isRegion() ? "region" : epilogue.text());
}

} // namespace lintel::tool
