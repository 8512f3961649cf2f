// SPDX-License-Identifier: MIT
// tests/support/random_words.hpp — words that nobody learned.
#pragma once
#include "core/math/random.hpp"
#include "kernels/visual_words/dictionary.hpp"

namespace synthoscope::test {

/// In the range of features of patterns divided by their spread.
inline kernels::Dictionary random_words(std::int64_t words, std::int64_t features) {
  constexpr RandomStream kStream{7, RandomStage::texture};
  kernels::Dictionary dictionary{features, {}};
  for (std::int64_t i = 0; i < words * features; ++i)
    dictionary.centroids.push_back(
        0.4F *
        static_cast<float>(uniform32(kStream.block(static_cast<std::uint64_t>(i))[0]) - 0.5));
  return dictionary;
}

}  // namespace synthoscope::test
