// What an object must be before the linker sees it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "JIT/Loader.h"

#include "TileEmulation/TileEmulation.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace lintel {
namespace {

using Elf = llvm::object::ELFObjectFile<llvm::object::ELF64LE>;

Error corrupt(std::string message) {
  return Error(ErrorCode::corrupt, "kernel object: " + std::move(message));
}

std::string textOf(llvm::Error error) {
  return llvm::toString(std::move(error));
}

Status checkHeader(const Elf &elf) {
  const auto &header = elf.getELFFile().getHeader();
  if (header.e_machine != llvm::ELF::EM_X86_64)
    return corrupt("machine " + std::to_string(header.e_machine) +
                   " is not x86-64 (62)");
  if (header.e_type != llvm::ELF::ET_REL)
    return corrupt("file type " + std::to_string(header.e_type) +
                   " is not relocatable (1)");
  return {};
}

/// Code that runs at load time, sections that lie outside the file, or tables
/// for unwinding: kernels throw nothing and have none, and the linker, which
/// goes by the name, takes what stands in them on trust.
Status checkSections(const Elf &elf) {
  auto sections = elf.getELFFile().sections();
  if (!sections)
    return corrupt("section table: " + textOf(sections.takeError()));
  for (const auto &section : *sections) {
    if (section.sh_type == llvm::ELF::SHT_INIT_ARRAY ||
        section.sh_type == llvm::ELF::SHT_PREINIT_ARRAY ||
        section.sh_type == llvm::ELF::SHT_FINI_ARRAY)
      return corrupt("has code that would run when it is loaded or unloaded");
    auto name = elf.getELFFile().getSectionName(section);
    if (!name)
      return corrupt("section name: " + textOf(name.takeError()));
    if (*name == ".eh_frame" || section.sh_type == llvm::ELF::SHT_X86_64_UNWIND)
      return corrupt("has a table for unwinding, '" + name->str() +
                     "'; kernels have none");
    if (section.sh_addralign > 4096)
      return corrupt("section alignment " +
                     std::to_string(section.sh_addralign) + " is over 4096");
    // Such memory takes no byte of the file, so that its size is anything.
    if (section.sh_type == llvm::ELF::SHT_NOBITS && section.sh_size > 0)
      return corrupt("has memory without contents, '" + name->str() +
                     "'; kernels have none");
    if (auto contents = elf.getELFFile().getSectionContents(section); !contents)
      return corrupt("section contents: " + textOf(contents.takeError()));
  }
  return {};
}

/// Bytes that a relocation of this type writes; 0 for types that the code
/// generator does not make.
uint64_t bytesWritten(uint32_t relocationType) {
  switch (relocationType) {
  case llvm::ELF::R_X86_64_PC32:
  case llvm::ELF::R_X86_64_PLT32:
  case llvm::ELF::R_X86_64_32:
  case llvm::ELF::R_X86_64_32S:
    return 4;
  case llvm::ELF::R_X86_64_64:
  case llvm::ELF::R_X86_64_PC64:
    return 8;
  default:
    return 0;
  }
}

/// Entries of the symbol table; symbol 0, which is none, among them.
Expected<uint64_t> countSymbols(const Elf &elf) {
  const auto &file = elf.getELFFile();
  auto sections = file.sections();
  if (!sections)
    return corrupt("section table: " + textOf(sections.takeError()));
  for (const auto &section : *sections)
    if (section.sh_type == llvm::ELF::SHT_SYMTAB) {
      auto symbols = file.symbols(&section);
      if (!symbols)
        return corrupt("symbol table: " + textOf(symbols.takeError()));
      return symbols->size();
    }
  return 0;
}

/// The linker writes where relocations say without looking, and reads symbol 0
/// through a null pointer.
Status checkRelocations(const Elf &elf) {
  const auto &file = elf.getELFFile();
  auto sections = file.sections();
  if (!sections)
    return corrupt("section table: " + textOf(sections.takeError()));
  Expected<uint64_t> symbols = countSymbols(elf);
  if (!symbols)
    return symbols.error();
  for (const auto &section : *sections) {
    if (section.sh_type == llvm::ELF::SHT_REL)
      return corrupt("has relocations without addends");
    if (section.sh_type != llvm::ELF::SHT_RELA)
      continue;
    auto target = file.getSection(section.sh_info);
    if (!target)
      return corrupt("relocated section: " + textOf(target.takeError()));
    auto relocations = file.relas(section);
    if (!relocations)
      return corrupt("relocations: " + textOf(relocations.takeError()));
    for (const auto &relocation : *relocations) {
      uint64_t size = bytesWritten(relocation.getType(/*isMips64EL=*/false));
      if (size == 0 || (*target)->sh_type == llvm::ELF::SHT_NOBITS ||
          (*target)->sh_size < size ||
          relocation.r_offset > (*target)->sh_size - size)
        return corrupt("relocation of type " +
                       std::to_string(relocation.getType(false)) +
                       " at offset " + std::to_string(relocation.r_offset) +
                       " is unknown or outside its section");
      uint32_t symbol = relocation.getSymbol(/*isMips64EL=*/false);
      if (symbol == 0 || symbol >= *symbols)
        return corrupt("relocation at offset " +
                       std::to_string(relocation.r_offset) + " names symbol " +
                       std::to_string(symbol) + "; there are symbols 1 to " +
                       std::to_string(*symbols - 1));
    }
  }
  return {};
}

/// What a kernel may refer to: it is defined wherever a kernel is loaded.
bool isAllowed(llvm::StringRef symbol) {
  return llvm::any_of(emulatedInstructions(),
                      [&](const EmulatedInstruction &instruction) {
                        return symbol == llvm::StringRef(instruction.symbol);
                      });
}

/// Whether a symbol is the address of code, as the reserved sections, such as
/// that of what the linker allocates, hold none.
bool isInCode(const Elf &elf, const llvm::object::ELFSymbolRef &symbol) {
  auto entry = elf.getSymbol(symbol.getRawDataRefImpl());
  if (!entry) {
    llvm::consumeError(entry.takeError());
    return false;
  }
  if ((*entry)->st_shndx == llvm::ELF::SHN_UNDEF ||
      (*entry)->st_shndx >= llvm::ELF::SHN_LORESERVE)
    return false;
  auto section = elf.getELFFile().getSection((*entry)->st_shndx);
  if (!section) {
    llvm::consumeError(section.takeError());
    return false;
  }
  constexpr uint64_t code = llvm::ELF::SHF_ALLOC | llvm::ELF::SHF_EXECINSTR;
  // A section of another type is none to the linker, whatever its flags.
  return (*section)->sh_type == llvm::ELF::SHT_PROGBITS &&
         ((*section)->sh_flags & code) == code &&
         (*entry)->st_value < (*section)->sh_size;
}

/// Nothing else undefined, and the entry point defined as a global function.
Status checkSymbols(const Elf &elf, std::string_view entry) {
  bool found = false;
  for (const llvm::object::ELFSymbolRef symbol : elf.symbols()) {
    auto name = symbol.getName();
    if (!name)
      return corrupt("symbol name: " + textOf(name.takeError()));
    auto flags = symbol.getFlags();
    if (!flags)
      return corrupt("symbol flags: " + textOf(flags.takeError()));
    if (*flags & llvm::object::SymbolRef::SF_Undefined && !name->empty() &&
        !isAllowed(*name))
      return corrupt("refers to the symbol '" + name->str() +
                     "'; kernels refer to none but the emulation of AMX");
    if (*name == llvm::StringRef(entry) &&
        *flags & llvm::object::SymbolRef::SF_Global &&
        symbol.getELFType() == llvm::ELF::STT_FUNC) {
      if (!isInCode(elf, symbol))
        return corrupt("does not define the function '" + std::string(entry) +
                       "' in a section of code");
      found = true;
    }
    if (*flags & llvm::object::SymbolRef::SF_Common)
      return corrupt("has memory without contents, '" + name->str() +
                     "'; kernels have none");
  }
  if (!found)
    return corrupt("does not define the function '" + std::string(entry) + "'");
  return {};
}

} // namespace

Status validateObject(std::span<const std::byte> object,
                      std::string_view symbol) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(object.data()),
                        object.size());
  // The object library asserts on a class it was not asked for, so look first.
  if (!bytes.starts_with("\x7f"
                         "ELF") ||
      bytes.size() < sizeof(llvm::ELF::Elf64_Ehdr))
    return corrupt("does not begin with an ELF header");
  if (bytes[llvm::ELF::EI_CLASS] != llvm::ELF::ELFCLASS64 ||
      bytes[llvm::ELF::EI_DATA] != llvm::ELF::ELFDATA2LSB)
    return corrupt("is not 64-bit little-endian ELF");
  auto parsed = Elf::create(llvm::MemoryBufferRef(bytes, "kernel"));
  if (!parsed)
    return corrupt(textOf(parsed.takeError()));
  if (Status status = checkHeader(*parsed); !status)
    return status;
  if (Status status = checkSections(*parsed); !status)
    return status;
  if (Status status = checkSymbols(*parsed, symbol); !status)
    return status;
  return checkRelocations(*parsed);
}

} // namespace lintel
