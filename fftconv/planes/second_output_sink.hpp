// SPDX-License-Identifier: MIT
// fftconv/planes/second_output_sink.hpp — a sink that stores a second value for every voxel, such
// as what a camera records of it.
#pragma once
#include "core/stream/stream.hpp"

namespace synthoscope::fftconv {

/// `write` computes the second values from the voxels. An executor that has computed them already,
/// on a device, passes both.
class SecondOutputSink : public Sink {
 public:
  /// Returns what computes them from voxels as they are stored, which are float32 if a device does
  /// it.
  [[nodiscard]] virtual Epilogue& second_epilogue() = 0;

  /// As `write`; `made` holds the second values of the voxels of `box`, as many as there are
  /// voxels.
  virtual void write_both(const Box3& box, ConstVoxelView voxels, ConstVoxelView made) = 0;
};

}  // namespace synthoscope::fftconv
