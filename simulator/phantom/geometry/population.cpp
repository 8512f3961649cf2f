// SPDX-License-Identifier: MIT
#include "simulator/phantom/geometry/population.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/base/error.hpp"

namespace synthoscope::simulator {
namespace {

double volume_mm3(const Grid& grid) {
  constexpr double kUm3PerMm3 = 1e9;
  const auto [z, y, x] = size_um(grid);
  return z * y * x / kUm3PerMm3;
}

}  // namespace

std::int64_t number_of(std::optional<std::int64_t> count, std::optional<double> density_per_mm3,
                       std::int64_t otherwise, const Grid& grid) {
  if (count) return *count;
  if (!density_per_mm3) return otherwise;
  // More objects than labels hold are refused elsewhere, so the number may be capped here
  constexpr double kEnough = 1e9;
  return std::llround(std::min(kEnough, *density_per_mm3 * volume_mm3(grid)));
}

NumberRange spread_number(std::int64_t number, double spread) {
  if (spread == 0) return {number, number};
  constexpr double kRounding = 1e-9;
  const auto times = [&](double factor) { return factor * static_cast<double>(number); };
  return {static_cast<std::int64_t>(std::ceil(times(1 - spread) - kRounding)),
          static_cast<std::int64_t>(std::floor(times(1 + spread) + kRounding))};
}

void require_one_number(std::string_view table, std::optional<std::int64_t> count,
                        std::optional<double> density_per_mm3) {
  if (count && density_per_mm3)
    throw InvalidSpec(fmt::format(
        "check the scene: {0}.count is {1} and {0}.density_per_mm3 is {2}; give one of the two",
        table, *count, *density_per_mm3));
}

void require_beside(bool given, std::string_view key, bool other_given, std::string_view other) {
  if (given && !other_given)
    throw InvalidSpec(fmt::format(
        "check the scene: {0} is given, and there is no {1} that it could apply to; give {1}, or "
        "leave {0} out",
        key, other));
}

void require_value(bool good, std::string_view key, double value, std::string_view accepted) {
  if (!good)
    throw InvalidSpec(fmt::format("check the scene: {} is {}; give {}", key, value, accepted));
}

}  // namespace synthoscope::simulator
