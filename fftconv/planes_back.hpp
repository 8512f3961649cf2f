// SPDX-License-Identifier: MIT
// fftconv/planes_back.hpp — the third stage: wanted planes are transformed back and handed out.
#pragma once
#include <cstddef>
#include <span>
#include "core/run_context.hpp"
#include "fftconv/box_sums.hpp"
#include "fftconv/plane_access.hpp"
#include "fftconv/scratch.hpp"
#include "fftconv/transforms.hpp"
#include "fftconv/turns.hpp"

namespace synthoscope::fftconv {

/// Where finished voxels go, and the constant that was taken out of the image.
struct PlaneOutput {
  Epilogue* epilogue = nullptr;
  Sink* sink = nullptr;
  double mean = 0;
  const BoxSums* response = nullptr;  ///< null where nothing was taken out
  std::byte* waiting = nullptr;       ///< room for waiting_bytes()
};

/// Room for planes that wait until a sink may have them in order; 0 where it takes any box.
std::int64_t waiting_bytes(const Layout& layout, const WorkAxes& axes, int threads,
                           const Sink& sink);

/// Result planes that `spectra` holds from its first plane on, and the tile they belong to.
struct PlaneResult {
  Stretch planes;
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
