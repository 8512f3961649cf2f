// SPDX-License-Identifier: MIT
#include "fftconv/columns.hpp"
#include <algorithm>
#include <vector>

namespace synthoscope::fftconv {
namespace {

/// Where element e of a column stands, for a stack of `planes` planes from position 0.
std::vector<std::int64_t> stacked(std::int64_t length, std::int64_t planes, std::int64_t apart) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(length), kOutside);
  for (std::int64_t z = 0; z < planes; ++z) offsets[static_cast<std::size_t>(z)] = z * apart;
  return offsets;
}

/// Where the kernel's planes, stored in placement order, stand along z.
std::vector<std::int64_t> placed_kernel(const Layout& layout) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(layout.transform.z), kOutside);
  std::int64_t stored = 0;
  for (const Run& run : kernel_runs(layout.z, layout.transform.z))
    for (std::int64_t i = 0; i < run.count; ++i)
      offsets[static_cast<std::size_t>(run.position + i)] = stored++ * layout.plane_reals;
  return offsets;
}

/// Adds the wanted elements of a line to their planes.
template <class Real>
void add_line(const Real* line, const std::vector<std::int64_t>& offsets, std::int64_t element,
              Real* to) {
  for (std::size_t z = 0; z < offsets.size(); ++z)
    if (offsets[z] >= 0)
      for (std::int64_t i = 0; i < element; ++i)
        to[offsets[z] + i] += line[static_cast<std::int64_t>(z) * element + i];
}

}  // namespace

template <class Real>
void convolve_columns(const Layout& layout, const Transforms<Real>& transforms,
                      std::span<Scratch<Real>> scratch, Real* image, const Real* kernel,
                      Real* result, const RunContext& context) {
  const LaneKernels<Real>& k = *transforms.kernels;
  const auto steps = steps_of(transforms.z);
  const std::int64_t length = layout.transform.z, element = 2 * k.lanes;
  const auto image_offsets = stacked(length, layout.z.loaded, layout.plane_reals);
  const auto result_offsets = stacked(length, layout.z.wanted, layout.plane_reals);
  const auto kernel_offsets = placed_kernel(layout);
  // The transforms are unscaled; x contributes `half`, because it is a complex transform of half
  const auto scale =
      static_cast<Real>(1 / (static_cast<double>(length) * static_cast<double>(layout.transform.y) *
                             static_cast<double>(layout.half)));

  // A task is a stretch of columns that a thread finishes within a fraction of a second
  const std::int64_t columns = layout.column_reals / element;
  const std::int64_t grain = std::clamp<std::int64_t>((std::int64_t{1} << 16) / length, 1, columns);
  context.pool.for_ranges(columns, grain, [&](std::int64_t begin, std::int64_t end) {
    context.stop.check();
    const Scratch<Real>& s = scratch[static_cast<std::size_t>(TaskPool::slot())];
    Real* block = s.block.data();
    for (std::int64_t at = begin * element; at < end * element; at += element) {
      k.forward(steps, {kernel + at, kernel_offsets.data()}, {s.kernel.data()}, s.kernel.data());
      k.forward(steps, {image + at, image_offsets.data()}, {block}, block);
      k.multiply(block, s.kernel.data(), length, scale);
      if (result) {
        k.inverse(steps, {block}, {block}, block);
        add_line(block, result_offsets, element, result + at);
      } else {
        k.inverse(steps, {block}, {image + at, result_offsets.data()}, block);
      }
    }
    context.progress.advance(end - begin);
  });
}

template void convolve_columns(const Layout&, const Transforms<float>&, std::span<Scratch<float>>,
                               float*, const float*, float*, const RunContext&);
template void convolve_columns(const Layout&, const Transforms<double>&, std::span<Scratch<double>>,
                               double*, const double*, double*, const RunContext&);

}  // namespace synthoscope::fftconv
