// SPDX-License-Identifier: MIT
#include "deconvolution/filters/fourier_volume.hpp"
#include <algorithm>
#include <memory>
#include "core/base/as_index.hpp"
#include "core/base/round_up.hpp"
#include "core/volume/boundary.hpp"
#include "fftconv/fft/line_transform.hpp"
#include "fftconv/row_reading.hpp"

namespace synthoscope::deconvolution {

std::int64_t transform_length_from(std::int64_t least) {
  while (!fftconv::can_transform(least)) ++least;
  return least;
}

std::int64_t transform_length_up_to(std::int64_t most) {
  while (!fftconv::can_transform(most)) --most;
  return most;
}

/// The lines along one axis. Line i begins at voxel i / inner * outer_apart + i % inner * apart.
struct FourierVolume::Lines {
  std::int64_t length, step;  ///< voxels of a line, and their distance
  std::int64_t count, inner, apart, outer_apart;
  [[nodiscard]] std::int64_t begin(std::int64_t i) const {
    return i / inner * outer_apart + i % inner * apart;
  }
};

FourierVolume::FourierVolume(const Extent3& extent, const RunContext& context)
    : context_{context}, extent_{extent}, voxels_{context.memory, volume(extent), "a spectrum"} {
  std::fill_n(voxels_.data(), voxels_.count(), std::complex<double>{});
}

void FourierVolume::add_kernel(const fftconv::Kernel& kernel, const Index3& center) {
  const Extent3 k = kernel.voxels->extent();
  fftconv::for_each_row(
      *kernel.voxels, context_.stop, [&](std::int64_t z, std::int64_t y, const auto* weights) {
        std::complex<double>* const to =
            row(wrapped_index(z - center.z, extent_.z), wrapped_index(y - center.y, extent_.y));
        for (std::int64_t x = 0; x < k.x; ++x)
          to[wrapped_index(x - center.x, extent_.x)] +=
              kernel.scale * (static_cast<double>(weights[x]) - kernel.background);
      });
}

void FourierVolume::forward() {
  transform_all(true);
}

void FourierVolume::inverse() {
  transform_all(false);
}

void FourierVolume::transform_all(bool is_forward) {
  const Extent3& e = extent_;
  const std::int64_t in_plane = e.y * e.x;
  for (const Lines& lines :
       {Lines{e.x, 1, e.z * e.y, e.z * e.y, e.x, 0}, Lines{e.y, e.x, e.z * e.x, e.x, 1, in_plane},
        Lines{e.z, in_plane, in_plane, in_plane, 1, 0}})
    if (lines.length > 1) transform(lines, is_forward);
}

void FourierVolume::transform(const Lines& lines, bool is_forward) {
  const auto& functions = *fftconv::available_lane_functions<double>().front();
  const std::int64_t lanes = functions.lanes, element = 2 * lanes;
  const auto transform =
      fftconv::make_line_transform(fftconv::FftLibrary::own, lines.length, functions);
  const std::vector<std::int64_t> order = fftconv::frequencies_of(*transform, lines.length, lanes);
  const double scale = is_forward ? 1 : 1 / static_cast<double>(lines.length);
  std::vector<HostBuffer<double>> of_threads;
  for (int i = 0; i < context_.pool.threads(); ++i)
    of_threads.emplace_back(context_.memory, lines.length * element, "lines to transform");

  // Voxel of element e, in the natural order of what is read or written
  const auto natural = [&](std::int64_t e, bool is_spectrum) {
    return (is_spectrum ? order[as_index(e)] : e) * lines.step;
  };
  context_.pool.for_each(parts_of(lines.count, lanes), [&](std::int64_t group) {
    const std::int64_t first = group * lanes, together = std::min(lanes, lines.count - first);
    double* const line = of_threads[as_index(TaskPool::slot())].data();
    std::fill_n(line, lines.length * element, 0.0);
    for (std::int64_t e = 0; e < lines.length; ++e)
      for (std::int64_t i = 0; i < together; ++i) {
        const auto voxel = voxels_.data()[lines.begin(first + i) + natural(e, !is_forward)];
        line[e * element + i] = voxel.real();
        line[e * element + lanes + i] = voxel.imag();
      }
    if (is_forward)
      transform->forward({line}, {line}, line);
    else
      transform->inverse({line}, {line}, line);
    for (std::int64_t e = 0; e < lines.length; ++e)
      for (std::int64_t i = 0; i < together; ++i)
        voxels_.data()[lines.begin(first + i) + natural(e, is_forward)] =
            scale * std::complex<double>{line[e * element + i], line[e * element + lanes + i]};
  });
}

}  // namespace synthoscope::deconvolution
