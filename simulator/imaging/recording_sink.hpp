// SPDX-License-Identifier: MIT
// simulator/imaging/recording_sink.hpp — stores photons, and what a camera records of exactly these
// photons.
#pragma once
#include "core/run/host_buffer.hpp"
#include "fftconv/planes/second_output_sink.hpp"

namespace synthoscope::simulator {

/// A sink that writes every box of float32 photons to one sink and the counts that `camera` makes
/// of it to another, so that the counts belong to the stored photons bit for bit. The caller keeps
/// references alive. Several threads may write at once if both sinks take any order.
class RecordingSink final : public fftconv::SecondOutputSink {
 public:
  /// Returns the bytes that counts need on their way to a sink of `order`: a plane if it takes
  /// whole planes. Otherwise 0: boxes are recorded in pieces that fit the stack.
  static std::int64_t room_bytes(const Extent3& extent, PixelType counts, BoxOrder order);

  /// `camera` keeps extents; `counts` has its type. `room` has room_bytes bytes.
  RecordingSink(Sink& photons, Epilogue& camera, Sink& counts, HostBuffer<std::byte>& room);

  [[nodiscard]] Extent3 extent() const override { return photons_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  [[nodiscard]] BoxOrder accepts() const override;
  void write(const Box3& box, ConstVoxelView voxels) override;
  [[nodiscard]] Epilogue& second_epilogue() override { return camera_; }
  void write_both(const Box3& box, ConstVoxelView photons, ConstVoxelView counts) override;
  void close() override;

 private:
  /// Returns the size in which a box is recorded: whole planes if the sinks want them, otherwise a
  /// few rows.
  [[nodiscard]] Extent3 piece_of(const Extent3& box) const;

  Sink& photons_;
  Epilogue& camera_;
  Sink& counts_;
  HostBuffer<std::byte>& room_;
};

}  // namespace synthoscope::simulator
