// SPDX-License-Identifier: MIT
// fftconv/host/stages/planes_forward.hpp — the first stage: reads planes, places them and
// transforms them in XY.
#pragma once
#include <functional>
#include <span>
#include <vector>
#include "core/run/run_context.hpp"
#include "fftconv/axis.hpp"
#include "fftconv/host/stages/stage.hpp"
#include "fftconv/planes/access.hpp"

namespace synthoscope::fftconv {

/// The planes of an image or a kernel: their source, scale and place in the transform.
struct PlaneInput {
  Source* source = nullptr;
  std::vector<std::int64_t> plane_source;  ///< source plane of each stored plane
  std::vector<IndexRun> y_runs, x_runs;    ///< placement within the transform
  double scale = 1, background = 0;        ///< voxel -> scale * (voxel - background)
  std::vector<double> plane_scale;         ///< factor of each stored plane; empty means 1
  bool in_pairs = false;                   ///< planes 2i and 2i + 1 are read at once
};

PlaneInput image_input(const Layout& layout, const WorkAxes& axes, const Term& term, double mean);
PlaneInput kernel_input(const Layout& layout, const Kernel& kernel);

/// Planes of an input that are transformed; plane i is stored in slot i mod `slots`.
struct PlaneRange {
  std::int64_t first = 0, count = 0;
  std::int64_t slots = 1;
};

/// Announces to the source that a range of planes is read next.
void expect_planes(const PlaneInput& input, const PlaneRange& range, const WorkAxes& axes,
                   TaskPool& pool);

/// Reads a range of the planes of `input`, transforms each along x and y, and stores it in its
/// slot, at spectra + slot * plane_reals. Empty rows are neither read nor written.
template <class Real>
void transform_planes(const PlaneInput& input, const PlaneRange& range, const Layout& layout,
                      const WorkAxes& axes, const Transforms<Real>& transforms,
                      std::span<Scratch<Real>> scratch, Real* spectra, const RunContext& context);

extern template void transform_planes(const PlaneInput&, const PlaneRange&, const Layout&,
                                      const WorkAxes&, const Transforms<float>&,
                                      std::span<Scratch<float>>, float*, const RunContext&);
extern template void transform_planes(const PlaneInput&, const PlaneRange&, const Layout&,
                                      const WorkAxes&, const Transforms<double>&,
                                      std::span<Scratch<double>>, double*, const RunContext&);

}  // namespace synthoscope::fftconv
