// SPDX-License-Identifier: MIT
// fftconv/planes/finish.hpp — the last step of a box: a constant's response, the epilogue, the
// sink.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>
#include "core/run/task_pool.hpp"
#include "core/stream/stream.hpp"
#include "fftconv/planes/access.hpp"
#include "fftconv/planes/mean_removal.hpp"
#include "fftconv/request.hpp"

namespace synthoscope::fftconv {

/// Where finished voxels go, and the constant that was taken out of the image.
struct PlaneOutput {
  Epilogue* epilogue = nullptr;
  Sink* sink = nullptr;
  double mean = 0;
  const BoxSums* response = nullptr;  ///< null where nothing was taken out
  std::byte* waiting = nullptr;       ///< room for waiting_bytes()
};

/// Adds mean * response to the voxels of a box of the work problem.
template <class Real>
void restore_mean(const PlaneOutput& output, const Box3& box, Real* voxels) {
  if (!output.response) return;
  for (std::int64_t z = 0; z < box.size.z; ++z)
    for (std::int64_t y = 0; y < box.size.y; ++y)
      for (std::int64_t x = 0; x < box.size.x; ++x, ++voxels)
        *voxels =
            static_cast<Real>(static_cast<double>(*voxels) +
                              output.mean * output.response->at(box.origin.z + z, box.origin.y + y,
                                                                box.origin.x + x));
}

/// Restores the mean, applies the epilogue into `native`, which has room for the box in any type,
/// and hands box and voxels to `give`.
template <class Real, class Give>
void finish_box(const PlaneOutput& output, const WorkAxes& axes, const Box3& box, Real* voxels,
                std::byte* native, Give&& give) {
  restore_mean(output, box, voxels);
  const Box3 real = axes.to_volume(box);
  const StreamFormat format = output.epilogue->format(real.size);
  const VoxelView out{native, format.type, format.extent};
  output.epilogue->apply(real, HostView3<const Real>{voxels, real.size}, out);
  give(box, out);
}

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
