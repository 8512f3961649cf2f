// SPDX-License-Identifier: MIT
// tests/support/no_compiler.hpp — whether tests of device code can run here.
#pragma once
#include <string>
#include "core/base/error.hpp"
#include "core/cuda/code/runtime_compiler.hpp"

namespace synthoscope::test {

/// Returns the reason why nothing can be compiled here; empty if NVRTC was found.
inline std::string why_no_compiler() try {
  static_cast<void>(cuda::compiler_version());
  return {};
} catch (const CudaError& error) {
  return error.what();
}

}  // namespace synthoscope::test
