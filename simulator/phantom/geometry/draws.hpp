// SPDX-License-Identifier: MIT
// simulator/phantom/geometry/draws.hpp — random draws of an object: sizes, turns, points.
#pragma once
#include <cstdint>
#include "core/math/random.hpp"
#include "simulator/phantom/geometry/vector3.hpp"

namespace synthoscope::simulator {

/// The draws of one object.
struct Draws {
  RandomStream stream;
  std::uint64_t number;
  [[nodiscard]] PhiloxBlock block(int draw) const {
    return stream.block(number, static_cast<std::uint16_t>(draw));
  }
};

/// Returns a bell-shaped number of mean 0 and standard deviation 1, within +-kMaxBell: the sum of
/// four uniforms.
double bell(const PhiloxBlock& words);
inline constexpr double kMaxBell = 3.4641016151377546;  ///< 2 sqrt(3)

/// Number of draws that one turn may use; all are rejected with probability < 1e-6.
inline constexpr int kTurnTries = 32;

/// Returns a turn about z only, from draws `first` ... first + kTurnTries - 1.
Matrix3 flat_turn(const Draws& draws, int first);

/// Returns a uniform rotation, from a uniform unit quaternion, from draws `first` ... as flat_turn.
/// @source Marsaglia, Ann. Math. Stat. 43 (1972) 645, doi:10.1214/aoms/1177692644.
Matrix3 random_turn(const Draws& draws, int first);

/// Returns the rotation of a unit quaternion.
Matrix3 rotation_of(double real, const Vector3& imaginary);

/// Returns the cube root by Newton's method: equal on every machine, unlike the C library's.
double cube_root(double v);

/// Returns the radius of a ball of this volume.
double ball_radius_um(double volume_um3);

}  // namespace synthoscope::simulator
