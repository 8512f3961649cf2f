// SPDX-License-Identifier: MIT
// simulator/phantom/geometry/population.hpp — how many objects of a kind there are, by count or by
// density.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include "simulator/base/grid.hpp"
#include "simulator/base/range.hpp"

namespace synthoscope::simulator {

/// Labels are uint16; 0 means no object.
inline constexpr std::int64_t kMaxObjects = 65535;

/// Returns `count` if it is given; otherwise `density_per_mm3` times the volume of the grid,
/// rounded to the nearest integer (the number is a property of the scene, not of the seed);
/// `otherwise` if neither is given.
std::int64_t number_of(std::optional<std::int64_t> count, std::optional<double> density_per_mm3,
                       std::int64_t otherwise, const Grid& grid);

/// The smallest and the largest number of objects of a frame.
struct NumberRange {
  std::int64_t least = 0, most = 0;
};

/// Returns the whole numbers from (1 - spread) to (1 + spread) times `number`.
NumberRange spread_number(std::int64_t number, double spread);

/// Lists the keys `count`, `density_per_mm3` and `count_spread`.
/// @param otherwise  what holds without the first two
template <class Rows>
void list_number_keys(Rows& rows, std::string_view otherwise) {
  using Spec = typename Rows::Spec;
  rows.add_optional(otherwise, "count", "", Range{0, kMaxObjects}, "number of objects",
                    &Spec::count);
  rows.add_optional("count is used", "density_per_mm3", "per mm^3", Range{0, 1e15},
                    "number of objects per cubic millimetre of the grid, instead of count; their "
                    "total number is rounded to the nearest whole number",
                    &Spec::density_per_mm3);
  rows.add("count_spread", "", Range{0, 1},
           "how much the number varies from frame to frame, for independent frames: 0.5 draws it "
           "evenly between half and one and a half times the number given",
           &Spec::count_spread);
}

/// Returns the largest number of objects of a spec with `count`, `density_per_mm3` and
/// `count_spread`.
template <class Spec>
std::int64_t number_of(const Spec& spec, std::int64_t otherwise, const Grid& grid) {
  const std::int64_t mean = number_of(spec.count, spec.density_per_mm3, otherwise, grid);
  return spread_number(mean, spec.count_spread).most;
}

/// @throws InvalidSpec  both are given; names the keys of `table`.
void require_one_number(std::string_view table, std::optional<std::int64_t> count,
                        std::optional<double> density_per_mm3);

/// Returns whether low <= value <= high; false for NaN.
constexpr bool within(double value, double low, double high) {
  return value >= low && value <= high;
}

/// Checks a key that has no meaning without another.
/// @throws InvalidSpec  the key is `given`, and `other` is not.
void require_beside(bool given, std::string_view key, bool other_given, std::string_view other);

/// Checks one value of a scene. @throws InvalidSpec "check the scene: KEY is VALUE; give ACCEPTED"
void require_value(bool good, std::string_view key, double value, std::string_view accepted);

}  // namespace synthoscope::simulator
