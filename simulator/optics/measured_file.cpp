// SPDX-License-Identifier: MIT
#include "simulator/optics/measured_file.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/memory_stream.hpp"
#include "fftconv/row_reading.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kCacheBytes = std::int64_t{16} << 20;  // of chunks that rows come back to
constexpr double kCentroidShare = 0.1;                        // of the peak; noise is mostly below

VoxelSize pitch_of(const OpticsSpec& spec, const imageio::ImageInfo& info) {
  if (spec.file_pitch) return *spec.file_pitch;
  const auto known = info.voxel_size();
  if (!known)
    throw InvalidSpec(
        fmt::format("read the PSF {}: the file does not say how large its voxels are; give "
                    "optics.file_pitch_nm",
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

/// Where a Gaussian through three neighbours has its top, from the middle one, which is the
/// largest. Without light on both sides it has none: the middle.
double top_of_gaussian(double before, double middle, double after) {
  if (!(before > 0) || !(after > 0)) return 0;
  const double left = std::log(middle / before), right = std::log(middle / after);
  return left + right > 0 ? 0.5 * (left - right) / (left + right) : 0;
}

VoxelPosition peak_of(Source& kernel, const fftconv::KernelSummary& s) {
  const Index3& p = s.peak_index;
  const auto along = [&](const Index3& step, std::int64_t at, std::int64_t count) {
    if (at == 0 || at == count - 1) return static_cast<double>(at);
    const auto side = [&](std::int64_t sign) {
      return voxel(kernel, {p.z + sign * step.z, p.y + sign * step.y, p.x + sign * step.x}) -
             s.background;
    };
    return static_cast<double>(at) + top_of_gaussian(side(-1), s.peak, side(1));
  };
  return {along({1, 0, 0}, p.z, s.extent.z), along({0, 1, 0}, p.y, s.extent.y),
          along({0, 0, 1}, p.x, s.extent.x)};
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
  fftconv::require_usable(file.summary);
  if (!(file.summary.peak > 0) || !(file.summary.sum > 0))
    throw InvalidInput(fmt::format(
        "read the PSF {}: after its background of {:g} is taken off its sum is {:.3g} and its "
        "peak {:.3g}, and both must be positive; choose another optics.file_background",
        spec.file->string(), background, file.summary.sum, file.summary.peak));
  file.centre = centre_of_light(spec.file_center, voxels, file.summary, stop);
  return file;
}

}  // namespace synthoscope::simulator
