// SPDX-License-Identifier: MIT
// simulator/phantom/kind/kind_list.hpp — a list of kinds of objects, over which everything folds
// that all kinds have.
#pragma once
#include <cstdint>

namespace synthoscope::simulator {

/// Descriptors of kinds; each is an empty struct with static members. Every kind has
///
///     kName              its table in a scene
///     part(all)          its part of a PhantomSpec, of a scene, and of arrays for devices
///     bodies(phantom)    its objects: a vector, or a variant of vectors
///     weight(light)      the largest weight that a light gives to a part of its objects
///     list_keys(rows)    its keys: see KindRows
///     bytes(all, grid)   what making and keeping its objects takes
///     tables(world)      its tables in world.h5: see WorldRoom
///
/// and only kinds that need them have
///
///     draw(phantom, seed, context)   makes the objects that a movie makes itself
///     settle(phantom)                what follows from objects that were drawn
///     place(phantom, seed, context)  makes all other objects
///     obstacles(phantom)             what other kinds keep away from
///     strands(all, grid)             how many strands its objects consist of
///     is_present(spec)               whether there is any, if not by their number
///     emits_points(spec)             whether they are points instead of bodies
///     kReplacesDefaultNuclei         without numbers of nuclei there are none beside it
///     kHasStructures                 its objects consist of structures
///     kFirstInRecords                it precedes kinds without this in records and in world.h5
///
/// and what VolumeKind says of light, voxels and motion that belong to no single object. Functions
/// of one object are overloaded by its type, as core_bounds is: weight_of, light_of, structure_at,
/// move_by and describe.
template <class... All>
struct KindList {
  /// Calls `visit(kind)` for the descriptor of each kind, in this order.
  template <class Visit>
  static constexpr void for_each(Visit&& visit) {
    (visit(All{}), ...);
  }

  /// Returns the sum of `count(kind)`.
  template <class Count>
  static constexpr std::int64_t sum(Count&& count) {
    return (std::int64_t{0} + ... + std::int64_t{count(All{})});
  }

  template <class Holds>
  static constexpr bool any(Holds&& holds) {
    return (holds(All{}) || ...);
  }
};

}  // namespace synthoscope::simulator
