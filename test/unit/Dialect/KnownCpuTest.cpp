// Names of CPUs that LLVM knows, and others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/KnownCpu.h"

#include "llvm/TargetParser/Host.h"

#include <gmock/gmock.h>

using namespace lintel;
using testing::HasSubstr;

namespace {

Status checkCpu(std::string name) {
  Target target;
  target.cpu = std::move(name);
  return ir::checkCpuIsKnown(target);
}

TEST(KnownCpu, WhatLlvmDetectsIsKnown) {
  EXPECT_TRUE(checkCpu(llvm::sys::getHostCPUName().str()));
  for (const char *name : {"generic", "x86-64", "x86-64-v4", "haswell",
                           "cascadelake", "sapphirerapids", "znver5"})
    EXPECT_TRUE(checkCpu(name)) << name;
}

TEST(KnownCpu, OthersAreNamed) {
  for (const char *name : {"", "znver", "i686", "cortex-a72"}) {
    const Status refused = checkCpu(name);
    ASSERT_FALSE(refused) << name;
    EXPECT_THAT(refused.error().message(),
                HasSubstr("not '" + std::string(name) + "'"));
  }
}

} // namespace
