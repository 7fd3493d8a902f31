// The options that name element types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TypeOptions.h"

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
    return Error(ErrorCode::invalidArgument, std::string(toString(accumulate)) +
                                                 " is not what --dtype says, " +
                                                 types.text() +
                                                 "; leave one of the two out");
  DataTypes all = types;
  all.accumulate = accumulate;
  return all.check();
}

void addAccumulateOption(CommandParser parser, NamedTypes &named) {
  parser
      .addValue(
          "--accumulate",
          [&named](const std::string &text) -> Status {
            Expected<DType> sums = parseAccumulate(text);
            if (!sums)
              return sums.error();
            named.accumulate = *sums;
            return named.types ? checkSums(*named.types, *sums) : Status();
          },
          "what products may be summed in first, where that is faster: f16, of "
          "f16 and over short runs of K, or s16, of integers and over two, "
          "which saturates unless weights have seven bits [f32]")
      .takes("TYPE");
}

} // namespace

Expected<DataTypes> NamedTypes::over(DataTypes others) const {
  DataTypes all = types.value_or(others);
  if (!accumulate)
    return all;
  all.accumulate = *accumulate;
  if (Status legal = all.check(); !legal)
    return legal.error().in("--accumulate");
  return all;
}

void addTypeOptions(CommandParser parser, NamedTypes &named,
                    const std::string &help) {
  parser
      .addValue(
          "--dtype",
          [&named](const std::string &text) {
            return store(parseSupportedTypes(text), named.types);
          },
          help)
      .takes("TYPES");
  // Behind --dtype, which is read first.
  addAccumulateOption(parser, named);
}

} // namespace lintel::tool
