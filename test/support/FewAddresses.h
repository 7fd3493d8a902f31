// A process that may have little more memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace lintel {

/// While it lives the process gets few addresses more, as by `ulimit -v`.
class FewAddresses {
public:
  explicit FewAddresses(rlim_t more) {
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    getrlimit(RLIMIT_AS, &before);
    const rlimit few = {pages * rlim_t(sysconf(_SC_PAGESIZE)) + more,
                        before.rlim_max};
    isSet = setrlimit(RLIMIT_AS, &few) == 0;
  }
  ~FewAddresses() { setrlimit(RLIMIT_AS, &before); }
  explicit operator bool() const { return isSet; }

private:
  rlimit before;
  bool isSet;
};

} // namespace lintel
