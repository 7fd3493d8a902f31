// The options that name element types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TypeOptions.h"

#include "ParseCheck.h"

namespace lintel::tool {

namespace {

/// What --dtype takes: types that layers can have.
Expected<DataTypes> parseSupportedTypes(const std::string &text) {
  Expected<DataTypes> types = DataTypes::parse(text);
  if (!types)
    return types;
  if (Status supported = types->check(); !supported)
    return supported.error();
  return types;
}

/// Whether --dtype and --accumulate, which are both given, go together.
Status checkSums(const DataTypes &types, DType accumulate) {
  if (types.accumulate != DType::f32 && types.accumulate != accumulate)
    return Error(ErrorCode::invalidArgument,
                 "--dtype says " + types.text() + "; leave one of the two out");
  DataTypes all = types;
  all.accumulate = accumulate;
  return all.check();
}

void addAccumulateOption(CLI::App &parser, NamedTypes &named) {
  parser
      .add_option_function<std::string>(
          "--accumulate",
          [&named](const std::string &text) {
            named.accumulate = parseAccumulate(text).value();
            if (!named.types)
              return;
            if (Status legal = checkSums(*named.types, *named.accumulate);
                !legal)
              throw CLI::ValidationError("--accumulate " + text,
                                         legal.error().message());
          },
          "what products may be summed in first, where that is faster: f16, of "
          "f16 and over short runs of K, or s16, of integers and over two, "
          "which saturates unless weights have seven bits [f32]")
      ->type_name("TYPE")
      ->check(parsesWith(parseAccumulate));
}

} // namespace

Expected<DataTypes> NamedTypes::over(DataTypes others) const {
  DataTypes all = types.value_or(others);
  if (!accumulate)
    return all;
  all.accumulate = *accumulate;
  if (Status legal = all.check(); !legal)
    return legal.error().in("--accumulate " +
                            std::string(toString(*accumulate)));
  return all;
}

void addTypeOptions(CLI::App &parser, NamedTypes &named,
                    const std::string &help) {
  parser
      .add_option_function<std::string>(
          "--dtype",
          [&named](const std::string &text) {
            named.types = parseSupportedTypes(text).value();
          },
          help)
      ->type_name("TYPES")
      ->check(parsesWith(parseSupportedTypes));
  // Behind --dtype: options are read in the order of their declarations.
  addAccumulateOption(parser, named);
}

} // namespace lintel::tool
