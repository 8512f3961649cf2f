// SPDX-License-Identifier: MIT
// simulator/phantom/structure_source.hpp — the structure that each voxel is part of, and the names
// of structures.
#pragma once
#include <cstdint>
#include "core/base/names.hpp"
#include "core/stream/stream.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/phantom/strands/structure.hpp"

namespace synthoscope::simulator {

inline constexpr NameTable<Structure, 13> kStructureNames{{
    {Structure::none, "none"},
    {Structure::filopodium, "filopodium"},
    {Structure::membrane, "membrane"},
    {Structure::cytoplasm, "cytoplasm"},
    {Structure::nucleus, "nucleus"},
    {Structure::nucleolus, "nucleolus"},
    {Structure::actin, "actin"},
    {Structure::microtubule, "microtubule"},
    {Structure::mitochondrion, "mitochondrion"},
    {Structure::vesicle, "vesicle"},
    {Structure::spot, "spot"},
    {Structure::other, "other"},
    {Structure::vacuole, "vacuole"},
}};

/// A source of numbers of Structure as uint8, for the object that labels the voxel: the highest
/// number among its structures that hold the voxel's centre. A strand thinner than a voxel marks
/// every voxel of its cell that it runs through. A finger that has no label, such as a retraction
/// fibre, marks voxels without a label as well.
class StructureSource final : public Source {
 public:
  explicit StructureSource(const Phantom& phantom);
  [[nodiscard]] Extent3 extent() const override { return phantom_.grid.extent; }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::uint8; }

  /// Holds one label for each voxel of the box.
  void read(const Box3& box, VoxelView out) override;

 private:
  const Phantom& phantom_;
  LabelSource labels_;
  ObjectIndex index_;
  PlacedStrands strands_;
};

}  // namespace synthoscope::simulator
