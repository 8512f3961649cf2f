// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include "core/base/round_up.hpp"
#include "core/cuda/code/module.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "kernels/device/code/counted.hpp"
#include "kernels/device/code/programs.hpp"
#include "kernels/device/variance/direct_variance_arguments.hpp"
#include "kernels/device/variance/merge_by_merge.hpp"
#include "kernels/variance/device_variance.hpp"

namespace synthoscope::kernels::device {
namespace {

/// Lines are cut into strips of kStrip corners if there are fewer than kManyLines.
constexpr std::int64_t kStrip = 64, kManyLines = 1 << 18;

/// Statistics from sums along x, then y, then z if windows reach along it; every window is a
/// launch.
class IntegralVariance final : public DeviceOperation {
 public:
  IntegralVariance(const LocalVarianceSpec& spec, TellCounts tell)
      : spec_{spec},
        reach_{reach_of(spec.windows)},
        deep_{reach_.extent.z > 1 ? 1 : 0},
        tell_{std::move(tell)} {}

  [[nodiscard]] std::int64_t working_bytes(const Extent3& box) const override {
    return DeviceCounts::kBytes + sum_count(box) * std::int64_t{sizeof(IntegralSums)};
  }

  [[nodiscard]] std::vector<cuda::KernelName> kernels(const cuda::DeviceInfo&, PixelType type,
                                                      const Extent3&) const override {
    const char* const source = "variance/integral_variance.cuh";
    return {{source, fmt::format("sum_rows<{}>", cuda_name(type))},
            {source, "total_strips"},
            {source, "sum_lines"},
            {source, fmt::format("take_boxes<{}>", cuda_name(spec_.type))}};
  }

  void prepare(const cuda::DeviceContext& gpu, PixelType type, const Extent3& box,
               const cuda::Stream& stream) override {
    const std::vector<cuda::KernelName> wanted = kernels(gpu.device, type, box);
    rows_ = device_library().kernel(gpu.device, wanted[0]);
    totals_ = device_library().kernel(gpu.device, wanted[1]);
    lines_ = device_library().kernel(gpu.device, wanted[2]);
    boxes_ = device_library().kernel(gpu.device, wanted[3]);
    counts_.prepare(gpu, stream);
    sums_ = {};  // frees what a failed run left
    sums_ = {gpu.device.id, gpu.memory, sum_count(box), "sums up to corners"};
  }

  void enqueue_apply(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
                     std::span<std::byte* const> out) override {
    const Extent3 n = corners(box.size);
    const std::int64_t plane = n.y * n.x;
    const Index3& centre = reach_.centre;
    rows_->launch(stream, {{parts_of<std::int64_t>(n.z * n.y, kSumWarps)}, {kSumLanes, kSumWarps}},
                  RowSumsArguments{held_voxels(in), static_cast<int>(spec_.boundary),
                                   box.origin.z - centre.z, box.origin.y - centre.y,
                                   box.origin.x - centre.x, n.z, n.y, n.x, deep_, sums_.data()});
    sum_along(stream, {n.y, n.x}, {n.z, plane}, n);
    if (deep_ != 0) sum_along(stream, {n.z, plane}, {n.y, n.x}, n);
    BoxSumsArguments a;
    a.sums = {sums_.data(), plane, n.x};
    a.deep = deep_;
    a.counts = counts_.data();
    for (std::size_t window = 0; window < spec_.windows.size(); ++window) {
      const Extent3 half = half_reach(spec_.windows[window]);
      a.box = {plane,      n.x,        centre.z - half.z, centre.y - half.y, centre.x - half.x,
               box.size.z, box.size.y, box.size.x};
      a.planes = 2 * half.z + 1;
      a.rows = 2 * half.y + 1;
      a.columns = 2 * half.x + 1;
      a.statistics = statistic_places(spec_, window, out);
      boxes_->launch(stream, shape_for(a.box), a);
    }
  }

  void finish(const cuda::Stream& stream) override {
    tell_(counts_.finish(stream));
    sums_ = {};
  }

 private:
  /// Number of positions along an axis, and elements from one to the next.
  struct Along {
    std::int64_t count, apart;
  };

  void sum_along(const cuda::Stream& stream, const Along& line, const Along& other,
                 const Extent3& n) const {
    LineSumsArguments a;
    a.sums = sums_.data();
    a.columns = n.x;
    a.length = line.count;
    a.apart = line.apart;
    a.others = other.count;
    a.other_apart = other.apart;
    a.strips = strips_of(line.count, n.x * other.count);
    a.strip = parts_of<std::int64_t>(line.count, a.strips);
    const cuda::LaunchShape shape{
        {a.others * a.strips, parts_of<std::int64_t>(a.columns, kSumColumns)}, {kSumColumns}};
    if (a.strips > 1) {
      a.totals = sums_.data() + volume(n);
      totals_->launch(stream, shape, a);
    }
    lines_->launch(stream, shape, a);
  }

  static std::int64_t strips_of(std::int64_t length, std::int64_t lines) {
    return lines < kManyLines ? parts_of(length, kStrip) : 1;
  }
  /// Returns the most totals of strips for lines that are no more and no longer than these.
  static std::int64_t most_totals(std::int64_t length, std::int64_t lines) {
    return length > kStrip ? std::min(lines, kManyLines) * parts_of(length, kStrip) : 0;
  }
  [[nodiscard]] Extent3 corners(const Extent3& box) const {
    const Extent3& more = reach_.extent;
    return {box.z + more.z - 1 + deep_, box.y + more.y, box.x + more.x};
  }
  /// Returns the number of sums, with the totals of strips along y or z.
  [[nodiscard]] std::int64_t sum_count(const Extent3& box) const {
    const Extent3 n = corners(box);
    const std::int64_t along_y = most_totals(n.y, n.z * n.x),
                       along_z = deep_ != 0 ? most_totals(n.z, n.y * n.x) : 0;
    return volume(n) + std::max(along_y, along_z);
  }

  LocalVarianceSpec spec_;
  Reach reach_;
  int deep_;  ///< 1: windows reach along z
  TellCounts tell_;
  std::optional<cuda::GpuKernel> rows_, totals_, lines_, boxes_;
  cuda::DeviceBuffer<IntegralSums> sums_;
  DeviceCounts counts_;
};

}  // namespace

std::unique_ptr<DeviceOperation> make_device_integral_variance(const LocalVarianceSpec& spec,
                                                               TellCounts tell) {
  return std::make_unique<IntegralVariance>(spec, std::move(tell));
}

}  // namespace synthoscope::kernels::device
