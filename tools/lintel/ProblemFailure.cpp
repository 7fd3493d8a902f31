// Why the work on a problem failed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ProblemFailure.h"

#include "JsonLine.h"
#include "LayerOrigin.h"

#include "Problem/ProblemTitle.h"

#include <string>
#include <string_view>

namespace lintel::tool {

Error failureOf(const Problem &problem, const Error &error) {
  const ErrorCode code =
      error.code() == ErrorCode::io ? ErrorCode::compile : error.code();
  std::string_view message = error.message();
  // That of a bucket has a name of its own, which says more.
  if (const std::string named = problemTitle(problem.text()) + ": ";
      message.starts_with(named))
    message.remove_prefix(named.size());
  return Error(code, std::string(message)).in(headline(problem));
}

Error failureOf(const LayerRequest &request, const Error &error) {
  const Error failure = failureOf(request.problem, error);
  const std::string &module = request.origin.module;
  return module.empty() ? failure : failure.in(module);
}

ExitCode reportFailure(const LayerRequest &request, const Error &error,
                       const KernelOptions &options) {
  const Problem &problem = request.problem;
  const Error failure = failureOf(request, error);
  if (options.json)
    print(withOrigin(jsonLine([&](llvm::json::OStream &out) {
                       writeText(out, "problem", problem.text());
                       writeText(out, "dtype", problem.types().text());
                       writeText(out, "error", failure.message());
                     }),
                     request.origin));
  return printError(failure);
}

} // namespace lintel::tool
