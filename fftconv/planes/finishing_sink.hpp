// SPDX-License-Identifier: MIT
// fftconv/planes/finishing_sink.hpp — a sink that applies an epilogue and writes to another sink.
#pragma once
#include <algorithm>
#include <vector>
#include "core/run/task_pool.hpp"
#include "core/stream/stream.hpp"
#include "fftconv/request.hpp"

namespace synthoscope::fftconv {

/// Applies an epilogue to computed planes and writes the result to another sink. The caller counts
/// its memory: a plane of stored results for each thread.
class FinishingSink final : public Sink {
 public:
  FinishingSink(Epilogue& epilogue, Sink& sink, const Extent3& computed, Precision precision,
                std::int64_t plane_voxels, int threads)
      : epilogue_{epilogue},
        sink_{sink},
        computed_{computed},
        precision_{precision},
        planes_(static_cast<std::size_t>(threads)) {
    for (auto& plane : planes_)
      plane.resize(static_cast<std::size_t>(plane_voxels * size_of(sink.pixel_type())));
  }
  [[nodiscard]] Extent3 extent() const override { return computed_; }
  [[nodiscard]] PixelType pixel_type() const override {
    return precision_ == Precision::float32 ? PixelType::float32 : PixelType::float64;
  }
  [[nodiscard]] BoxOrder accepts() const override { return sink_.accepts(); }

  void write(const Box3& box, ConstVoxelView voxels) override {
    const int slot = std::max(0, TaskPool::slot());
    const VoxelView made{planes_.at(static_cast<std::size_t>(slot)).data(), sink_.pixel_type(),
                         box.size};
    if (precision_ == Precision::float32)
      epilogue_.apply(box, voxels.as<float>(), made);
    else
      epilogue_.apply(box, voxels.as<double>(), made);
    sink_.write(box, made);
  }
  void close() override {}

 private:
  Epilogue& epilogue_;
  Sink& sink_;
  Extent3 computed_;
  Precision precision_;
  std::vector<std::vector<std::byte>> planes_;  ///< one a thread
};

}  // namespace synthoscope::fftconv
