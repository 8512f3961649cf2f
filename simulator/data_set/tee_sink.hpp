// SPDX-License-Identifier: MIT
// simulator/data_set/tee_sink.hpp — writes the same voxels to two sinks.
#pragma once
#include <memory>
#include <utility>
#include "core/stream/stream.hpp"

namespace synthoscope::simulator {

/// A sink that passes every box to two sinks of one extent and type.
class TeeSink final : public Sink {
 public:
  TeeSink(std::unique_ptr<Sink> one, std::unique_ptr<Sink> other)
      : one_{std::move(one)}, other_{std::move(other)} {
    SYNTHOSCOPE_ASSERT(one_->extent(), ==, other_->extent());
    SYNTHOSCOPE_ASSERT(name_of(one_->pixel_type()), ==, name_of(other_->pixel_type()));
  }
  [[nodiscard]] Extent3 extent() const override { return one_->extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return one_->pixel_type(); }
  [[nodiscard]] BoxOrder accepts() const override {
    return one_->accepts() == BoxOrder::any ? other_->accepts() : one_->accepts();
  }
  void write(const Box3& box, ConstVoxelView voxels) override {
    one_->write(box, voxels);
    other_->write(box, voxels);
  }
  void close() override {
    one_->close();
    other_->close();
  }

 private:
  std::unique_ptr<Sink> one_, other_;
};

}  // namespace synthoscope::simulator
