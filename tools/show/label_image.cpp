// SPDX-License-Identifier: MIT
#include "tools/show/label_image.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace synthoscope::tools {
namespace {

/// The values of an image without their places.
struct FoundValues {
  float background = 0;       ///< the most frequent one
  std::int64_t distinct = 0;  ///< number of different values
};

FoundValues values_of(std::vector<float> values) {
  std::sort(values.begin(), values.end());
  FoundValues found;
  std::ptrdiff_t most = 0;
  for (auto first = values.begin(); first != values.end(); ++found.distinct) {
    const auto end = std::upper_bound(first, values.end(), *first);
    if (end - first > most) {
      most = end - first;
      found.background = *first;
    }
    first = end;
  }
  return found;
}

}  // namespace

bool are_labels(const simulator::Slice& slice) {
  const bool are_whole = std::all_of(slice.values.begin(), slice.values.end(),
                                     [](float value) { return value == std::floor(value); });
  if (!are_whole) return false;
  const auto [background, distinct] = values_of(slice.values);
  std::int64_t voxels = 0, equal = 0, different = 0;
  const auto compare = [&](float here, float beside) {
    if (beside != background) ++(here == beside ? equal : different);
  };
  for (std::int64_t row = 0; row < slice.rows; ++row)
    for (std::int64_t column = 0; column < slice.columns; ++column) {
      const float* const here = slice.values.data() + row * slice.columns + column;
      if (*here == background) continue;
      ++voxels;
      if (column + 1 < slice.columns) compare(*here, here[1]);
      if (row + 1 < slice.rows) compare(*here, here[slice.columns]);
    }
  return distinct > 2 && 2 * equal >= voxels && 5 * different <= equal;
}

}  // namespace synthoscope::tools
