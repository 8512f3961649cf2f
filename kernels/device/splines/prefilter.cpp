// SPDX-License-Identifier: MIT
#include "kernels/device/splines/prefilter.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/assert.hpp"
#include "core/base/round_up.hpp"
#include "kernels/device/code/programs.hpp"
#include "kernels/device/code/strips.hpp"
#include "kernels/device/splines/prefilter_arguments.hpp"

namespace synthoscope::kernels::device {
namespace {

constexpr int kSplineThreads = 32 * kSplineWarps;
/// Returns the most results of a strip. If columns of planes are fitted, more would take shared
/// memory from other blocks: a warp keeps the indices of all its steps.
constexpr std::int64_t most_results(std::int64_t far) {
  return far > 0 ? 256 : 1024;
}

std::int64_t steps_of(std::int64_t strip, std::int64_t around) {
  return round_up<std::int64_t>(strip + 2 * around, kSplineGroup) + kSplineAhead;
}

/// Returns the shared memory of a block, in bytes; each of its warps goes along one strip.
std::int64_t shared_bytes(std::int64_t strip, std::int64_t around, std::int64_t far) {
  constexpr std::int64_t kSet = 4 * sizeof(float);
  return kSplineWarps * (32 * far * kSet + steps_of(strip, around) * std::int64_t{sizeof(int)});
}

/// Returns the planes whose rows and columns are fitted before columns along z: the planes of the
/// image that count.
Box3 fitted_planes(Boundary boundary, const SplineAxes& axes, const Box3& positions,
                   const Extent3& image) {
  Box3 planes = positions;
  if (axes.z) {
    const Box3 held = held_box(boundary, spline_positions(axes, positions), image);
    planes.origin.z = held.origin.z;
    planes.size.z = held.size.z;
  }
  return planes;
}

/// How an axis is divided among warps that go along it.
struct SplineStrips {
  std::int64_t strip, strips;
  int steps;
  cuda::LaunchShape shape;
};

/// Divides an axis of `results`.
/// @param beside   groups of lines next to each other, each with `results` to make
/// @param around   voxels that count on either side of a result, along the axis
/// @param far      sets of voxels that a lane holds in shared memory
SplineStrips strips_for(const cuda::GpuKernel& kernel, int multiprocessors, std::int64_t results,
                        std::int64_t beside, std::int64_t around, std::int64_t far) {
  const std::int64_t most = std::min(results, most_results(far));
  const std::int64_t blocks =
      std::max(1, kernel.blocks_at_once(kSplineThreads, shared_bytes(most, around, far)));
  SplineStrips made{};
  made.strip = strip_of({.results = results,
                         .beside = beside,
                         .at_once = blocks * multiprocessors * kSplineWarps,
                         .reach = 2 * around + 1,
                         .most = most});
  made.strips = parts_of(results, made.strip);
  made.steps = static_cast<int>(steps_of(made.strip, around));
  made.shape = {{parts_of<std::int64_t>(beside * made.strips, kSplineWarps)},
                {32, kSplineWarps},
                shared_bytes(made.strip, around, far)};
  return made;
}

}  // namespace

std::vector<cuda::KernelName> DeviceSpline::kernels(PixelType type, const SplineAxes& axes) {
  const char* const source = "splines/prefilter.cuh";
  // Rows that are being loaded, and blocks at once: both leave registers for columns
  std::vector<cuda::KernelName> all{{source, fmt::format("fit_planes<{}, {}>", cuda_name(type),
                                                         axes.y ? "true, 4, 4" : "false, 8, 4")}};
  if (axes.z) all.push_back({source, "fit_columns<8, 7>"});
  return all;
}

DeviceSpline::DeviceSpline(const cuda::DeviceInfo& device, PixelType type, Boundary boundary,
                           const SplineAxes& axes)
    : multiprocessors_{device.multiprocessors}, boundary_{boundary}, axes_{axes} {
  const std::vector<cuda::KernelName> wanted = kernels(type, axes);
  planes_ = device_library().kernel(device, wanted[0]);
  if (axes.y)
    planes_->allow_shared(shared_bytes(most_results(kSplineFar), kSplineReach, kSplineFar));
  if (axes.z) columns_ = device_library().kernel(device, wanted[1]);
}

std::int64_t DeviceSpline::working_floats(Boundary boundary, const SplineAxes& axes,
                                          const Box3& positions, const Extent3& image) {
  return axes.z ? volume(fitted_planes(boundary, axes, positions, image).size) : 0;
}

void DeviceSpline::enqueue_planes(const cuda::Stream& stream, const DeviceWindow& in,
                                  const Box3& box, float fill, float* fitted) const {
  SplinePlanesArguments a;
  a.in = held_voxels(in);
  a.boundary = static_cast<int>(boundary_);
  a.fill = fill;
  a.z = box.origin.z;
  a.y = box.origin.y;
  a.x = box.origin.x;
  a.planes = box.size.z;
  a.rows = box.size.y;
  a.columns = box.size.x;
  a.tiles = parts_of<std::int64_t>(box.size.x, kSplineColumns);
  const SplineStrips strips =
      strips_for(*planes_, multiprocessors_, box.size.y, a.tiles * box.size.z,
                 axes_.y ? kSplineReach : 0, axes_.y ? kSplineFar : 0);
  a.strip = strips.strip;
  a.strips = strips.strips;
  a.steps = strips.steps;
  a.fitted = fitted;
  planes_->launch(stream, strips.shape, a);
}

void DeviceSpline::enqueue(const cuda::Stream& stream, const DeviceWindow& in,
                           const Box3& positions, float fill, float* coefficients,
                           float* working) const {
  if (!columns_) return enqueue_planes(stream, in, positions, fill, coefficients);
  const Box3 planes = fitted_planes(boundary_, axes_, positions, in.image);
  enqueue_planes(stream, in, planes, fill, working);
  const std::int64_t columns = positions.size.y * positions.size.x;
  SYNTHOSCOPE_ASSERT(columns, <, std::int64_t{1} << 31);
  SplineColumnsArguments a;
  a.fitted = working;
  a.in = {in.image.z, planes.origin.z, planes.size.z};
  a.boundary = static_cast<int>(boundary_);
  a.fill = fill;
  a.z = positions.origin.z;
  a.planes = positions.size.z;
  a.columns = static_cast<int>(columns);
  const SplineStrips strips = strips_for(*columns_, multiprocessors_, a.planes,
                                         parts_of<std::int64_t>(columns, 32), kSplineReach, 0);
  a.strip = strips.strip;
  a.strips = strips.strips;
  a.steps = strips.steps;
  a.coefficients = coefficients;
  columns_->launch(stream, strips.shape, a);
}

}  // namespace synthoscope::kernels::device
