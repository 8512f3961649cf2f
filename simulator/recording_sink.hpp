// SPDX-License-Identifier: MIT
// simulator/recording_sink.hpp — stores photons, and what a camera records of exactly those.
#pragma once
#include "core/run/host_buffer.hpp"
#include "fftconv/planes/beside_sink.hpp"

namespace synthoscope::simulator {

/// Writes every box of float32 photons to one sink and what `camera` makes of it to another, so
/// that the recorded counts belong to the stored photons bit for bit. References are kept alive by
/// the caller. Several threads may write at once when both sinks take any order.
class RecordingSink final : public fftconv::BesideSink {
 public:
  /// Bytes that counts need on their way to a sink of `order`: a plane where it takes whole ones.
  /// Else none: boxes are recorded in pieces that fit the stack.
  static std::int64_t room_bytes(const Extent3& extent, PixelType counts, BoxOrder order);

  /// `camera` keeps extents; `counts` has the type that it gives. `room` has room_bytes of it.
  RecordingSink(Sink& photons, Epilogue& camera, Sink& counts, HostBuffer<std::byte>& room);

  [[nodiscard]] Extent3 extent() const override { return photons_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  [[nodiscard]] BoxOrder accepts() const override;
  void write(const Box3& box, ConstVoxelView voxels) override;
  [[nodiscard]] Epilogue& beside() override { return camera_; }
  void write_both(const Box3& box, ConstVoxelView photons, ConstVoxelView counts) override;
  void close() override;

 private:
  /// What is recorded at once of a box: whole planes where they are wanted, else a few rows.
  [[nodiscard]] Extent3 piece_of(const Extent3& box) const;

  Sink& photons_;
  Epilogue& camera_;
  Sink& counts_;
  HostBuffer<std::byte>& room_;
};

}  // namespace synthoscope::simulator
