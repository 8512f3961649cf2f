// SPDX-License-Identifier: MIT
// simulator/base/key_value.hpp — the value of a key of a scene, whatever its kind.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <variant>

namespace synthoscope::simulator {

using ThreeNumbers = std::array<double, 3>;
using ThreeIntegers = std::array<std::int64_t, 3>;

/// A value of a scene file; std::monostate for a key that is absent.
using SceneValue = std::variant<std::monostate, bool, std::int64_t, double, std::string,
                                ThreeNumbers, ThreeIntegers>;

}  // namespace synthoscope::simulator
