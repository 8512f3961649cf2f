// SPDX-License-Identifier: MIT
// simulator/phantom/kind/kind_list.hpp — a list of kinds of objects, and what each kind declares.
#pragma once
#include <cstdint>

namespace synthoscope::simulator {

/// A list of descriptors. A descriptor is an empty struct with static members. Required:
///
///     kName              the name of its table of keys
///     part(all)          its member of a PhantomSpec, of a scene, or of arrays for devices
///     bodies(phantom)    its objects: a vector, or a variant of vectors
///     weight(light)      the largest weight that a light gives to a part of its objects
///     list_keys(rows)    lists its keys, for TableRows and RangeCheck
///     bytes(all, grid)   the bytes that making and keeping its objects takes
///     tables(world)      its tables in world.h5 for a WorldSize; rows count id and frame too
///
/// Optional:
///
///     draw(phantom, seed, context)   makes its objects; movies call their own code instead
///     settle(phantom)                computes what depends on all drawn objects
///     place(phantom, seed, context)  makes its objects if there is no draw
///     obstacles(phantom)             its objects as obstacles for other kinds
///     strands(all, grid)             the largest number of its strands and pieces
///     is_present(spec)               whether it is present, if a number of objects does not decide
///     emits_points(spec)             whether its objects are points instead of bodies
///     shared_bytes(spec), move_shared(phantom, way), light_of_no_object(phantom, light)
///                                    memory, motion and light of data that no object owns
///     kReplacesDefaultNuclei         the default number of nuclei is 0 if this kind is present
///     kHasStructures                 its objects consist of structures
///     kFirstInRecords                it precedes other kinds in records and in world.h5
///
/// Functions of its spec are overloaded by its type: number_of and require_valid, both of a spec
/// alone or of a spec and a grid. So are functions of one object: weight_of, light_of, move_by,
/// describe and, for objects that consist of structures, structure_at. even_body.hpp has light_of
/// and move_by for bodies that are stained evenly.
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
