// SPDX-License-Identifier: MIT
// simulator/phantom/kind/even_body.hpp — bodies that are stained evenly and are placed by their
// centre: beads, and members of a target.
#pragma once
#include <concepts>
#include <cstdint>
#include "simulator/phantom/geometry/body.hpp"
#include "simulator/phantom/kind/light_spec.hpp"

namespace synthoscope::simulator {

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
