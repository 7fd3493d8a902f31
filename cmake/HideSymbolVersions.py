#!/usr/bin/env python3
"""Hides the versions of the symbols that a shared library defines."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   HideSymbolVersions.py LIBRARY
#
# As `name@VERSION` instead of `name@@VERSION` a symbol serves references to that version
# alone. Others without a version, such as those of inline functions of the C++ library in
# whatever is loaded later, no longer bind to it. A linker would not find such symbols
# either, so this is done when all have been linked. ELF, 64 bits, little-endian; the
# versions are the 16-bit numbers of the section .gnu.version, one for each dynamic symbol.
import struct
import sys

SHT_DYNSYM, SHT_GNU_VERSYM = 11, 0x6FFFFFFF
HIDDEN, FIRST_VERSION = 0x8000, 3


def sections(elf):
    """(type, offset, size) of each."""
    (start,) = struct.unpack_from("<Q", elf, 0x28)
    size, count = struct.unpack_from("<HH", elf, 0x3A)
    for i in range(count):
        header = start + i * size
        (kind,) = struct.unpack_from("<I", elf, header + 4)
        yield (kind, *struct.unpack_from("<QQ", elf, header + 0x18))


def hide(elf):
    """Sets the bit of every defined symbol with a version; returns how many."""
    found = {kind: (offset, size) for kind, offset, size in sections(elf)}
    symbols, _ = found[SHT_DYNSYM]
    versions, size = found[SHT_GNU_VERSYM]
    hidden = 0
    for i in range(size // 2):
        (section,) = struct.unpack_from("<H", elf, symbols + 24 * i + 6)
        (version,) = struct.unpack_from("<H", elf, versions + 2 * i)
        if section != 0 and version >= FIRST_VERSION:
            struct.pack_into("<H", elf, versions + 2 * i, version | HIDDEN)
            hidden += 1
    return hidden


def main(path):
    with open(path, "r+b") as file:
        elf = bytearray(file.read())
        if elf[:6] != b"\x7fELF\x02\x01":
            sys.exit(f"{path}: is no ELF file of 64 bits")
        if hide(elf) == 0:
            sys.exit(f"{path}: defines no symbol with a version")
        file.seek(0)
        file.write(elf)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: HideSymbolVersions.py LIBRARY")
    main(sys.argv[1])
