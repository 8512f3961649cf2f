// SPDX-License-Identifier: MIT
// tools/options/kernel.hpp — options about how a kernel file is to be understood.
#pragma once
#include "fftconv/kernel/use.hpp"
#include "tools/options/table.hpp"

namespace synthoscope::tools {

void describe(OptionTable& table, fftconv::KernelUse& use);

}  // namespace synthoscope::tools
