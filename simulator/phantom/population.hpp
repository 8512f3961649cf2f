// SPDX-License-Identifier: MIT
// simulator/phantom/population.hpp — how many objects of a kind there are, by count or by density.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include "simulator/grid.hpp"

namespace synthoscope::simulator {

/// Labels are uint16 and 0 is none.
inline constexpr std::int64_t kMostObjects = 65535;

/// `count` where it is given; else `density_per_mm3` times the volume of the grid, rounded to the
/// nearest (the number is a property of the scene, not of the seed); else `otherwise`.
std::int64_t number_of(std::optional<std::int64_t> count, std::optional<double> density_per_mm3,
                       std::int64_t otherwise, const Grid& grid);

/// @throws InvalidSpec  both are given, or one is out of range; names the keys of `table`.
void require_one_number(std::string_view table, std::optional<std::int64_t> count,
                        std::optional<double> density_per_mm3);

/// False for what is no number, too.
constexpr bool within(double value, double low, double high) {
  return value >= low && value <= high;
}

/// Checks a key that says nothing of what is not there. @throws InvalidSpec  it is `given`, and
/// `other`, what it speaks of, is not.
void require_beside(bool given, std::string_view key, bool other_given, std::string_view other);

/// Checks one value of a scene. @throws InvalidSpec "check the scene: KEY is VALUE; give ACCEPTED"
void require_value(bool good, std::string_view key, double value, std::string_view accepted);

}  // namespace synthoscope::simulator
