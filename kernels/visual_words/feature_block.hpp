// SPDX-License-Identifier: MIT
// kernels/visual_words/feature_block.hpp — features of samples in the order of responses of
// filters: all values of one feature, then those of the next.
#pragma once
#include <cstdint>

namespace synthoscope::kernels {

/// A view of the features of `count` samples: feature f of sample i is first[f * pitch + i].
struct FeatureBlock {
  const float* first = nullptr;
  std::int64_t count = 0;
  std::int64_t pitch = 0;  ///< from feature to feature
  std::int64_t features = 0;

  [[nodiscard]] float at(std::int64_t feature, std::int64_t sample) const {
    return first[feature * pitch + sample];
  }
  /// Returns `length` samples from `begin` on.
  [[nodiscard]] FeatureBlock part(std::int64_t begin, std::int64_t length) const {
    return {first + begin, length, pitch, features};
  }
};

}  // namespace synthoscope::kernels
