// SPDX-License-Identifier: MIT
// simulator/phantom/phantom.hpp — what is there: nuclei placed on a grid, rendered on demand.
#pragma once
#include <cstdint>
#include <vector>
#include "core/run_context.hpp"
#include "core/stream.hpp"
#include "simulator/grid.hpp"
#include "simulator/phantom/nucleus.hpp"

namespace synthoscope::simulator {

/// A world of nuclei; number i has id i + 1. Immutable; any box of it can be rendered, by any
/// thread, in any order, with the same voxels.
struct Phantom {
  Grid grid;
  NucleiSpec spec;
  std::vector<Nucleus> nuclei;
};

/// What making and keeping the nuclei of `spec` takes, in bytes.
std::int64_t phantom_bytes(const NucleiSpec& spec);

/// Draws and places the nuclei of `spec`; the result is a function of (spec, grid, seed).
/// @throws InvalidSpec  `spec` or `grid` is out of range, or the nuclei cannot be placed without
///                      overlap: says how many fit.
/// @throws Interrupted  context.stop was set.
Phantom make_phantom(const NucleiSpec& spec, const Grid& grid, std::uint64_t seed,
                     const RunContext& context);

/// Photons per voxel and exposure that leave the phantom, float32:
///
///     photons_per_um3 * voxel volume * sum over nuclei of coverage * (1 + contrast * t(centre))
///
/// Terms are added in the order of ids, in double.
class PhantomSource final : public Source {
 public:
  explicit PhantomSource(const Phantom& phantom) : phantom_{phantom} {}
  [[nodiscard]] Extent3 extent() const override { return phantom_.grid.extent; }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  void read(const Box3& box, VoxelView out) override;

 private:
  const Phantom& phantom_;
};

/// Ids as uint16: the nucleus that contains the voxel's centre, the lowest id among several, 0 for
/// none.
class LabelSource final : public Source {
 public:
  explicit LabelSource(const Phantom& phantom) : phantom_{phantom} {}
  [[nodiscard]] Extent3 extent() const override { return phantom_.grid.extent; }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::uint16; }
  void read(const Box3& box, VoxelView out) override;

 private:
  const Phantom& phantom_;
};

}  // namespace synthoscope::simulator
