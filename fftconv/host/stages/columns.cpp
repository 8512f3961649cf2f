// SPDX-License-Identifier: MIT
#include "fftconv/host/stages/columns.hpp"
#include <algorithm>
#include <utility>
#include "fftconv/host/stages/stage.hpp"

namespace synthoscope::fftconv {
namespace {

/// Positions along z of the kernel's planes, which are stored in placement order.
std::vector<std::int64_t> placed_kernel(const Layout& layout) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(layout.transform.z), kOutside);
  std::int64_t stored = 0;
  for (const IndexRun& run : kernel_runs(layout.z, layout.transform.z))
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

/// The transforms are unscaled; x contributes `half`, because it is a complex transform of half.
template <class Real>
Real scale_of(const Layout& layout) {
  return static_cast<Real>(
      1 / (static_cast<double>(layout.transform.z) * static_cast<double>(layout.transform.y) *
           static_cast<double>(layout.half)));
}

/// Thin kernels: every result is a sum of products along z.
template <class Real>
void sum_columns(const Layout& layout, const RingTurn& turn, const LaneFunctions<Real>& k,
                 std::span<Scratch<Real>> scratch, const Real* kernel, const ColumnFlow<Real>& flow,
                 const RunContext& context) {
  const std::int64_t element = 2 * k.lanes, taps = layout.z.kernel_count;
  const auto partners = partner_offsets(layout, turn);
  std::vector<std::int64_t> planes(static_cast<std::size_t>(taps));
  for (std::int64_t j = 0; j < taps; ++j)
    planes[static_cast<std::size_t>(j)] = j * layout.plane_reals;
  const Real scale = scale_of<Real>(layout);
  for_each_column(layout, element, scratch, context,
                  [&](std::int64_t column, const Scratch<Real>&) {
                    const std::int64_t at = column * element;
                    for (std::int64_t v = 0; v < turn.result.count; ++v)
                      k.sum_of_products({flow.ring + at, partners.data() + v * taps},
                                        {kernel + at, planes.data()}, taps, scale,
                                        flow.result + at + v * layout.plane_reals);
                  });
}

}  // namespace

template <class Real>
void transform_kernel(const Layout& layout, const Transforms<Real>& transforms,
                      std::span<Scratch<Real>> scratch, const Real* planes, Real* transfer,
                      const RunContext& context) {
  const std::int64_t element = 2 * transforms.functions->lanes;
  const auto placed = placed_kernel(layout);
  for_each_column(layout, element, scratch, context,
                  [&](std::int64_t column, const Scratch<Real>&) {
                    Real* to = transfer + column * element * layout.transform.z;
                    transforms.z->forward({planes + column * element, placed.data()}, {to}, to);
                  });
}

template <class Real>
void convolve_columns(const Layout& layout, const RingTurn& turn,
                      const Transforms<Real>& transforms, std::span<Scratch<Real>> scratch,
                      const KernelColumns<Real>& kernel, const ColumnFlow<Real>& flow,
                      const RunContext& context) {
  const LaneFunctions<Real>& k = *transforms.functions;
  if (layout.direct_z) return sum_columns(layout, turn, k, scratch, kernel.planes, flow, context);
  const LineTransform<Real>& z = *transforms.z;
  const std::int64_t length = layout.transform.z, element = 2 * k.lanes;
  const auto gathered = ring_offsets(layout, turn), scattered = result_offsets(layout, turn);
  const auto placed = placed_kernel(layout);
  const Real scale = scale_of<Real>(layout);

  for_each_column(
      layout, element, scratch, context, [&](std::int64_t column, const Scratch<Real>& s) {
        const std::int64_t at = column * element;
        Real* const block = s.block.data();
        const Real* transfer = s.kernel.data();
        if (kernel.transfer)
          transfer = kernel.transfer + at * length;
        else
          z.forward({kernel.planes + at, placed.data()}, {s.kernel.data()}, s.kernel.data());
        z.forward({flow.ring + at, gathered.data()}, {block}, block);
        k.multiply(block, transfer, length, scale);
        if (flow.accumulate) {
          z.inverse({block}, {block}, block);
          add_line(block, scattered, element, flow.result + at);
        } else {
          z.inverse({block}, {flow.result + at, scattered.data()}, block);
        }
      });
}

template <class Real>
void convolve_pairs(const Layout& layout, const Decimation& decimation,
                    const Transforms<Real>& transforms, std::span<Scratch<Real>> scratch,
                    const PairSpectra<Real>& spectra, const RunContext& context) {
  const LaneFunctions<Real>& k = *transforms.functions;
  const LineTransform<Real>& z = *transforms.z;
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
      z.forward({factors}, {factors}, factors);
      z.forward({values}, {values}, values);
      k.multiply(values, factors, length, scale);
      z.inverse({values}, {values}, values);
    }
    k.split_pairs(plus, minus, length, {spectra.image + at, image.data()}, apart);
  });
}

template void transform_kernel(const Layout&, const Transforms<float>&, std::span<Scratch<float>>,
                               const float*, float*, const RunContext&);
template void transform_kernel(const Layout&, const Transforms<double>&, std::span<Scratch<double>>,
                               const double*, double*, const RunContext&);
template void convolve_columns(const Layout&, const RingTurn&, const Transforms<float>&,
                               std::span<Scratch<float>>, const KernelColumns<float>&,
                               const ColumnFlow<float>&, const RunContext&);
template void convolve_columns(const Layout&, const RingTurn&, const Transforms<double>&,
                               std::span<Scratch<double>>, const KernelColumns<double>&,
                               const ColumnFlow<double>&, const RunContext&);
template void convolve_pairs(const Layout&, const Decimation&, const Transforms<float>&,
                             std::span<Scratch<float>>, const PairSpectra<float>&,
                             const RunContext&);
template void convolve_pairs(const Layout&, const Decimation&, const Transforms<double>&,
                             std::span<Scratch<double>>, const PairSpectra<double>&,
                             const RunContext&);

}  // namespace synthoscope::fftconv
