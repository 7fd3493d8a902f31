// Objects that may meet the linker.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Codegen/Compiler.h"
#include "JIT/Loader.h"
#include "fuzz/Harness.h"
#include "fuzz/Properties.h"

#include "llvm/BinaryFormat/ELF.h"

namespace lintel::fuzz {
namespace {

/// A way to link a kernel, of which no code runs.
void checkLoads(Input object) {
  static const std::shared_ptr<Loader> loader = Loader::create().value();
  const auto kernel = loader->load(object, kKernelSymbol);
  if (kernel)
    check((*kernel)->function() != nullptr, "a loaded kernel can be called");
  else
    checkShownMessage(kernel.error());
}

void fuzzObject(Input object) {
  const Status valid = validateObject(object, kKernelSymbol);
  const Status other = validateObject(object, "lintel_kernel2");
  if (!other)
    checkShownMessage(other.error());
  if (!valid)
    return checkShownMessage(valid.error());
  noteTaken();
  checkLoads(object);
}

Bytes compiled(std::string_view layer, std::string_view schedule,
               std::string_view target, std::string_view types = "f32") {
  const Expected<Problem> problem =
      Problem::parse(layer, DataTypes::parse(types).value());
  auto compiler = Compiler::create(Target::parse(target).value());
  check(problem && compiler, "there is a compiler for a layer", layer);
  Expected<ObjectCode> object =
      (*compiler)->compile(*problem, Schedule::parse(schedule).value());
  check(bool(object), "a layer can be compiled",
        object ? "" : object.error().message());
  return std::move(object->bytes);
}

std::vector<Bytes> taken() {
  static const std::vector<Bytes> objects = {
      compiled("4x8:8x16 none", "tile=2x16", "isa=x86_64"),
      // With constants, which relocations lead to.
      compiled("?x8:8x16 bias+gelu_erf", "tile=2x16", "isa=x86_64"),
      // With calls of what the process provides.
      compiled("16x32:32x16", "tile=16x16,unit=amx,group=2,epilogue=tile",
               "isa=avx512,extensions=amx-bf16+amx-emulation+amx-tile", "bf16"),
  };
  return objects;
}

/// The object with code in sections of a type that has none, on which the
/// linker crashes.
Bytes withNullSections(Bytes object) {
  const auto &header =
      reinterpret_cast<const llvm::ELF::Elf64_Ehdr &>(object.front());
  auto *sections =
      reinterpret_cast<llvm::ELF::Elf64_Shdr *>(object.data() + header.e_shoff);
  for (unsigned i = 0; i < header.e_shnum; ++i)
    if (sections[i].sh_flags & llvm::ELF::SHF_EXECINSTR)
      sections[i].sh_type = llvm::ELF::SHT_NULL;
  return object;
}

std::vector<Bytes> refused() {
  const Bytes whole = taken().front();
  const Bytes header(whole.begin(), whole.begin() + 64);
  return {{},
          bytesOf("\x7f"
                  "ELF"),
          header,
          Bytes(whole.begin(), whole.end() - 1),
          withNullSections(whole),
          Bytes(whole.size(), std::byte(0))};
}

} // namespace

const Harness &objectHarness() {
  static const Harness harness = {"object",
                                  fuzzObject,
                                  taken,
                                  refused,
                                  {"lintel_kernel", ".text", ".rela.text",
                                   ".symtab", ".strtab", ".eh_frame",
                                   ".init_array"},
                                  4000};
  return harness;
}

} // namespace lintel::fuzz
