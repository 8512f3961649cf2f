// SPDX-License-Identifier: MIT
#include "simulator/optics/measured_file.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <utility>
#include "core/stream/memory_stream.hpp"
#include "fftconv/row_reading.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kCacheBytes = std::int64_t{16} << 20;  // of chunks that rows are read from
                                                              // again
constexpr double kCentroidShare = 0.1;                        // of the peak; noise is mostly below

VoxelSize pitch_of(const OpticsSpec& spec, const imageio::ImageInfo& info) {
  if (spec.file_pitch) return *spec.file_pitch;
  const auto known = info.voxel_size();
  if (!known)
    throw InvalidSpec(
        fmt::format("read the PSF {}: the file does not give the size of its voxels; give "
                    "optics.file_pitch_nm, or, without a scene, --file-pitch-um",
                    info.path.string()));
  return *known;
}

double voxel(Source& kernel, const Index3& at) {
  double value = 0;
  visit_pixel_type(kernel.pixel_type(), [&](auto zero) {
    Volume<decltype(zero)> one{{1, 1, 1}};
    kernel.read({at, {1, 1, 1}}, VoxelView{one.view()});
    value = static_cast<double>(one.voxels[0]);
  });
  return value;
}

/// Returns the top of a Gaussian through three neighbours, relative to the middle one, which is the
/// largest. Without light on both sides no Gaussian fits, and the result is 0.
double top_of_gaussian(double before, double middle, double after) {
  if (!(before > 0) || !(after > 0)) return 0;
  const double left = std::log(middle / before), right = std::log(middle / after);
  return left + right > 0 ? 0.5 * (left - right) / (left + right) : 0;
}

/// Light along a line of the file, read on demand.
struct Line {
  Source& kernel;
  const fftconv::KernelSummary& summary;
  Index3 through;
  int axis;  ///< 0: z, 1: y, 2: x

  [[nodiscard]] std::int64_t count() const {
    const Extent3& e = summary.extent;
    return axis == 0 ? e.z : axis == 1 ? e.y : e.x;
  }
  double operator[](std::int64_t i) const {
    Index3 at = through;
    (axis == 0 ? at.z : axis == 1 ? at.y : at.x) = i;
    return voxel(kernel, at) - summary.background;
  }
  /// Returns the first and last of the contiguous voxels that are as bright as the one at `at`.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> plateau(std::int64_t at) const {
    const double light = (*this)[at];
    std::int64_t first = at, last = at;
    while (first > 0 && (*this)[first - 1] == light) --first;
    while (last + 1 < count() && (*this)[last + 1] == light) ++last;
    return {first, last};
  }
};

/// Returns the top of a Gaussian along a line whose largest voxel is `at`. If a camera saturated,
/// the top lies within a plateau, and the two voxels on each side of the plateau determine it: the
/// logarithm of a Gaussian is a parabola.
double top_along(const Line& line, std::int64_t at) {
  const auto [first, last] = line.plateau(at);
  const double middle = 0.5 * static_cast<double>(first + last);
  if (first == 0 || last == line.count() - 1) return middle;
  const double before = line[first - 1], after = line[last + 1];
  if (first == last) return middle + top_of_gaussian(before, line[at], after);
  if (first < 2 || last > line.count() - 3) return middle;
  const double farther_before = line[first - 2], farther_after = line[last + 2];
  if (!(farther_before > 0 && farther_after > 0 && before > farther_before &&
        after > farther_after))
    return middle;
  const double gap = static_cast<double>(last - first + 2);
  const double slopes = std::log(before / farther_before) + std::log(after / farther_after);
  const double shift = (gap + 1) / gap * std::log(after / before) / slopes;
  return middle + std::clamp(shift, -0.5, 0.5);
}

/// Returns the peak: starts from the first of the brightest voxels, moves to the middle of their
/// plateau, then refines to a fraction of a voxel.
VoxelPosition peak_of(Source& kernel, const fftconv::KernelSummary& s) {
  constexpr int kRounds = 4;  // a convex plateau's middle is reached in two
  Index3 at = s.peak_index;
  std::int64_t* const places[] = {&at.z, &at.y, &at.x};
  for (int round = 0; round < kRounds; ++round)
    for (const int axis : {2, 1, 0}) {
      const auto [first, last] = Line{kernel, s, at, axis}.plateau(*places[axis]);
      *places[axis] = (first + last) / 2;
    }
  const auto along = [&](int axis) { return top_along(Line{kernel, s, at, axis}, *places[axis]); };
  return {along(0), along(1), along(2)};
}

VoxelPosition centroid_of(Source& kernel, const fftconv::KernelSummary& s, const StopFlag& stop) {
  double mass = 0;
  VoxelPosition sum;
  fftconv::for_each_row(kernel, stop, [&](std::int64_t z, std::int64_t y, const auto* row) {
    for (std::int64_t x = 0; x < s.extent.x; ++x) {
      const double light = static_cast<double>(row[x]) - s.background;
      if (light < kCentroidShare * s.peak) continue;
      mass += light;
      sum.z += light * static_cast<double>(z);
      sum.y += light * static_cast<double>(y);
      sum.x += light * static_cast<double>(x);
    }
  });
  return {sum.z / mass, sum.y / mass, sum.x / mass};
}

}  // namespace

VoxelPosition centre_of_light(FileCenter rule, Source& kernel,
                              const fftconv::KernelSummary& summary, const StopFlag& stop) {
  switch (rule) {
    case FileCenter::peak:
      return peak_of(kernel, summary);
    case FileCenter::centroid:
      return centroid_of(kernel, summary, stop);
    case FileCenter::middle:
      break;
  }
  const Extent3& e = summary.extent;
  return {0.5 * static_cast<double>(e.z - 1), 0.5 * static_cast<double>(e.y - 1),
          0.5 * static_cast<double>(e.x - 1)};
}

MeasuredFile open_measured(const OpticsSpec& spec, const StopFlag& stop) {
  MeasuredFile file;
  imageio::OpenOptions options;
  options.cache_bytes = kCacheBytes;
  file.image = imageio::open_image(*spec.file, options);
  file.pitch = pitch_of(spec, file.image.info);
  Source& voxels = *file.image.source;
  const double background = background_of(spec.file_background, voxels, stop);
  file.summary = fftconv::summarize(voxels, stop, background);
  fftconv::require_usable(file.summary, spec.file->string());
  if (!(file.summary.peak > 0) || !(file.summary.sum > 0))
    throw InvalidInput(fmt::format(
        "read the PSF {}: after subtracting a background of {:g}, its sum is {:.3g} and its peak "
        "{:.3g}, and both must be positive; choose another optics.file_background",
        spec.file->string(), background, file.summary.sum, file.summary.peak));
  file.centre = centre_of_light(spec.file_center, voxels, file.summary, stop);
  return file;
}

}  // namespace synthoscope::simulator
