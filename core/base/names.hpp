// SPDX-License-Identifier: MIT
// core/base/names.hpp — enumerators and their names in files and on command lines.
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace synthoscope {

/// One row per enumerator.
template <class Enum, std::size_t N>
using NameTable = std::array<std::pair<Enum, std::string_view>, N>;

template <class Enum, std::size_t N>
constexpr std::string_view name_in(const NameTable<Enum, N>& table, Enum value) {
  for (const auto& [known, name] : table)
    if (known == value) return name;
  return "unknown";
}

template <class Enum, std::size_t N>
constexpr std::optional<Enum> named_in(const NameTable<Enum, N>& table, std::string_view name) {
  for (const auto& [value, known] : table)
    if (known == name) return value;
  return std::nullopt;
}

}  // namespace synthoscope
