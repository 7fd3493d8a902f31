// Which bytes may meet the linker.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "JIT/Loader.h"
#include "TileEmulation/TileEmulation.h"
#include "unit/JIT/Objects.h"

#include "llvm/BinaryFormat/ELF.h"

#include <gmock/gmock.h>

using namespace lintel;
using ::testing::AllOf;
using ::testing::HasSubstr;

namespace {

constexpr const char *kLayer = "20x32:32x96 bias+gelu_erf";
constexpr const char *kTile = "tile=2x16";

/// "" when the object is accepted; refusals must be ErrorCode::corrupt.
std::string refusal(const Bytes &object,
                    std::string_view symbol = kKernelSymbol) {
  Status status = validateObject(object, symbol);
  if (status)
    return "";
  EXPECT_EQ(status.error().code(), ErrorCode::corrupt);
  EXPECT_FALSE(status.error().message().empty());
  return status.error().message();
}

const Bytes &goodObject() {
  static const Bytes object = objectOfLayer(kLayer, kTile);
  return object;
}

template <class Field>
Bytes withHeaderField(Field llvm::ELF::Elf64_Ehdr::*field, Field value) {
  Bytes object = goodObject();
  reinterpret_cast<llvm::ELF::Elf64_Ehdr *>(object.data())->*field = value;
  return object;
}

Bytes withIdent(unsigned index, unsigned char value) {
  Bytes object = goodObject();
  object[index] = std::byte(value);
  return object;
}

/// Where the first entry of the first section of this type lies.
size_t firstEntry(const Bytes &object, uint32_t type) {
  const auto &header =
      reinterpret_cast<const llvm::ELF::Elf64_Ehdr &>(object.front());
  const auto *sections = reinterpret_cast<const llvm::ELF::Elf64_Shdr *>(
      object.data() + header.e_shoff);
  for (unsigned i = 0; i < header.e_shnum; ++i)
    if (sections[i].sh_type == type)
      return sections[i].sh_offset;
  ADD_FAILURE() << "no section of type " << type;
  return 0;
}

/// The good object, its first relocation against this symbol.
Bytes withRelocationOf(uint32_t symbol) {
  Bytes object = goodObject();
  const size_t at = firstEntry(object, llvm::ELF::SHT_RELA);
  auto &relocation = reinterpret_cast<llvm::ELF::Elf64_Rela &>(object[at]);
  relocation.setSymbol(symbol);
  // With nothing but zeros here the linker would see that there is no symbol.
  auto &first = reinterpret_cast<llvm::ELF::Elf64_Sym &>(
      object[firstEntry(object, llvm::ELF::SHT_SYMTAB)]);
  first.st_size = 1;
  return object;
}

/// A kernel with its symbol as `change` leaves it.
template <class Change> Bytes withEntry(Change change) {
  Bytes object = objectOfIr(storingKernel(7));
  auto *symbol = reinterpret_cast<llvm::ELF::Elf64_Sym *>(
      object.data() + firstEntry(object, llvm::ELF::SHT_SYMTAB));
  while (symbol->getType() != llvm::ELF::STT_FUNC)
    ++symbol;
  change(*symbol);
  return object;
}

TEST(ValidateObject, AcceptsCompiledKernels) {
  EXPECT_EQ(refusal(goodObject()), "");
  EXPECT_EQ(refusal(objectOfIr(storingKernel(7))), "");
}

TEST(ValidateObject, RefusesAnotherSymbol) {
  EXPECT_THAT(refusal(goodObject(), "lintel_kernel2"),
              HasSubstr("does not define the function 'lintel_kernel2'"));
  EXPECT_NE(refusal(goodObject(), ""), "");
  // Defined, but a local function, as all but the kernel are.
  EXPECT_NE(refusal(goodObject(), "lintel_kernel_microkernel_2"), "");
}

TEST(ValidateObject, RefusesAnEntryThatIsNoFunction) {
  EXPECT_THAT(refusal(objectOfIr("@lintel_kernel = global i64 1")),
              HasSubstr("does not define the function"));
  EXPECT_THAT(
      refusal(objectOfIr("define internal void @lintel_kernel() { ret void }\n"
                         "@use = global ptr @lintel_kernel")),
      HasSubstr("does not define the function"));
}

TEST(ValidateObject, RefusesUndefinedSymbols) {
  EXPECT_THAT(refusal(objectOfIr("declare float @expf(float)\n"
                                 "define void @lintel_kernel(ptr %p) {\n"
                                 "  %x = load float, ptr %p\n"
                                 "  %y = call float @expf(float %x)\n"
                                 "  store float %y, ptr %p\n  ret void\n}")),
              HasSubstr("refers to the symbol 'expf'"));
  EXPECT_THAT(refusal(objectOfIr("@environ = external global ptr\n"
                                 "define ptr @lintel_kernel() {\n"
                                 "  %x = load ptr, ptr @environ\n"
                                 "  ret ptr %x\n}")),
              HasSubstr("'environ'"));
  EXPECT_THAT(
      refusal(objectOfIr("declare extern_weak void @maybe()\n" +
                         storingKernel(1) + "@keep = global ptr @maybe")),
      HasSubstr("'maybe'"));
}

TEST(ValidateObject, AcceptsCallsOfTheEmulationAlone) {
  auto calling = [](std::string_view symbol) {
    const std::string name(symbol);
    return objectOfIr("declare void @" + name +
                      "()\ndefine void @lintel_kernel() {\n  call void @" +
                      name + "()\n  ret void\n}");
  };
  for (const EmulatedInstruction &instruction : emulatedInstructions())
    EXPECT_EQ(refusal(calling(instruction.symbol)), "");
  for (std::string_view symbol :
       {"lintel_tmm_", "lintel_tmm_load2", "lintel_tmm_loa", "tmm_load"})
    EXPECT_THAT(refusal(calling(symbol)),
                AllOf(HasSubstr("refers to the symbol"), HasSubstr(symbol),
                      HasSubstr("none but the emulation of AMX")));
}

TEST(ValidateObject, RefusesCodeThatRunsWhenLoaded) {
  for (std::string kind : {"init_array", "fini_array", "preinit_array"})
    EXPECT_THAT(
        refusal(objectWithAssembly(
            {".section ." + kind + ",\"aw\",@" + kind, ".quad lintel_kernel"})),
        HasSubstr("would run when it is loaded"))
        << kind;
}

// Of which the linker adds up sizes that no file bounds.
TEST(ValidateObject, RefusesMemoryWithoutContents) {
  for (const std::vector<std::string> &lines :
       {std::vector<std::string>{".bss", ".zero 8"},
        std::vector<std::string>{".comm big,8,8"}})
    EXPECT_THAT(refusal(objectWithAssembly(lines)),
                HasSubstr("has memory without contents"))
        << lines.front();
}

TEST(ValidateObject, RefusesWildAlignment) {
  EXPECT_THAT(refusal(objectOfIr("@big = global i64 1, align 65536\n" +
                                 storingKernel(1))),
              AllOf(HasSubstr("alignment"), HasSubstr("65536")));
}

TEST(ValidateObject, RefusesWildRelocations) {
  // The linker would follow these without looking: past the section's end, or
  // of types that need a run-time system.
  struct Case {
    const char *content, *relocation;
  };
  for (const Case &c : {Case{"d: .quad 0", "d + 4, R_X86_64_64"},
                        Case{"d: .byte 0", "d, R_X86_64_PC32"},
                        Case{"d: .quad 0", "d, R_X86_64_TPOFF64"},
                        Case{"d: .quad 0", "d, R_X86_64_GLOB_DAT"}})
    EXPECT_THAT(
        refusal(objectWithAssembly(
            {".data", c.content,
             ".reloc " + std::string(c.relocation) + ", lintel_kernel"})),
        HasSubstr("relocation of type"))
        << c.relocation;
}

TEST(ValidateObject, RefusesRelocationsWithoutASymbol) {
  EXPECT_EQ(refusal(withRelocationOf(1)), "");
  for (uint32_t symbol : {0u, 1000u, ~0u})
    EXPECT_THAT(refusal(withRelocationOf(symbol)),
                AllOf(HasSubstr("names symbol " + std::to_string(symbol)),
                      HasSubstr("symbols 1 to ")));
}

TEST(ValidateObject, RefusesUnwindTables) {
  for (const char *section :
       {".eh_frame,\"a\",@unwind", ".eh_frame,\"a\",@progbits",
        ".other,\"a\",@unwind"})
    EXPECT_THAT(refusal(objectWithAssembly(
                    {".section " + std::string(section), ".quad 0"})),
                HasSubstr("unwind"))
        << section;
}

TEST(ValidateObject, RefusesAnEntryOutsideTheCode) {
  using Symbol = llvm::ELF::Elf64_Sym;
  EXPECT_EQ(refusal(withEntry([](Symbol &) {})), "");
  for (unsigned section :
       {unsigned(llvm::ELF::SHN_COMMON), unsigned(llvm::ELF::SHN_ABS),
        unsigned(llvm::ELF::SHN_XINDEX), 1u, 1000u})
    EXPECT_THAT(refusal(withEntry([&](Symbol &entry) {
                  entry.st_shndx = llvm::ELF::Elf64_Half(section);
                })),
                HasSubstr("'lintel_kernel' in a section of code"))
        << section;
  for (uint64_t value : {uint64_t(4096), ~uint64_t(0)})
    EXPECT_THAT(
        refusal(withEntry([&](Symbol &entry) { entry.st_value = value; })),
        HasSubstr("'lintel_kernel' in a section of code"))
        << value;
}

// The linker passes over such a section, and then looks for its symbol.
TEST(ValidateObject, RefusesCodeInASectionThatIsNone) {
  Bytes object = objectOfIr(storingKernel(7));
  auto &header = reinterpret_cast<llvm::ELF::Elf64_Ehdr &>(object.front());
  auto *sections =
      reinterpret_cast<llvm::ELF::Elf64_Shdr *>(object.data() + header.e_shoff);
  for (auto type : {llvm::ELF::SHT_NULL, llvm::ELF::SHT_NOTE}) {
    for (unsigned i = 0; i < header.e_shnum; ++i)
      if (sections[i].sh_flags & llvm::ELF::SHF_EXECINSTR)
        sections[i].sh_type = type;
    EXPECT_NE(refusal(object), "") << type;
  }
}

TEST(ValidateObject, RefusesOtherKindsOfElf) {
  using Header = llvm::ELF::Elf64_Ehdr;
  EXPECT_THAT(refusal(withIdent(llvm::ELF::EI_CLASS, llvm::ELF::ELFCLASS32)),
              HasSubstr("64-bit"));
  EXPECT_THAT(refusal(withIdent(llvm::ELF::EI_CLASS, 99)), HasSubstr("64-bit"));
  EXPECT_THAT(refusal(withIdent(llvm::ELF::EI_DATA, llvm::ELF::ELFDATA2MSB)),
              HasSubstr("little-endian"));
  EXPECT_THAT(refusal(withHeaderField<llvm::ELF::Elf64_Half>(
                  &Header::e_machine, llvm::ELF::EM_AARCH64)),
              AllOf(HasSubstr("machine"), HasSubstr("183")));
  EXPECT_THAT(refusal(withHeaderField<llvm::ELF::Elf64_Half>(
                  &Header::e_machine, llvm::ELF::EM_386)),
              HasSubstr("not x86-64"));
  for (auto type : {llvm::ELF::ET_DYN, llvm::ELF::ET_EXEC, llvm::ELF::ET_CORE,
                    llvm::ELF::ET_NONE})
    EXPECT_THAT(
        refusal(withHeaderField<llvm::ELF::Elf64_Half>(&Header::e_type, type)),
        HasSubstr("not relocatable"));
}

TEST(ValidateObject, RefusesWildSectionTables) {
  using Header = llvm::ELF::Elf64_Ehdr;
  for (uint64_t offset : {uint64_t(0), uint64_t(1), uint64_t(1) << 20,
                          ~uint64_t(0), ~uint64_t(0) - 63})
    EXPECT_NE(refusal(withHeaderField<llvm::ELF::Elf64_Off>(&Header::e_shoff,
                                                            offset)),
              "")
        << offset;
  for (unsigned count : {0u, 1u, 1000u, 65535u})
    EXPECT_NE(refusal(withHeaderField<llvm::ELF::Elf64_Half>(&Header::e_shnum,
                                                             count)),
              "")
        << count;
  for (unsigned size : {0u, 1u, 63u, 65535u})
    EXPECT_NE(refusal(withHeaderField<llvm::ELF::Elf64_Half>(
                  &Header::e_shentsize, size)),
              "")
        << size;
}

TEST(ValidateObject, RefusesOtherFiles) {
  EXPECT_NE(refusal({}), "");
  const std::string text =
      "This is no machine code, but a long enough file of plain text, which a "
      "careless reader would take for an ELF header.";
  Bytes bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  EXPECT_THAT(refusal(bytes), HasSubstr("ELF"));
  EXPECT_NE(refusal(Bytes(4096)), "");
}

TEST(ValidateObject, RefusesEveryTruncation) {
  const Bytes &good = goodObject();
  ASSERT_GT(good.size(), 1024u);
  for (size_t size = 0; size < good.size(); size += size < 128 ? 1 : 7)
    EXPECT_NE(refusal(Bytes(good.begin(), good.begin() + size)), "")
        << size << " of " << good.size() << " bytes";
  for (size_t cut = 1; cut <= 64; ++cut)
    EXPECT_NE(refusal(Bytes(good.begin(), good.end() - cut)), "")
        << cut << " bytes cut off";
}

/// A damaged byte may leave a valid file, but never brings the process down.
/// The copy ends at the end of its allocation, for the sanitizers.
TEST(ValidateObject, SurvivesDamagedBytes) {
  const Bytes good = objectOfIr(storingKernel(7));
  size_t refused = 0;
  for (size_t position = 0; position < good.size(); ++position)
    for (unsigned flip : {0x01u, 0x80u, 0xffu}) {
      Bytes damaged(good);
      damaged.shrink_to_fit();
      damaged[position] ^= std::byte(flip);
      refused += refusal(damaged) != "";
    }
  EXPECT_GT(refused, size_t(3 * 8)) << "header, section and symbol tables";
}

} // namespace
