// SPDX-License-Identifier: MIT
#include "simulator/phantom/structure_source.hpp"
#include <algorithm>
#include "core/stream/memory_stream.hpp"
#include "simulator/phantom/geometry/reach.hpp"
#include "simulator/phantom/kinds.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns the structure of an object at a point of its core.
Structure core_structure_at(const auto& body, const Vector3& point, const PhantomSpec& spec) {
  if constexpr (requires { structure_at(body, point, spec); })
    return structure_at(body, point, spec);
  return Structure::other;
}

/// Returns whether a strand lies outside its object's label: a finger that has none.
bool is_extension(const PlainStrand& strand) {
  return strand.structure == Structure::filopodium && !strand.is_labelled;
}

/// Returns whether a strand marks a voxel.
bool has_voxel(const std::vector<const StrandPiece*>& pieces, const Vector3& centre,
               const Vector3& pitch) {
  return std::any_of(pieces.begin(), pieces.end(), [&](const StrandPiece* piece) {
    return piece->is_thin ? strand::thin_share(*piece, centre, pitch) > 0
                          : contains(*piece, centre);
  });
}

}  // namespace

StructureSource::StructureSource(const Phantom& phantom)
    : phantom_{phantom}, labels_{phantom}, index_{phantom}, strands_{phantom} {}

void StructureSource::read(const Box3& box, VoxelView out) {
  const Grid& grid = phantom_.grid;
  const auto structures = out.as<std::uint8_t>();
  Volume<std::uint16_t> labels{box.size};
  labels_.read(box, labels.view());
  for (std::int64_t z = 0; z < box.size.z; ++z)
    for (std::int64_t y = 0; y < box.size.y; ++y)
      std::fill_n(structures.row(z, y), box.size.x, std::uint8_t{0});

  const auto mark = [&](std::int64_t z, std::int64_t y, std::int64_t x, Structure found) {
    std::uint8_t& voxel = structures(z - box.origin.z, y - box.origin.y, x - box.origin.x);
    voxel = std::max(voxel, static_cast<std::uint8_t>(found));
  };
  const auto mark_object = [&]<class T>(std::int64_t id, const T& body) {
    const auto is_its = [&](std::int64_t z, std::int64_t y, std::int64_t x) {
      return labels.view()(z - box.origin.z, y - box.origin.y, x - box.origin.x) == id;
    };
    const auto is_free = [&](std::int64_t z, std::int64_t y, std::int64_t x) {
      return labels.view()(z - box.origin.z, y - box.origin.y, x - box.origin.x) == 0;
    };
    const Box3 near = voxels_reached(core_bounds(body), grid.pitch, box);
    const auto [z0, y0, x0] = near.origin;
    for (std::int64_t z = z0; z < z0 + near.size.z; ++z)
      for (std::int64_t y = y0; y < y0 + near.size.y; ++y)
        for (std::int64_t x = x0; x < x0 + near.size.x; ++x)
          if (is_its(z, y, x))
            mark(z, y, x,
                 core_structure_at(body, vector_of(centre_of(grid, {z, y, x})), phantom_.spec));
    if constexpr (HasStrands<T>)
      for (const PlainStrand& strand : strands_.of_object(id))
        strands_.for_each_voxel(
            strand, box, [&](std::int64_t z, std::int64_t y, std::int64_t x, const auto& pieces) {
              if ((is_its(z, y, x) || (is_extension(strand) && is_free(z, y, x))) &&
                  has_voxel(pieces, vector_of(centre_of(grid, {z, y, x})), vector_of(grid.pitch)))
                mark(z, y, x, strand.structure);
            });
  };
  for (const std::int64_t id : index_.near(box)) visit_object(phantom_, id, mark_object);
}

}  // namespace synthoscope::simulator
