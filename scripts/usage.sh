# What scripts say of themselves: the comment at their head. They source this file first.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   source "$(dirname "${BASH_SOURCE[0]}")/usage.sh"     answers --help and ends
#   wrong_usage MESSAGE                                   ends with 2
#   no_arguments "$@"                                     the same, if there is one
#   is_preset WORD                                        whether CMake has such a preset; this
#   known_preset PRESET                                   and the next, wrong usage if it has
#                                                         not, are to be called in the root

# With it, `cd` prints where it went, and may go elsewhere.
unset CDPATH
usage_text=$(awk 'NR == 1 || /SPDX/ { next } !/^#/ { exit } { sub(/^# ?/, ""); print }' "$0")

wrong_usage() {
  printf '%s: %s\n%s\n' "$(basename "$0")" "$1" "$usage_text" >&2
  exit 2
}

no_arguments() {
  (($# == 0)) || wrong_usage "takes no arguments, not '$1'"
}

# Read before CMake is there: scripts/setup may have to install it.
is_preset() {
  grep -qF "\"name\": \"$1\", \"inherits\"" CMakePresets.json
}

known_preset() {
  local names
  is_preset "$1" && return
  names=$(sed -nE 's/.*"name": "([^"]*)", "inherits".*/\1/p' CMakePresets.json)
  wrong_usage "'$1' is no preset of CMakePresets.json; there are ${names//$'\n'/, }"
}

if [[ ${1-} == -h || ${1-} == --help ]]; then
  printf '%s\n' "$usage_text"
  exit 0
fi
