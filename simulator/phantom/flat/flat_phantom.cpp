// SPDX-License-Identifier: MIT
#include "simulator/phantom/flat/flat_phantom.hpp"
#include <utility>
#include "simulator/phantom/geometry/reach.hpp"
#include "simulator/phantom/kinds.hpp"
#include "simulator/phantom/object_lights.hpp"

namespace synthoscope::simulator::device {
namespace {

/// Returns the least size of cubes, in bits: pieces of strands are small, and so are cubes.
int fewest_bits(bool has_strands) {
  return has_strands ? 3 : 4;
}

/// Calls `visit(part, kind)` for the arrays of each kind.
template <class Visit>
void for_each_part(FlatParts& all, Visit&& visit) {
  Kinds::for_each([&]<class Kind>(Kind) {
    if constexpr (requires { Kind::part(all); }) visit(Kind::part(all), Kind{});
  });
}

}  // namespace

FlatPhantom::FlatPhantom(const Phantom& phantom, const LightSpec& light) {
  figures.pitch = vector_of(phantom.grid.pitch);
  figures.voxel_um3 = figures.pitch[0] * figures.pitch[1] * figures.pitch[2];
  figures.brightness = phantom.brightness;
  figures.has_lights = !phantom.lights.empty();
  lights = phantom.lights;
  NucleusParts parts;
  for_each_part(*this, [&](auto& part, auto) {
    if constexpr (requires { part.count_nuclei(phantom, parts); })
      part.count_nuclei(phantom, parts);
  });
  nuclei.reserve(parts, phantom.spec.nuclei);
  for_each_part(*this, [&]<class Kind>(auto& part, Kind) {
    part.lay_out(phantom, light, *this);
    Kind::part(figures) = part.figures;
  });
  lay_out_objects(phantom, light);
  index = CubeIndex{phantom.grid.extent, fewest_bits(!pieces.empty()),
                    static_cast<std::int64_t>(objects.size()),
                    [&](std::int64_t i) { return objects[static_cast<std::size_t>(i)].range; }};
}

void FlatPhantom::lay_out_objects(const Phantom& phantom, const LightSpec& light) {
  StrandPieces laid{phantom};
  strands = std::move(laid.strands);
  pieces = std::move(laid.pieces);
  objects.reserve(static_cast<std::size_t>(phantom.count()) + pieces.size());
  std::int32_t number = 0;
  int last_kind = 0;
  std::size_t strand = 0;
  for_each_object(phantom, [&]<class T>(std::int64_t id, const T& body) {
    const auto narrow_id = static_cast<std::int32_t>(id);
    if constexpr (!IsStrands<T>) {
      constexpr int kKind = PlainBodies::bit_of<decltype(plain_body_of(body))>();
      number = kKind == last_kind ? number + 1 : 0;
      last_kind = kKind;
      if (weight_of(light, body) > 0) {
        kinds |= kKind;
        objects.push_back({kKind, number, narrow_id,
                           range_of(voxels_reached(core_bounds(body), phantom.grid.pitch,
                                                   whole(phantom.grid.extent)))});
      }
    }
    if constexpr (HasStrands<T>)
      for (; strand < strands.size() && strands[strand].object == id; ++strand) {
        PlainStrand& plain = strands[strand];
        const double weight = weight_of(light, body, plain.structure);
        plain.photons *= weight;
        if (weight == 0) continue;
        kinds |= kStrand;
        for (std::int32_t piece = plain.first_piece; piece < plain.first_piece + plain.piece_count;
             ++piece)
          objects.push_back(
              {kStrand, piece, narrow_id, laid.ranges[static_cast<std::size_t>(piece)]});
      }
  });
}

std::int64_t FlatPhantom::bytes() const {
  std::int64_t sum = index.bytes();
  PlainPhantom unused;
  for_each_own_array(unused, [&](const auto& all, const auto*) {
    sum += static_cast<std::int64_t>(all.capacity() * sizeof all[0]);
  });
  return sum;
}

PlainPhantom FlatPhantom::view() const {
  PlainPhantom view = figures;
  view.index = index.lists();
  for_each_array(view, [](const auto& all, auto& pointer) { pointer = all.data(); });
  return view;
}

std::int64_t flat_phantom_bytes(const PhantomSpec& spec, const Grid& placed,
                                const Extent3& rendered) {
  const std::int64_t objects = number_of(spec, placed);
  const auto [strands, pieces] = strands_of(spec, placed);
  const std::int64_t parts = Kinds::sum([&]<class Kind>(Kind) {
    if constexpr (requires(const FlatParts& flat) { Kind::part(flat); })
      return std::remove_cvref_t<decltype(Kind::part(std::declval<FlatParts&>()))>::bytes(spec,
                                                                                          placed);
    else
      return std::int64_t{0};
  });
  return parts + lights_bytes(spec, objects) + strand_pieces_bytes(strands, pieces) +
         (objects + pieces) * std::int64_t{sizeof(PlainObject)} +
         CubeIndex::bytes(rendered, fewest_bits(pieces > 0), objects + pieces);
}

}  // namespace synthoscope::simulator::device
