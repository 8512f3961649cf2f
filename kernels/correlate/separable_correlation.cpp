// SPDX-License-Identifier: MIT
#include <algorithm>
#include "kernels/correlate/correlation.hpp"
#include "kernels/correlate/separable_tile.hpp"

namespace synthoscope::kernels {
namespace {

// Floats of a plane of a tile with the voxels around it, and of a ring of such planes: half of a
// second-level cache of 512 KiB
constexpr std::int64_t kCachedFloats = 65536;
constexpr std::int64_t kCachedPlane = 98304;  // without a ring
constexpr std::int64_t kLongestRow = 512;
constexpr std::int64_t kLongestColumn = 64;  // along z: planes around a tile are made again
constexpr std::int64_t kTallestTile = 128;

class SeparableCorrelation final : public TiledOperation {
 public:
  SeparableCorrelation(const NeighbourhoodSetting& setting, const SeparableStencil& stencil)
      : TiledOperation{setting, {stencil.extent, stencil.centre}}, passes_{stencil} {}
  [[nodiscard]] std::string_view stage() const override { return "filter"; }

 private:
  [[nodiscard]] Extent3 tile_of(const Extent3& box) const override;
  [[nodiscard]] SeparableLayout layout(const Extent3& tile) const {
    return {passes_, reach().extent, tile};
  }
  [[nodiscard]] std::int64_t scratch_floats(const Extent3& tile) const override {
    return layout(tile).floats();
  }
  void make_tile(const Window& in, const Box3& tile, float* scratch,
                 ResultRows& rows) const override {
    const SeparableLayout there = layout(tile.size);
    SeparableTile{setting(), passes_, there, in, tile.size, around(tile), scratch}.make(rows);
  }

  SeparablePasses passes_;
};

Extent3 SeparableCorrelation::tile_of(const Extent3& box) const {
  const Extent3& k = reach().extent;
  Extent3 tile{1, std::min<std::int64_t>(box.y, SeparableLayout::kTogether),
               std::min(box.x, kLongestRow)};
  if (passes_.goes_along_z)
    tile = {std::min(box.z, kLongestColumn + k.z), tile.y, std::min(box.x, kLongestRow / 2)};
  while (tile.y < std::min(box.y, kTallestTile)) {
    const Extent3 larger{tile.z, std::min(2 * tile.y, box.y), tile.x};
    const SeparableLayout l = layout(larger);
    // If caches are too small, at least as many rows as are copied again
    const std::int64_t cached = passes_.goes_along_z ? kCachedFloats : kCachedPlane;
    if (std::max(l.plane_floats(), l.ring_floats()) > cached && tile.y >= k.y) break;
    tile = larger;
  }
  return tile;
}

}  // namespace

std::unique_ptr<TiledOperation> make_separable_correlation(const NeighbourhoodSetting& setting,
                                                           const SeparableStencil& stencil) {
  require_usable(stencil);
  return std::make_unique<SeparableCorrelation>(setting, stencil);
}

}  // namespace synthoscope::kernels
