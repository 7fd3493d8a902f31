# Checks that every #include points up the line of docs/architecture.md.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   python3 layering.py REPOSITORY
#
# The table of rooms in docs/architecture.md is the only statement of the order.
# A folder or file that it names belongs to that room; the longest name wins, so a
# public header belongs to the room that implements it.
import re
import sys
from dataclasses import dataclass
from pathlib import Path

TABLE_HEAD = re.compile(r"^\| *room *\| *folder *\|")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SOURCES = {".h", ".hpp", ".c", ".cpp", ".td", ".inc", ".def"}
# Where "Room/File.h" is looked for, as in cmake/LintelRoom.cmake.
ROOTS = ("include", "lib", "dialects")
# Public headers may stand beside any LLVM; those for embedders of IR need ours.
PUBLIC = ("include/lintel/", "include/lintel-c/")
PUBLIC_WITH_IR = "include/lintel/IR/"
LLVM = ("llvm/", "llvm-c/", "mlir/", "mlir-c/")
# Rooms that a kernel from the cache passes: their headers do without LLVM's, too, but for
# those that write JSON with its library.
ROOMS_WITHOUT_LLVM = {
    "Target", "Schedule", "TileEmulation", "JIT", "Runtime", "Cache", "Tuning", "Engine", "CAPI"}
HEADERS_OF_JSON = ("lib/Engine/HostJson.h", "lib/Engine/JsonAttributes.h")


class TableError(Exception):
    """docs/architecture.md has no table of rooms that can be read."""


@dataclass(frozen=True)
class Room:
    name: str
    place: int
    paths: tuple


@dataclass(frozen=True)
class Violation:
    path: str
    line: int
    message: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.message}"


def expand_braces(pattern):
    """lib/{A,B}.h -> lib/A.h, lib/B.h"""
    match = re.fullmatch(r"([^{]*)\{([^}]*)\}(.*)", pattern)
    if not match:
        return [pattern]
    head, choices, tail = match.groups()
    return [head + choice.strip() + tail for choice in choices.split(",")]


def read_rooms(document):
    """The rooms in the order of the first table headed "| room | folder |"."""
    rooms = []
    inside = False
    for line in document.splitlines():
        if TABLE_HEAD.match(line):
            inside = True
        elif inside and not line.startswith("|"):
            break
        elif inside and not re.match(r"^\|[-: |]+\|$", line):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            quoted = re.findall(r"`([^`]+)`", cells[1])
            paths = [path.rstrip("/") for q in quoted for path in expand_braces(q)]
            rooms.append(Room(cells[0], len(rooms), tuple(paths)))
    if not rooms:
        raise TableError('no table headed "| room | folder |"')
    for room in rooms:
        if not room.paths:
            raise TableError(f"room {room.name}: no `folder` in its row")
    return rooms


def room_of(rooms, path):
    """The room of a path relative to the repository, or None."""
    best, best_length = None, -1
    for room in rooms:
        for place in room.paths:
            inside = path == place or path.startswith(place + "/")
            if inside and len(place) > best_length:
                best, best_length = room, len(place)
    return best


def resolve(root, including, name):
    """The repository path that an include means, or None for third-party files."""
    beside = Path(including).parent / name
    for candidate in (beside, *(Path(base) / name for base in ROOTS)):
        if (root / candidate).is_file():
            return candidate.as_posix()
    # A generated file lies in the build tree under the name of its folder.
    for base in ROOTS:
        folder = Path(base) / Path(name).parts[0]
        if len(Path(name).parts) > 1 and (root / folder).is_dir():
            return (Path(base) / name).as_posix()
    return None


def is_public(path):
    return path.startswith(PUBLIC) and not path.startswith(PUBLIC_WITH_IR)


def is_header_without_llvm(path, room):
    return (path.startswith("lib/") and path.endswith(".h") and room.name in ROOMS_WITHOUT_LLVM
            and path not in HEADERS_OF_JSON)


def problem_with(root, rooms, path, room, name):
    """What is wrong with one include of the file `path`, or None."""
    if is_public(path) and name.startswith(LLVM):
        return f"public header includes {name}; public headers hold no LLVM or MLIR types"
    if is_header_without_llvm(path, room) and name.startswith(LLVM):
        return f"header of room {room.name} includes {name}; its headers hold no LLVM types"
    included = resolve(root, path, name)
    if included is None:
        return None
    if is_public(path) and not included.startswith("include/"):
        return f"public header includes {name}, which is not installed"
    target = room_of(rooms, included)
    if target is None:
        return f"includes {included}, which no room of docs/architecture.md owns"
    if target.place > room.place:
        return (
            f"room {room.name} includes {name} of room {target.name}, "
            f"which stands later in the line"
        )
    return None


def header_of_another_room(root, rooms, path, room):
    """The public header that the file `path` implements by its name, if another room has it:
    what the file includes would count as that of a room that is linked without it."""
    header = f"include/lintel/{Path(path).stem}.h"
    if not path.startswith("lib/") or not path.endswith(".cpp") or not (root / header).is_file():
        return None
    return header if room_of(rooms, header) != room else None


def check_file(root, rooms, path):
    room = room_of(rooms, path)
    if room is None:
        yield Violation(path, 1, "belongs to no room of docs/architecture.md")
        return
    if header := header_of_another_room(root, rooms, path, room):
        yield Violation(path, 1, f"implements {header} in room {room.name}, "
                                 "which is not the header's")
    text = (root / path).read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), start=1):
        match = INCLUDE.match(line)
        if not match:
            continue
        message = problem_with(root, rooms, path, room, match.group(2))
        if message:
            yield Violation(path, number, message)


def source_files(root):
    for base in ("include", "lib", "dialects", "tools"):
        for file in sorted((root / base).rglob("*")):
            if file.is_file() and file.suffix in SOURCES:
                yield file.relative_to(root).as_posix()


def check_tree(root):
    """Every violation in the repository at `root`, and how many files were read."""
    rooms = read_rooms((root / "docs/architecture.md").read_text(encoding="utf-8"))
    files = list(source_files(root))
    return [v for file in files for v in check_file(root, rooms, file)], len(files)


def main(root):
    try:
        violations, count = check_tree(root)
    except (OSError, TableError) as error:
        sys.exit(f"docs/architecture.md: {error}")
    for violation in violations:
        print(violation)
    print(f"{count} files, {len(violations)} includes against the line")
    return 1 if violations or not count else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: layering.py REPOSITORY")
    sys.exit(main(Path(sys.argv[1])))
