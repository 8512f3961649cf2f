// SPDX-License-Identifier: MIT
// kernels/visual_words/dictionary.hpp — the words that describe voxels of textures: points in the
// space of features.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace synthoscope::kernels {

inline constexpr std::int64_t kMaxWords = 65536;
inline constexpr std::int64_t kMaxFeatures = 256;

/// Words: word k is centroids[k * features ...], of `features` values.
struct Dictionary {
  std::int64_t features = 0;
  std::vector<float> centroids;

  [[nodiscard]] std::int64_t size() const {
    return features > 0 ? static_cast<std::int64_t>(centroids.size()) / features : 0;
  }
  [[nodiscard]] std::span<const float> word(std::int64_t k) const {
    return std::span{centroids}.subspan(static_cast<std::size_t>(k * features),
                                        static_cast<std::size_t>(features));
  }
};

/// @throws InvalidSpec  no words, more than kMaxWords, no features, more than kMaxFeatures,
///                      values that are no whole number of words, or not finite.
void require_usable(const Dictionary& dictionary);

}  // namespace synthoscope::kernels
