// SPDX-License-Identifier: MIT
// simulator/recording_sink.hpp — stores photons, and what a camera records of exactly those.
#pragma once
#include "core/stream.hpp"

namespace synthoscope::simulator {

/// Writes every box of float32 photons to one sink and what `camera` makes of it to another, so
/// that the recorded counts belong to the stored photons bit for bit. References are kept alive by
/// the caller. Several threads may write at once when both sinks take any order.
class RecordingSink final : public Sink {
 public:
  /// `camera` keeps extents; `counts` has the type that it gives.
  RecordingSink(Sink& photons, Epilogue& camera, Sink& counts);

  [[nodiscard]] Extent3 extent() const override { return photons_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  [[nodiscard]] BoxOrder accepts() const override;
  void write(const Box3& box, ConstVoxelView voxels) override;
  void close() override;

 private:
  Sink& photons_;
  Epilogue& camera_;
  Sink& counts_;
};

}  // namespace synthoscope::simulator
