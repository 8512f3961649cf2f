// SPDX-License-Identifier: MIT
// fftconv/host/stages/planes_back.hpp — the third stage: wanted planes are transformed back and
// handed out.
#pragma once
#include <span>
#include "core/run/run_context.hpp"
#include "fftconv/host/stages/scratch.hpp"
#include "fftconv/host/stages/transforms.hpp"
#include "fftconv/plan/cuts/turns.hpp"
#include "fftconv/planes/finish.hpp"

namespace synthoscope::fftconv {

/// Room for planes that wait until a sink may have them in order; 0 where it takes any box.
std::int64_t waiting_bytes(const Layout& layout, const WorkAxes& axes, int threads,
                           const Sink& sink);

/// Result planes that `spectra` holds from its first plane on, and the tile they belong to.
struct PlaneResult {
  Interval planes;
  std::int64_t tile_y = 0, tile_x = 0;  ///< of the tile's first voxel in the result
};

/// Transforms result planes back, crops them, adds the constant's response, applies the epilogue
/// and writes. Boxes go out slab by slab, or, where the sink wants
/// planes in order, in batches of whole planes.
template <class Real>
void store_planes(const PlaneOutput& output, const PlaneResult& result, const Layout& layout,
                  const WorkAxes& axes, const Transforms<Real>& transforms,
                  std::span<Scratch<Real>> scratch, Real* spectra, const RunContext& context);

extern template void store_planes(const PlaneOutput&, const PlaneResult&, const Layout&,
                                  const WorkAxes&, const Transforms<float>&,
                                  std::span<Scratch<float>>, float*, const RunContext&);
extern template void store_planes(const PlaneOutput&, const PlaneResult&, const Layout&,
                                  const WorkAxes&, const Transforms<double>&,
                                  std::span<Scratch<double>>, double*, const RunContext&);

}  // namespace synthoscope::fftconv
