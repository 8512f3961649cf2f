// SPDX-License-Identifier: MIT
// bench/deconvolution/deconvolution_case.hpp — images and kernels that benches of deconvolution on
// GPUs share.
#pragma once
#include <algorithm>
#include <cmath>
#include <numeric>
#include "core/run/run_context.hpp"
#include "core/stream/memory_stream.hpp"
#include "deconvolution/iteration/geometry.hpp"

namespace synthoscope::deconvolution::bench {

struct Case {
  const char* name;
  Extent3 field, kernel;
};

inline std::uint32_t hashed(std::int64_t index) {
  auto i = (static_cast<std::uint64_t>(index) + 1) * 0x9E3779B97F4A7C15ull;
  i = (i ^ (i >> 30)) * 0xBF58476D1CE4E5B9ull;
  return static_cast<std::uint32_t>(i >> 48);  // 16 bits
}

/// Dim light with bright points, made on demand.
class MadeImage final : public Source {
 public:
  explicit MadeImage(const Extent3& extent) : extent_{extent} {}
  [[nodiscard]] Extent3 extent() const override { return extent_; }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  void read(const Box3& box, VoxelView out) override {
    const HostView3<float> to = out.as<float>();
    for (std::int64_t z = 0; z < box.size.z; ++z)
      for (std::int64_t y = 0; y < box.size.y; ++y)
        for (std::int64_t x = 0; x < box.size.x; ++x) {
          const std::uint32_t bits = hashed(
              ((box.origin.z + z) * extent_.y + box.origin.y + y) * extent_.x + box.origin.x + x);
          to(z, y, x) = static_cast<float>(bits < 64 ? 100 * bits : 20 + bits % 64);
        }
  }

 private:
  Extent3 extent_;
};

/// A bell of sum 1, with some noise.
inline Volume<float> make_kernel(const Extent3& e) {
  Volume<float> kernel{e};
  const auto off = [](std::int64_t at, std::int64_t size) {
    return size < 2 ? 0 : 6 * (static_cast<double>(at) / static_cast<double>(size - 1) - 0.5);
  };
  for (std::int64_t z = 0; z < e.z; ++z)
    for (std::int64_t y = 0; y < e.y; ++y)
      for (std::int64_t x = 0; x < e.x; ++x) {
        const double r2 =
            std::pow(off(z, e.z), 2) + std::pow(off(y, e.y), 2) + std::pow(off(x, e.x), 2);
        kernel.view()(z, y, x) = static_cast<float>(
            std::exp(-r2 / 2) * (0.5 + hashed((z * e.y + y) * e.x + x) * 0x1p-16));
      }
  const double sum = std::accumulate(kernel.voxels.begin(), kernel.voxels.end(), 0.0);
  for (float& voxel : kernel.voxels) voxel = static_cast<float>(voxel / sum);
  return kernel;
}

inline Geometry geometry_of(const Case& c) {
  return {c.field, c.kernel, {c.kernel.z / 2, c.kernel.y / 2, c.kernel.x / 2}};
}

/// What runs are given.
struct Here {
  TaskPool pool{available_threads()};
  MemoryBudget memory{std::int64_t{110} << 30};
  NoProgress progress;
  NoLog log;
  StopFlag stop;
  RunContext context{pool, memory, progress, log, stop};
};

}  // namespace synthoscope::deconvolution::bench
