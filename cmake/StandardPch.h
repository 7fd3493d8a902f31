// What the rooms that touch no IR include: the standard library's headers and
// the public one that nearly all take, 0.1 s of each file, compiled once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lintel/DType.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
