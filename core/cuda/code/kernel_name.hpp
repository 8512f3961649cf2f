// SPDX-License-Identifier: MIT
// core/cuda/code/kernel_name.hpp — the name of a kernel within a library's device code.
#pragma once
#include <compare>
#include <string>

namespace synthoscope::cuda {

/// A kernel of a library: its source, such as "camera.cuh", and its name, such as "record<float>".
struct KernelName {
  std::string source, name;
  friend auto operator<=>(const KernelName&, const KernelName&) = default;
};

}  // namespace synthoscope::cuda
