// SPDX-License-Identifier: MIT
// fftconv/host/stages/columns.hpp — the second stage: convolves columns along z, those of an image
// or those of one part.
#pragma once
#include <span>
#include <vector>
#include "core/run/run_context.hpp"
#include "fftconv/host/stages/stage.hpp"
#include "fftconv/plan/cuts/decimation.hpp"
#include "fftconv/plan/cuts/ring_turns.hpp"

namespace synthoscope::fftconv {

/// The kernel as columns need it: its plane spectra, transformed along z column by column on the
/// fly, or all of its columns transformed before.
template <class Real>
struct KernelColumns {
  const Real* planes = nullptr;    ///< layout.kernel_planes of them, in placement order
  const Real* transfer = nullptr;  ///< layout.transfer_reals; null if they are computed on the fly
};

/// Transforms all columns of the kernel's planes into `transfer`: T elements per column.
template <class Real>
void transform_kernel(const Layout& layout, const Transforms<Real>& transforms,
                      std::span<Scratch<Real>> scratch, const Real* planes, Real* transfer,
                      const RunContext& context);

/// Where the columns of one turn come from and go.
template <class Real>
struct ColumnFlow {
  Real* ring = nullptr;     ///< plane spectra of the image, in their slots
  Real* result = nullptr;   ///< result planes; may be `ring` where all results come in one turn
  bool accumulate = false;  ///< add to `result` instead of overwriting it
};

/// For every column: FFT of the turn's planes (zeros where there is none), times the FFT of the
/// kernel's planes at their places, inverse FFT, and only the turn's results are written. One read
/// and one write of the spectrum. A thin kernel's planes are summed along z instead, where the
/// layout says so.
template <class Real>
void convolve_columns(const Layout& layout, const RingTurn& turn,
                      const Transforms<Real>& transforms, std::span<Scratch<Real>> scratch,
                      const KernelColumns<Real>& kernel, const ColumnFlow<Real>& flow,
                      const RunContext& context);

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

extern template void transform_kernel(const Layout&, const Transforms<float>&,
                                      std::span<Scratch<float>>, const float*, float*,
                                      const RunContext&);
extern template void transform_kernel(const Layout&, const Transforms<double>&,
                                      std::span<Scratch<double>>, const double*, double*,
                                      const RunContext&);
extern template void convolve_columns(const Layout&, const RingTurn&, const Transforms<float>&,
                                      std::span<Scratch<float>>, const KernelColumns<float>&,
                                      const ColumnFlow<float>&, const RunContext&);
extern template void convolve_columns(const Layout&, const RingTurn&, const Transforms<double>&,
                                      std::span<Scratch<double>>, const KernelColumns<double>&,
                                      const ColumnFlow<double>&, const RunContext&);
extern template void convolve_pairs(const Layout&, const Decimation&, const Transforms<float>&,
                                    std::span<Scratch<float>>, const PairSpectra<float>&,
                                    const RunContext&);
extern template void convolve_pairs(const Layout&, const Decimation&, const Transforms<double>&,
                                    std::span<Scratch<double>>, const PairSpectra<double>&,
                                    const RunContext&);

}  // namespace synthoscope::fftconv
