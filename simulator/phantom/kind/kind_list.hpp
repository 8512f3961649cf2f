// SPDX-License-Identifier: MIT
// simulator/phantom/kind/kind_list.hpp — a list of kinds of objects, what each kind declares, and
// what kinds share.
#pragma once
#include <concepts>
#include <cstdint>
#include <functional>
#include <string_view>
#include <type_traits>
#include "simulator/phantom/geometry/body.hpp"
#include "simulator/phantom/geometry/vector3.hpp"
#include "simulator/phantom/kind/light_spec.hpp"

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
///     has_small_lights(spec, light)  whether something that gives light is so thin or small that a
///                                    plane misses most of it
///     kSizeStage, kSizeDraw          stage and draw of the bell-shaped number of an object's size,
///                                    if its spec has an intensity_size_correlation
///     kHasStructures                 its objects consist of structures
///     kFirstInRecords                it precedes other kinds in records and in world.h5
///
/// Functions of its spec are overloaded by its type: number_of and require_valid, both of a spec
/// alone or of a spec and a grid. So are functions of one object: weight_of, light_of, move_by,
/// describe and, for objects that consist of structures, structure_at. An EvenBody has light_of and
/// move_by from here.
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

  /// Returns the place of a kind in this list, from 0.
  template <class Kind>
  static constexpr int place_of() {
    int place = 0;
    static_cast<void>((... || (std::is_same_v<Kind, All> || (++place, false))));
    return place;
  }

  template <class Holds>
  static constexpr bool any(Holds&& holds) {
    return (holds(All{}) || ...);
  }
};

/// Objects of one kind that others keep away from.
struct Obstacles {
  std::string_view what;    ///< in messages; kinds of the same words are counted together
  std::string_view remedy;  ///< what makes space, as a noun; may be empty
  std::int64_t count = 0;
  /// Whether all are at least `gap_um` away from a ball.
  std::function<bool(const Vector3& middle, double radius_um, double gap_um)> are_clear_of;
};

/// A body that is stained evenly and is placed by its centre: a bead, a member of a target.
template <class T>
concept EvenBody = Body<T> && requires(T& body, const Vector3& voxel, const Vector3& pitch) {
  { body.centre } -> std::same_as<Vector3&>;
  { body.photons_per_um3 } -> std::same_as<double&>;
  { body.share(voxel, pitch) } -> std::same_as<double>;  ///< part of a voxel that it fills
};

/// Returns a function of the centre of a voxel: the light that the voxel receives from a body.
template <EvenBody T>
auto light_of(const T& body, std::int64_t, const auto&, const Vector3& pitch,
              const LightSpec& seen) {
  return
      [&body, pitch,
       photons = body.photons_per_um3 * weight_of(seen, body) * (pitch[0] * pitch[1] * pitch[2])](
          const Vector3& centre) { return photons * body.share(centre, pitch); };
}

template <EvenBody T>
void move_by(T& body, const Vector3& way, const Bounds&) {
  body.centre = body.centre + way;
}

}  // namespace synthoscope::simulator
