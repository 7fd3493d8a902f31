// What each ISA level has, and the text form of a target.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/Target.h"
#include "Basics/MessageText.h"
#include "Lintel/FieldText.h"

#include <algorithm>
#include <array>

namespace lintel {
namespace {

/// What one level has; `features` lists what it adds to the level below.
struct IsaTraits {
  std::string_view name;
  int64_t vectorBytes;
  int64_t vectorRegisters;
  bool fma;
  bool maskRegisters;
  std::vector<std::string_view> features;
};

const std::array<IsaTraits, 3> &isaTraits() {
  static const std::array<IsaTraits, 3> traits = {{
      {"x86_64", 16, 16, false, false, {"cx8", "fxsr", "mmx", "sse", "sse2"}},
      {"avx2",
       32,
       16,
       true,
       false,
       {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt",
        "sse3", "sse4.1", "sse4.2", "ssse3"}},
      {"avx512",
       64,
       32,
       true,
       true,
       {"avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"}},
  }};
  return traits;
}

const IsaTraits &traitsOf(IsaLevel isa) {
  return isaTraits()[static_cast<size_t>(isa)];
}

struct CountField {
  std::string_view name;
  int64_t Target::*member;
  int64_t largest;
};
constexpr std::array<CountField, 4> kCountFields = {{
    {"l1", &Target::l1, int64_t(1) << 40},
    {"l2", &Target::l2, int64_t(1) << 40},
    {"l3", &Target::l3, int64_t(1) << 40},
    {"cores", &Target::cores, int64_t(1) << 20},
}};

Expected<Extension> parseExtension(std::string_view name) {
  std::string known;
  for (Extension extension : kExtensions) {
    if (toString(extension) == name)
      return extension;
    known += (known.empty() ? "" : ", ") + std::string(toString(extension));
  }
  return Error(ErrorCode::parse, "extensions takes names joined by '+', of " +
                                     known + ", not '" + shortened(name) + "'");
}

/// "amx-bf16+amx-tile"
Expected<std::set<Extension>> parseExtensions(std::string_view text) {
  std::set<Extension> extensions;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('+', begin), text.size());
    Expected<Extension> extension =
        parseExtension(text.substr(begin, end - begin));
    if (!extension)
      return extension.error();
    extensions.insert(*extension);
    begin = end + 1;
  }
  return extensions;
}

std::string extensionsText(const std::set<Extension> &extensions) {
  std::string text;
  for (Extension extension : extensions)
    text += (text.empty() ? "" : "+") + std::string(toString(extension));
  return text;
}

/// A CPU name travels into function attributes and cache keys.
Status checkCpuName(std::string_view name) {
  bool valid =
      !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
      });
  if (!valid)
    return Error(
        ErrorCode::parse,
        "cpu takes a name of letters, digits, '.', '_' and '-', not '" +
            shortened(name) + "'");
  return {};
}

} // namespace

std::string_view toString(Extension extension) {
  switch (extension) {
  case Extension::amxBf16:
    return "amx-bf16";
  case Extension::amxEmulation:
    return "amx-emulation";
  case Extension::amxFp16:
    return "amx-fp16";
  case Extension::amxInt8:
    return "amx-int8";
  case Extension::amxTile:
    return "amx-tile";
  case Extension::avx512Emulation:
    return "avx512-emulation";
  case Extension::avx512Bf16:
    return "avx512bf16";
  case Extension::avx512Fp16:
    return "avx512fp16";
  case Extension::avx512Vnni:
    return "avx512vnni";
  case Extension::avxVnni:
    return "avxvnni";
  }
  return "";
}

IsaLevel levelOf(Extension extension) {
  return extension == Extension::avxVnni ? IsaLevel::avx2 : IsaLevel::avx512;
}

std::string_view toString(IsaLevel isa) { return traitsOf(isa).name; }

Expected<IsaLevel> parseIsaLevel(std::string_view name) {
  for (size_t level = 0; level < isaTraits().size(); ++level)
    if (isaTraits()[level].name == name)
      return static_cast<IsaLevel>(level);
  return Error(ErrorCode::parse, "isa takes " + isaLevelNames() + ", not '" +
                                     shortened(name) + "'");
}

std::string isaLevelNames() {
  std::vector<std::string_view> names;
  for (const IsaTraits &level : isaTraits())
    names.push_back(level.name);
  return listOf(names, "or");
}

