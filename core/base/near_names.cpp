// SPDX-License-Identifier: MIT
#include "core/base/near_names.hpp"
#include <algorithm>
#include <cstdlib>
#include <utility>

namespace synthoscope {

std::int64_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::int64_t> table((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> std::int64_t& {
    return table[i * width + j];
  };
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        at(i, j) = static_cast<std::int64_t>(i + j);
        continue;
      }
      const std::int64_t replaced = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  return at(a.size(), b.size());
}

std::vector<std::string> near_names(std::string_view word, std::span<const std::string> known) {
  const auto reach = std::max<std::int64_t>(1, static_cast<std::int64_t>(word.size()) / 3);
  std::vector<std::pair<std::int64_t, std::string>> found;
  for (const std::string& name : known) {
    const bool begins = !word.empty() && name.starts_with(word);
    // Names of very different lengths are far from each other, and a file may hold a very long word
    const auto apart =
        static_cast<std::int64_t>(word.size()) - static_cast<std::int64_t>(name.size());
    if (!begins && std::abs(apart) > reach) continue;
    const std::int64_t distance = begins ? 0 : edit_distance(word, name);
    if (distance <= reach) found.emplace_back(distance, name);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (found.size() > 3) found.resize(3);
  std::vector<std::string> names;
  for (auto& [distance, name] : found) names.push_back(std::move(name));
  return names;
}

}  // namespace synthoscope
