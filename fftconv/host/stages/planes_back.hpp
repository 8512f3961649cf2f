// SPDX-License-Identifier: MIT
// fftconv/host/stages/planes_back.hpp — the third stage: transforms planes of the result back and
// writes them.
#pragma once
#include <span>
#include "core/run/run_context.hpp"
#include "fftconv/host/stages/stage.hpp"
#include "fftconv/plan/cuts/ring_turns.hpp"
#include "fftconv/planes/finish.hpp"

namespace synthoscope::fftconv {

/// Returns the bytes of planes that wait for a sink that takes planes in order; 0 if it takes any
/// box.
std::int64_t waiting_bytes(const Layout& layout, const WorkAxes& axes, int threads,
                           const Sink& sink);

/// The result planes that `spectra` holds from its first plane on, and their tile.
struct PlaneResult {
  Interval planes;
  std::int64_t tile_y = 0, tile_x = 0;  ///< of the tile's first voxel in the result
};

/// Transforms result planes back, crops them, restores the mean, applies the epilogue and writes
/// boxes to the sink: slab by slab, or in batches of whole planes if the sink takes planes in
/// order.
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
