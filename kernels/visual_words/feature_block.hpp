// SPDX-License-Identifier: MIT
// kernels/visual_words/feature_block.hpp — features of samples, one feature's values after the
// other's, as responses of filters leave them.
#pragma once
#include <cstdint>

namespace synthoscope::kernels {

/// Features of `count` samples: feature f of sample i is first[f * pitch + i]. A view.
struct FeatureBlock {
  const float* first = nullptr;
  std::int64_t count = 0;
  std::int64_t pitch = 0;  ///< from feature to feature
  std::int64_t features = 0;

  [[nodiscard]] float at(std::int64_t feature, std::int64_t sample) const {
    return first[feature * pitch + sample];
  }
  /// `length` samples from `begin` on.
  [[nodiscard]] FeatureBlock part(std::int64_t begin, std::int64_t length) const {
    return {first + begin, length, pitch, features};
  }
};

}  // namespace synthoscope::kernels
