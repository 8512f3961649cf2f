// SPDX-License-Identifier: MIT
// tests/support/feature_samples.hpp — samples with features, for tests of words.
#pragma once
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <vector>
#include "core/math/random.hpp"
#include "kernels/visual_words/dictionary.hpp"
#include "kernels/visual_words/feature_block.hpp"

namespace synthoscope::test {

/// Owns what a FeatureBlock shows, with room behind every feature.
class FeatureSamples {
 public:
  FeatureSamples(std::int64_t features, std::int64_t count)
      : features_{features},
        count_{count},
        values_(static_cast<std::size_t>(features * pitch()), 1e30F) {}

  FeatureSamples(std::int64_t features, std::initializer_list<std::initializer_list<float>> samples)
      : FeatureSamples{features, static_cast<std::int64_t>(samples.size())} {
    std::int64_t i = 0;
    for (const auto& sample : samples) {
      std::int64_t f = 0;
      for (const float value : sample) at(f++, i) = value;
      ++i;
    }
  }

  float& at(std::int64_t feature, std::int64_t sample) {
    return values_[static_cast<std::size_t>(feature * pitch() + sample)];
  }
  [[nodiscard]] kernels::FeatureBlock block() const {
    return {values_.data(), count_, pitch(), features_};
  }
  [[nodiscard]] kernels::Dictionary as_words() const {
    kernels::Dictionary dictionary{features_, {}};
    for (std::int64_t i = 0; i < count_; ++i)
      for (std::int64_t f = 0; f < features_; ++f) dictionary.centroids.push_back(block().at(f, i));
    return dictionary;
  }

 private:
  [[nodiscard]] std::int64_t pitch() const { return count_ + 3; }
  std::int64_t features_, count_;
  std::vector<float> values_;
};

/// Normally distributed about `offset`.
inline FeatureSamples scattered(std::int64_t features, std::int64_t count, std::uint64_t seed,
                                float offset = 0, float spread = 1) {
  FeatureSamples samples{features, count};
  const RandomStream random{seed, RandomStage::certificate};
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t f = 0; f < features; ++f) {
      const auto words = random.block(static_cast<std::uint64_t>(i * features + f));
      const double radius = std::sqrt(-2 * std::log(uniform32(words[0])));
      const double angle = 2 * std::numbers::pi * uniform32(words[1]);
      samples.at(f, i) = offset + spread * static_cast<float>(radius * std::cos(angle));
    }
  return samples;
}

}  // namespace synthoscope::test
