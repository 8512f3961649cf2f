// SPDX-License-Identifier: MIT
// simulator/phantom/kind/plain_bodies.hpp — a list of the types of bodies that devices render;
// compiled for host and devices.
#pragma once
#include <cstdint>
#include "simulator/phantom/geometry/vector3.hpp"

namespace synthoscope::simulator::device {

/// Bits of what is no body of a type: a piece of a strand, and light that belongs to no object.
inline constexpr int kStrand = 1, kLightOfNoObject = 2;

/// Types of bodies. Each is an empty struct with static members
///
///     light(phantom, number, centre)     what a body adds to a voxel
///     contains(phantom, number, point)
///
/// of a PlainPhantom and the number of a body among those of its type, and `kHasLobes` if they
/// evaluate harmonics of lobes. A type's bit lets kernels be compiled for the types that occur.
template <class... All>
struct PlainBodyList {
  template <class Body>
  static constexpr int bit_of() {
    int bit = 2 * kLightOfNoObject;
    static_cast<void>((... || (std::is_same_v<Body, All> || (bit *= 2, false))));
    return bit;
  }
  static constexpr int kEvery = (2 * kLightOfNoObject << sizeof...(All)) - 1;  ///< all bits

  /// Returns whether one of `Kinds` has lobes.
  template <int Kinds>
  static constexpr bool have_lobes() {
    return (... || ((Kinds & bit_of<All>()) != 0 && requires { All::kHasLobes; }));
  }

  /// Returns what the body of type `bit`, one of the bits of `Kinds`, adds to a voxel.
  template <int Kinds, class Phantom>
  static double light_of(const Phantom& p, int bit, std::int32_t number, const Vector3& centre) {
    double light = 0;
    static_cast<void>((... || ((Kinds & bit_of<All>()) != 0 && bit == bit_of<All>() &&
                               (light = All::light(p, number, centre), true))));
    return light;
  }

  template <int Kinds, class Phantom>
  static bool contains(const Phantom& p, int bit, std::int32_t number, const Vector3& point) {
    return (... || ((Kinds & bit_of<All>()) != 0 && bit == bit_of<All>() &&
                    All::contains(p, number, point)));
  }
};

/// Evenly stained bodies: `Body`, which derives from this, has `array(phantom)`.
template <class Body>
struct EvenBody {
  static double light(const auto& p, std::int32_t number, const Vector3& centre) {
    const auto& body = Body::array(p)[number];
    return body.photons_per_um3 * p.voxel_um3 * body.share(centre, p.pitch);
  }
  static bool contains(const auto& p, std::int32_t number, const Vector3& point) {
    return Body::array(p)[number].contains(point);
  }
};

}  // namespace synthoscope::simulator::device
