// SPDX-License-Identifier: MIT
#include "kernels/visual_words/dictionary.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/base/error.hpp"

namespace synthoscope::kernels {

void require_usable(const Dictionary& dictionary) {
  const auto values = static_cast<std::int64_t>(dictionary.centroids.size());
  if (dictionary.features < 1 || dictionary.features > kMaxFeatures)
    throw InvalidSpec(
        fmt::format("dictionary of words: words have {} features; 1 to {} are accepted",
                    dictionary.features, kMaxFeatures));
  if (values == 0 || values % dictionary.features != 0)
    throw InvalidSpec(
        fmt::format("dictionary of words: {} values are not a whole number of words of {} features "
                    "each; give at least one word",
                    values, dictionary.features));
  if (dictionary.size() > kMaxWords)
    throw InvalidSpec(fmt::format("dictionary of words: {} words; at most {} are accepted",
                                  dictionary.size(), kMaxWords));
  const auto bad = std::find_if(dictionary.centroids.begin(), dictionary.centroids.end(),
                                [](float value) { return !std::isfinite(value); });
  if (bad != dictionary.centroids.end()) {
    const auto at = bad - dictionary.centroids.begin();
    throw InvalidSpec(
        fmt::format("dictionary of words: feature {} of word {} is {}; words are finite, so train "
                    "the dictionary with finite images",
                    at % dictionary.features, at / dictionary.features, *bad));
  }
}

}  // namespace synthoscope::kernels
