// SPDX-License-Identifier: MIT
// fftconv/host/stages/pair_columns.hpp — the column stage for one part: complex planes, held as the
// half spectra of their real and imaginary planes.
#pragma once
#include <span>
#include <vector>
#include "core/run/run_context.hpp"
#include "fftconv/host/stages/scratch.hpp"
#include "fftconv/host/stages/transforms.hpp"
#include "fftconv/plan/cuts/decimation.hpp"

namespace synthoscope::fftconv {

/// Spectra of one part's planes, real and imaginary plane in turn, `plane_reals` apart.
template <class Real>
struct PairSpectra {
  Real* image = nullptr;                    ///< all M complex planes; overwritten by the result
  const Real* kernel = nullptr;             ///< those that hold something
  std::vector<std::int64_t> kernel_planes;  ///< which plane of the part each of them is, ascending
};

/// For every column and its twin at the negative frequency: cyclic convolution of length M of
/// image and kernel, in place of the image. Scaled for unfolding (decimation.hpp) by a plain sum.
template <class Real>
void convolve_pairs(const Layout& layout, const Decimation& decimation,
                    const Transforms<Real>& transforms, std::span<Scratch<Real>> scratch,
                    const PairSpectra<Real>& spectra, const RunContext& context);

extern template void convolve_pairs(const Layout&, const Decimation&, const Transforms<float>&,
                                    std::span<Scratch<float>>, const PairSpectra<float>&,
                                    const RunContext&);
extern template void convolve_pairs(const Layout&, const Decimation&, const Transforms<double>&,
                                    std::span<Scratch<double>>, const PairSpectra<double>&,
                                    const RunContext&);

}  // namespace synthoscope::fftconv
