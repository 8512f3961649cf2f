// SPDX-License-Identifier: MIT
// tools/kernel_options.hpp — options about how a kernel file is to be understood.
#pragma once
#include "fftconv/kernel_use.hpp"
#include "tools/option_table.hpp"

namespace synthoscope::tools {

void describe(OptionTable& table, fftconv::KernelUse& use);

}  // namespace synthoscope::tools
