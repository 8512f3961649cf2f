// SPDX-License-Identifier: MIT
// fftconv/planes/beside_sink.hpp — a sink that stores something beside every voxel, such as what a
// camera records of it.
#pragma once
#include "core/stream/stream.hpp"

namespace synthoscope::fftconv {

/// `write` makes of voxels what is stored beside them. An executor that has done so already, where
/// the voxels were, hands over both.
class BesideSink : public Sink {
 public:
  /// What makes it, of voxels as they are stored: of float32 voxels where a device does.
  [[nodiscard]] virtual Epilogue& beside() = 0;

  /// As `write`. `made` is what beside() makes of the voxels of `box`, which it makes as many of.
  virtual void write_both(const Box3& box, ConstVoxelView voxels, ConstVoxelView made) = 0;
};

}  // namespace synthoscope::fftconv
