// SPDX-License-Identifier: MIT
#include "fftconv/host/stages/pair_columns.hpp"
#include "fftconv/host/stages/each_column.hpp"

namespace synthoscope::fftconv {

template <class Real>
void convolve_pairs(const Layout& layout, const Decimation& decimation,
                    const Transforms<Real>& transforms, std::span<Scratch<Real>> scratch,
                    const PairSpectra<Real>& spectra, const RunContext& context) {
  const LaneKernels<Real>& k = *transforms.kernels;
  const auto steps = steps_of(transforms.z);
  const std::int64_t length = decimation.planes, element = 2 * k.lanes;
  const std::int64_t line = length * element, apart = layout.plane_reals;
  std::vector<std::int64_t> image(static_cast<std::size_t>(length)), kernel(image);
  for (std::int64_t m = 0; m < length; ++m) image[static_cast<std::size_t>(m)] = 2 * m * apart;
  std::fill(kernel.begin(), kernel.end(), kOutside);
  for (std::size_t i = 0; i < spectra.kernel_planes.size(); ++i)
    kernel[static_cast<std::size_t>(spectra.kernel_planes[i])] =
        2 * static_cast<std::int64_t>(i) * apart;
  // The transforms are unscaled; x contributes `half`; splitting pairs doubles; unfolding takes 1/R
  const auto scale = static_cast<Real>(
      1 / (2 * static_cast<double>(decimation.parts) * static_cast<double>(length) *
           static_cast<double>(layout.transform.y) * static_cast<double>(layout.half)));

  for_each_column<
      Real>(layout, element, scratch, context, [&](std::int64_t column, const Scratch<Real>& s) {
    const std::int64_t at = column * element;
    Real* const plus = s.block.data();
    Real* const minus = plus + line;
    Real* const kernel_plus = s.kernel.data();
    Real* const kernel_minus = kernel_plus + line;
    k.join_pairs({spectra.kernel + at, kernel.data()}, apart, length, kernel_plus, kernel_minus);
    k.join_pairs({spectra.image + at, image.data()}, apart, length, plus, minus);
    for (auto [values, factors] : {std::pair{plus, kernel_plus}, {minus, kernel_minus}}) {
      k.forward(steps, {factors}, {factors}, factors);
      k.forward(steps, {values}, {values}, values);
      k.multiply(values, factors, length, scale);
      k.inverse(steps, {values}, {values}, values);
    }
    k.split_pairs(plus, minus, length, {spectra.image + at, image.data()}, apart);
  });
}

template void convolve_pairs(const Layout&, const Decimation&, const Transforms<float>&,
                             std::span<Scratch<float>>, const PairSpectra<float>&,
                             const RunContext&);
template void convolve_pairs(const Layout&, const Decimation&, const Transforms<double>&,
                             std::span<Scratch<double>>, const PairSpectra<double>&,
                             const RunContext&);

}  // namespace synthoscope::fftconv
