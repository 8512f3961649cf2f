// SPDX-License-Identifier: MIT
#include <algorithm>
#include "fftconv/plan/cuts/cost.hpp"

namespace synthoscope::fftconv {
namespace {

// Measured on one reference core (AVX-512, single precision, voxels in the caches): nanoseconds for
// a voxel to join one part, and for one part to join a voxel.
constexpr double kFoldCost = 0.6, kUnfoldCost = 0.4;

}  // namespace

double folding_seconds(double folded, double unfolded, Precision precision,
                       const MachineRates& rates) {
  return value_seconds(folded, kFoldCost, precision, rates) +
         value_seconds(unfolded, kUnfoldCost, precision, rates);
}

RunCost parts_cost(const Layout& l, const Problem& work, const Cut& cut,
                   const MachineRates& rates) {
  const auto count = [](std::int64_t n) { return static_cast<double>(n); };
  const auto lines = [&](double values, std::int64_t length) {
    return line_seconds(values, length, work.precision, rates);
  };
  const auto moved = [&](double values) {
    return values * 2 * count(l.real_bytes) / rates.memory_bytes_per_second;
  };
  const double parts = count(l.parts), image_planes = count(l.ring_planes);
  const double kernel_planes = count(l.kernel_planes), padded_half = count(l.row_reals) / 2;

  // Real and imaginary planes of image, kernel and result pass through XY as real ones do
  const double rows = image_planes * count(l.y.loaded) + kernel_planes * count(l.y.kernel_count) +
                      image_planes * count(l.y.wanted);
  const double row_values = parts * rows * count(l.half);
  const double plane_values =
      parts * (2 * image_planes + kernel_planes) * padded_half * count(l.transform.y);
  // Two columns for every pair of planes, each forward for image and kernel, and back
  const double column_values = parts * 3 * image_planes * padded_half * count(l.transform.y);

  const double image = count(l.z.loaded) * count(l.y.loaded) * count(work.image.x);
  const double kernel = count(l.z.kernel_count) * count(l.y.kernel_count) * count(l.x.kernel_count);
  const Extent3 wanted = wanted_extent(work);
  const double folds = folding_seconds(
      parts * (image + kernel), parts * static_cast<double>(volume(wanted)), work.precision, rates);

  RunCost cost;
  cost.compute_seconds = lines(row_values, l.half) + moved(row_values) +
                         lines(plane_values, l.transform.y) + moved(plane_values) +
                         lines(column_values, l.transform.z) + moved(column_values) + folds;
  // Whoever keeps all of the image reads it once
  const double times = cut.fold_on_device ? 1 : parts;
  cost.read_bytes =
      static_cast<std::int64_t>(std::min(times * image * count(work.image_voxel_bytes), 0x1p62));
  cost.written_bytes = volume(wanted) * work.result_voxel_bytes;
  if (cut.parts_on_disk) cost.scratch_bytes = kept_parts_voxels(l) * l.real_bytes;
  cost.scratch_moved_bytes = 2 * count(cost.scratch_bytes);
  return cost;
}

}  // namespace synthoscope::fftconv
