// SPDX-License-Identifier: MIT
#include "tools/machine/visible_gpus.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace synthoscope::tools {
namespace {

constexpr const char* kVariable = "CUDA_VISIBLE_DEVICES";

/// Returns the first `count` of the items that `list` separates by commas; none if it has fewer.
std::optional<std::string> first_items(std::string_view list, std::int64_t count) {
  std::size_t end = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (i > 0 && end == std::string_view::npos) return std::nullopt;
    end = list.find(',', i == 0 ? 0 : end + 1);
  }
  return std::string{list.substr(0, end)};
}

/// Returns the value of --gpus; empty if it is not given.
std::string_view requested_gpus(std::span<const std::string> words) {
  constexpr std::string_view kOption = "--gpus", kWithValue = "--gpus=";
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string_view word = words[i];
    if (word.starts_with(kWithValue)) return word.substr(kWithValue.size());
    if (word == kOption && i + 1 < words.size()) return words[i + 1];
  }
  return "";
}

}  // namespace

std::optional<std::string> visible_gpus(std::string_view gpus, const char* visible) {
  const std::int64_t count = 1 + std::ranges::count(gpus, ',');
  std::string first_ones = "0";
  for (std::int64_t i = 1; i < count; ++i) first_ones += fmt::format(",{}", i);
  if (gpus != first_ones) return std::nullopt;
  return first_items(visible ? visible : gpus, count);
}

void hide_other_gpus(std::span<const std::string> words) {
  if (const auto shown = visible_gpus(requested_gpus(words), std::getenv(kVariable)))
    ::setenv(kVariable, shown->c_str(), /*replace=*/1);
}

}  // namespace synthoscope::tools
