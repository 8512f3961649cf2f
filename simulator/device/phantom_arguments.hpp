// SPDX-License-Identifier: MIT
// simulator/device/phantom_arguments.hpp — what the kernels that render are told; read by the
// compiler of the host and by that of devices.
#pragma once
#include "simulator/device/plain_phantom.hpp"

namespace synthoscope::simulator::device {

/// A box of voxels, written without gaps.
struct RenderArguments {
  PlainPhantom phantom;
  const HarmonicFactors* factors = nullptr;
  std::int64_t z = 0, y = 0, x = 0;                ///< of the first voxel
  std::int64_t planes = 0, rows = 0, columns = 0;  ///< the grid's z, and what its y and x cover
  const std::uint16_t* labels = nullptr;           ///< of each object
  void* out = nullptr;
};

inline constexpr int kRenderColumns = 32, kRenderRows = 8;  ///< of a plane, by a block

}  // namespace synthoscope::simulator::device
