// SPDX-License-Identifier: MIT
// simulator/device/phantom_arguments.hpp — arguments of the kernels that render. Host and device
// compile this file.
#pragma once
#include "simulator/phantom/flat/plain_phantom.hpp"

namespace synthoscope::simulator::device {

/// A box of voxels, written contiguously.
struct RenderArguments {
  PlainPhantom phantom;
  const HarmonicFactors* factors = nullptr;
  std::int64_t z = 0, y = 0, x = 0;                ///< of the first voxel
  std::int64_t planes = 0, rows = 0, columns = 0;  ///< of the box
  const std::uint16_t* labels = nullptr;           ///< of each object
  void* out = nullptr;
};

inline constexpr int kRenderColumns = 32, kRenderRows = 8;  ///< of a plane, per block

}  // namespace synthoscope::simulator::device
