# Writes the names of what objects use and do not define, for LintelPackage.cmake.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   cmake -D nm=PROGRAM -D objects=RESPONSE_FILE
#         -D symbols=FILE -D map=FILE -D undefined=FILE -P PackageSymbols.cmake
execute_process(COMMAND ${nm} --undefined-only --format=just-symbols --quiet @${objects}
  OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" names "${names}")
# Headers of archives and of their members.
list(FILTER names EXCLUDE REGEX ":$")
# Each file has these of its own.
list(FILTER names EXCLUDE REGEX "^(_GLOBAL_OFFSET_TABLE_|__dso_handle|_Unwind_.*)$")
list(SORT names)
list(REMOVE_DUPLICATES names)

list(JOIN names "\n" lines)
file(WRITE ${symbols} "${lines}\n")
list(JOIN names ";\n" lines)
# The loader takes the first version for that of references without one.
file(WRITE ${map} "LINTEL_NOTHING {\nlocal: *;\n};\nLINTEL_CORE {\nglobal:\n${lines};\n};\n")
list(TRANSFORM names PREPEND "--undefined=")
list(JOIN names "\n" lines)
file(WRITE ${undefined} "${lines}\n")
