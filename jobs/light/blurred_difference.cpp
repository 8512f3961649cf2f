// SPDX-License-Identifier: MIT
#include "jobs/light/blurred_difference.hpp"
#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>
#include "core/volume/boundary.hpp"
#include "kernels/filters/filter.hpp"
#include "kernels/filters/named_filters.hpp"
#include "kernels/operation/run_bricks.hpp"

namespace synthoscope::jobs {
namespace {

/// Calls `visit(box of the row)` for all rows of a box.
template <class Visit>
void for_each_row(const Box3& box, Visit&& visit) {
  for (std::int64_t z = 0; z < box.size.z; ++z)
    for (std::int64_t y = 0; y < box.size.y; ++y)
      visit(z, y, Box3{{box.origin.z + z, box.origin.y + y, box.origin.x}, {1, 1, box.size.x}});
}

class Difference final : public Source {
 public:
  Difference(Source& a, Source& b) : a_{a}, b_{b} {}
  [[nodiscard]] Extent3 extent() const override { return a_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  void read(const Box3& box, VoxelView out) override {
    a_.read(box, out);
    const HostView3<float> to = out.as<float>();
    std::vector<float> other(static_cast<std::size_t>(box.size.x));
    for_each_row(box, [&](std::int64_t z, std::int64_t y, const Box3& row) {
      b_.read(row, HostView3<float>{other.data(), row.size});
      float* const voxels = to.row(z, y);
      std::transform(other.begin(), other.end(), voxels, voxels,
                     [](float less, float from) { return from - less; });
    });
  }

 private:
  Source &a_, &b_;
};

/// Adds up squares. The sum does not depend on the order of boxes, unless they share rows.
class SquareSum final : public Sink {
 public:
  explicit SquareSum(const Extent3& extent)
      : extent_{extent}, of_rows_(static_cast<std::size_t>(extent.z * extent.y)) {}
  [[nodiscard]] Extent3 extent() const override { return extent_; }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::any; }
  void close() override {}
  void write(const Box3& box, ConstVoxelView voxels) override {
    const auto view = voxels.as<float>();
    for_each_row(box, [&](std::int64_t z, std::int64_t y, const Box3& row) {
      double sum = 0;
      for (std::int64_t x = 0; x < box.size.x; ++x) {
        const auto voxel = static_cast<double>(view(z, y, x));
        sum += voxel * voxel;
      }
      of_rows_[static_cast<std::size_t>(row.origin.z * extent_.y + row.origin.y)] += sum;
    });
  }
  [[nodiscard]] double sum() const {
    return std::accumulate(of_rows_.begin(), of_rows_.end(), 0.0);
  }

 private:
  Extent3 extent_;
  std::vector<double> of_rows_;
};

}  // namespace

double blurred_difference(Source& a, Source& b, const std::array<double, 3>& sigmas,
                          const RunContext& context) {
  constexpr double kTruncate = 3;
  Difference difference{a, b};
  const Extent3 extent = a.extent();
  const auto filter =
      kernels::make_filter({extent, Boundary::nearest}, kernels::gaussian(sigmas, kTruncate));
  const std::int64_t used = context.memory.used();
  const kernels::BrickPlan plan =
      kernels::plan_bricks(*filter.operation, extent, PixelType::float32, BoxOrder::any,
                           {context.memory.limit() - used, used}, context.pool.threads());
  SquareSum squares{extent};
  Sink* const sinks[] = {&squares};
  kernels::run_bricks(plan, *filter.operation, difference, sinks, context);
  return squares.sum();
}

}  // namespace synthoscope::jobs
