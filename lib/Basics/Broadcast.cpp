// Names of broadcasts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lintel/Broadcast.h"

namespace lintel {

std::string_view toString(Broadcast broadcast) {
  switch (broadcast) {
  case Broadcast::scalar:
    return "scalar";
  case Broadcast::column:
    return "column";
  case Broadcast::row:
    return "row";
  case Broadcast::full:
    return "full";
  }
  return "unknown";
}

Expected<Broadcast> parseBroadcast(std::string_view name) {
  for (Broadcast broadcast :
       {Broadcast::scalar, Broadcast::column, Broadcast::row, Broadcast::full})
    if (name == toString(broadcast))
      return broadcast;
  return Error(ErrorCode::invalidArgument,
               "unknown broadcast \"" + std::string(name) +
                   "\"; known: scalar, column, row, full");
}

} // namespace lintel
