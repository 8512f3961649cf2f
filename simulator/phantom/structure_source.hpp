// SPDX-License-Identifier: MIT
// simulator/phantom/structure_source.hpp — which structure of its object each voxel is.
#pragma once
#include <cstdint>
#include "core/stream/stream.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/phantom/structure.hpp"

namespace synthoscope::simulator {

/// Whether objects of a scene consist of structures: those of cells and of a tissue do.
bool has_structures(const PhantomSpec& spec, const Grid& grid);

/// Numbers of Structure as uint8, of the object that labels the voxel: that of the structures that
/// hold the voxel's centre which has the highest number. A strand thinner than a voxel has each
/// voxel of its cell that it runs through.
class StructureSource final : public Source {
 public:
  explicit StructureSource(const Phantom& phantom);
  [[nodiscard]] Extent3 extent() const override { return phantom_.grid.extent; }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::uint8; }

  /// Holds as many labels as the box has voxels.
  void read(const Box3& box, VoxelView out) override;

 private:
  const Phantom& phantom_;
  LabelSource labels_;
  ObjectIndex index_;
  PlacedStrands strands_;
};

}  // namespace synthoscope::simulator
