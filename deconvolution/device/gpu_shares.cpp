// SPDX-License-Identifier: MIT
#include "deconvolution/device/gpu_shares.hpp"
#include <algorithm>
#include <optional>
#include "core/base/error.hpp"
#include "deconvolution/device/code/arguments.hpp"
#include "deconvolution/device/plane_passes.hpp"
#include "deconvolution/device/resident_part.hpp"

namespace synthoscope::deconvolution {
namespace {

constexpr std::int64_t kFloat = sizeof(float), kDouble = sizeof(double);

/// A way to share a field is better than one with fewer GPUs if it takes less than this part of the
/// time.
constexpr double kBetter = 0.9;

/// Returns the bytes of what comes from the neighbours of share `i`.
std::int64_t shared_bytes(std::span<const GpuShare> shares, std::size_t i,
                          const fftconv::Plan& plan) {
  const fftconv::WorkAxes axes{plan};
  std::int64_t rows = 0;
  for (std::size_t other = 0; other < shares.size(); ++other)
    if (other != i) rows += device::shared_rows(shares[i].part, shares[other].part, axes).count();
  return rows * fftconv::device::spectrum_row_bytes(plan, shares[i].gpu);
}

Geometry whole_geometry(std::span<const GpuShare> shares) {
  Geometry geometry = shares.front().part.geometry;
  const Box3& last = shares.back().part.field;
  geometry.field = {last.origin.z + last.size.z, last.origin.y + last.size.y,
                    last.origin.x + last.size.x};
  return geometry;
}

/// Returns the expected seconds of half an iteration; nothing if it does not fit.
std::optional<double> seconds_of(std::span<const GpuShare> shares, bool has_momentum,
                                 std::int64_t device_bytes) {
  try {
    if (resident_bytes(shares, has_momentum) > device_bytes) return {};
    double most = 0;
    for (const fftconv::Plan& plan : device::plans_of(shares))
      most = std::max(most, fftconv::device::resident_seconds(plan));
    return most;
  } catch (const PlanError&) {  // its axes are too long
    return {};
  }
}

}  // namespace

std::vector<fftconv::Plan> device::plans_of(std::span<const GpuShare> shares) {
  const auto size = [](const GpuShare& one) { return volume(one.part.field.size); };
  const auto& largest =
      *std::max_element(shares.begin(), shares.end(),
                        [&](const GpuShare& a, const GpuShare& b) { return size(a) < size(b); });
  const Extent3 transform =
      fftconv::device::resident_plan(blur_problem(largest.part.geometry), largest.gpu).transform;
  std::vector<fftconv::Plan> plans;
  for (const GpuShare& one : shares)
    plans.push_back(
        fftconv::device::resident_plan(blur_problem(one.part.geometry), one.gpu, transform));
  return plans;
}

LinkBytes link_bytes(const Geometry& geometry, bool has_momentum, const VolumesOnHost& on_host) {
  const std::int64_t image = on_host.image ? kFloat * volume(geometry.field) : 0,
                     estimate = on_host.estimates ? kFloat * volume(estimate_extent(geometry)) : 0;
  return {image + (has_momentum ? 2 : 1) * estimate, estimate};
}

std::int64_t staged_bytes(const Geometry& geometry, bool has_momentum,
                          const VolumesOnHost& on_host) {
  return device::PlanePasses::kSlots * kFloat *
         device::slot_size(geometry, has_momentum, on_host).voxels;
}

std::vector<GpuShare> on_one_gpu(const Geometry& geometry, const cuda::DeviceInfo& gpu) {
  return {{gpu, parts_of_field(geometry, fftconv::kAlongZ, 1).front()}};
}

std::vector<GpuShare> share_field(const Geometry& geometry, bool has_momentum,
                                  std::span<const cuda::DeviceInfo> gpus,
                                  std::int64_t device_bytes) {
  std::vector<GpuShare> best;
  double least = 0;
  const auto all = static_cast<std::int64_t>(gpus.size());
  for (std::int64_t count = 1; count <= all; ++count)
    for (const fftconv::VolumeAxis& axis : {fftconv::kAlongZ, fftconv::kAlongY}) {
      if (count > most_parts(geometry, axis)) continue;
      std::vector<GpuShare> shares;
      for (const FieldPart& part : parts_of_field(geometry, axis, count))
        shares.push_back({gpus[shares.size()], part});
      const auto seconds = seconds_of(shares, has_momentum, device_bytes);
      const double wanted = (best.size() < shares.size() ? kBetter : 1) * least;
      if (!seconds || (!best.empty() && *seconds >= wanted)) continue;
      best = std::move(shares);
      least = *seconds;
    }
  return best;
}

std::int64_t resident_bytes(std::span<const GpuShare> shares, bool has_momentum,
                            const VolumesOnHost& on_host) {
  const Geometry whole = whole_geometry(shares);
  const std::vector<fftconv::Plan> plans = device::plans_of(shares);
  const std::int64_t estimates = on_host.estimates ? 0
                                 : has_momentum    ? 2
                                                   : 1,
                     images = on_host.image ? 0 : 1;
  std::int64_t most = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const FieldPart& part = shares[i].part;
    const std::int64_t voxels = estimates * volume(part.estimate.size) +
                                images * volume(part.field.size) + device::classes_of(whole),
                       rows = part.field.size.z * part.field.size.y;
    most = std::max(most, fftconv::sum_of(plans[i].device_memory) + kFloat * voxels +
                              kDouble * (rows + device::kSumPieces) +
                              shared_bytes(shares, i, plans[i]) +
                              staged_bytes(whole, has_momentum, on_host));
  }
  return most;
}

}  // namespace synthoscope::deconvolution
