// SPDX-License-Identifier: MIT
// simulator/base/key_value.hpp — the kinds of keys that a scene has, and the value of any of them.
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

/// What a key holds, as its user writes it.
enum class ValueKind {
  number,
  integer,
  flag,
  choice,
  text,
  text_or_number,
  terms,
  three_numbers,
  three_integers
};

}  // namespace synthoscope::simulator
