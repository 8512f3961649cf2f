// SPDX-License-Identifier: MIT
// studio/preview/region.hpp — the part of a scene that a preview shows, and the light that it
// needs.
#pragma once
#include <memory>
#include <optional>
#include <vector>
#include "core/stream/stream.hpp"
#include "core/volume/box.hpp"
#include "simulator/optics/psf.hpp"
#include "simulator/scene/channels.hpp"

namespace synthoscope::studio {

/// The extent of a region that nobody chose, at most.
inline constexpr Extent3 kDefaultRegion{48, 192, 192};

/// Returns the region, widened to whole pixels of the cameras of all channels; if none is asked
/// for, the middle of the grid.
/// @throws InvalidSpec  it is empty or does not lie in the grid.
Box3 usable_region(const simulator::Grid& grid, const std::vector<simulator::Channel>& channels,
                   const std::optional<Box3>& asked);

/// What a blur reads and makes for a region.
struct BlurWindow {
  Box3 light;  ///< in the grid of the blur
  Box3 part;   ///< of the blurred `light`, as fftconv::Problem::part
};
BlurWindow blur_window(const simulator::SceneSpec& scene, const Box3& region,
                       const simulator::PsfSize& psf);

/// Returns a box that contains `box` in a grid, with some voxels more: light that is rendered there
/// also serves a PSF that is a little larger.
Box3 with_reserve(const Box3& box, const Extent3& grid);

/// A volume of which only a part has voxels.
class PlacedPart final : public Source {
 public:
  /// @param part  lies at `origin`, and must outlive this
  PlacedPart(Source& part, const Index3& origin, const Extent3& whole)
      : part_{part}, origin_{origin}, whole_{whole} {}
  [[nodiscard]] Extent3 extent() const override { return whole_; }
  [[nodiscard]] PixelType pixel_type() const override { return part_.pixel_type(); }
  /// @param box  lies in the part
  void read(const Box3& box, VoxelView out) override { part_.read(shifted(box, origin_, -1), out); }

 private:
  Source& part_;
  Index3 origin_;
  Extent3 whole_;
};

}  // namespace synthoscope::studio