int64_t Target::vectorBytes() const { return traitsOf(isa).vectorBytes; }
int64_t Target::vectorRegisters() const {
  return traitsOf(isa).vectorRegisters;
}
bool Target::hasFma() const { return traitsOf(isa).fma; }
bool Target::hasMaskRegisters() const { return traitsOf(isa).maskRegisters; }

bool Target::hasHalfConversions() const { return isa >= IsaLevel::avx2; }

static bool isEmulation(Extension extension) {
  return extension == Extension::amxEmulation ||
         extension == Extension::avx512Emulation;
}

static bool isOfAmx(Extension extension) {
  return toString(extension).starts_with("amx-");
}

bool Target::multipliesTilesOf(DType weight) const {
  return (weight == DType::bf16 && has(Extension::amxBf16)) ||
         (weight == DType::f16 && has(Extension::amxFp16)) ||
         (weight == DType::s8 && has(Extension::amxInt8));
}

std::vector<std::string> Target::features() const {
  std::vector<std::string> result;
  for (size_t level = 0; level <= static_cast<size_t>(levelOfCode()); ++level)
    for (std::string_view feature : isaTraits()[level].features)
      result.emplace_back(feature);
  for (Extension extension : extensions)
    if (!isEmulation(extension) && !(isOfAmx(extension) && emulatesTiles()))
      result.emplace_back(toString(extension));
  std::sort(result.begin(), result.end());
  return result;
}

std::string Target::featureString() const {
  std::string result;
  for (const std::string &feature : features())
    result += (result.empty() ? "+" : ",+") + feature;
  return result;
}

std::string Target::text() const {
  std::string result = "isa=" + std::string(toString(isa)) + ",cpu=" + cpu;
  for (const CountField &field : kCountFields)
    result += "," + std::string(field.name) + "=" +
              std::to_string(this->*field.member);
  if (!extensions.empty())
    result += ",extensions=" + extensionsText(extensions);
  return result;
}

Status Target::setField(std::string_view name, std::string_view value) {
  if (name == "isa") {
    Expected<IsaLevel> level = parseIsaLevel(value);
    if (!level)
      return level.error();
    isa = *level;
    return {};
  }
  if (name == "cpu") {
    if (Status status = checkCpuName(value); !status)
      return status;
    cpu = value;
    return {};
  }
  if (name == "extensions") {
    Expected<std::set<Extension>> parsed = parseExtensions(value);
    if (!parsed)
      return parsed.error();
    extensions = std::move(*parsed);
    return {};
  }
  for (const CountField &field : kCountFields) {
    if (field.name != name)
      continue;
    Expected<int64_t> count = parseCount(name, value, field.largest);
    if (!count)
      return count.error();
    this->*field.member = *count;
    return {};
  }
  return Error(ErrorCode::parse, "a target has no field '" + shortened(name) +
                                     "'; its fields are isa, cpu, l1, l2, "
                                     "l3, cores and extensions");
}

Status Target::check() const {
  for (const CountField &field : kCountFields)
    if (const NumberRange range = {1, field.largest};
        !range.holds(this->*field.member))
      return numberError(field.name, std::to_string(this->*field.member),
                         range);
  for (Extension extension : extensions)
    if (isa != levelOf(extension))
      return Error(
          ErrorCode::parse,
          "extension " + std::string(toString(extension)) +
              " needs isa=" + std::string(toString(levelOf(extension))) +
              ", not " + std::string(toString(isa)));
  for (Extension extension : extensions)
    if (isOfAmx(extension) && !has(Extension::amxTile))
      return Error(ErrorCode::parse, "extensions " +
                                         extensionsText(extensions) +
                                         " need amx-tile too");
  if (!emulatesVectors())
    return checkCpuName(cpu);
  for (Extension extension : extensions)
    if (!emulatesTiles() || !(isOfAmx(extension) || isEmulation(extension)))
      return Error(ErrorCode::parse,
                   "extension avx512-emulation goes with amx-emulation and "
                   "with others of AMX alone, not with " +
                       std::string(toString(extension)));
  return checkCpuName(cpu);
}

Expected<Target> Target::parse(std::string_view text) {
  Target target;
  Status status =
      parseFields(text, "target", "isa",
                  [&](std::string_view name, std::string_view value) {
                    return target.setField(name, value);
                  });
  if (!status)
    return status.error();
  if (Status sound = target.check(); !sound)
    return sound.error().in("target");
  return target;
}

} // namespace lintel
