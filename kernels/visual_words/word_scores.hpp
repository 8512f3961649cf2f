// SPDX-License-Identifier: MIT
// kernels/visual_words/word_scores.hpp — scores words in float32, for a block of samples and
// several words at once: finds the best of each sample, and whether rounding leaves that open.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>
#include "core/vector/vector_level.hpp"
#include "kernels/visual_words/dictionary.hpp"
#include "kernels/visual_words/feature_block.hpp"

namespace synthoscope::kernels {

/// The part of |x - c|^2 / 2 that depends on c: the score |c|^2 / 2 - x.c, which is least for the
/// nearest word. The medians of the words are subtracted from both first: an offset of all features
/// costs no digits.
class WordScores {
 public:
  /// Samples that are judged at once.
  static constexpr std::int64_t kBlock = 64;

  WordScores(const Dictionary& dictionary, VectorLevel level);

  struct Judged {
    std::int32_t word[kBlock];  ///< the best
    /// All ones if another word may be the nearest, or the first of equal ones: one whose score is
    /// not above the limit.
    std::int32_t is_open[kBlock];
    float limit[kBlock];
  };
  /// Finds the best words of samples.count <= kBlock samples.
  void judge(const FeatureBlock& samples, Judged& judged) const;

  /// Calls visit(i, k) if the score of word k and sample i is not above limits[i], in the order of
  /// words.
  /// @param samples, limits  samples.count <= kBlock of them
  using Visit = std::function<void(std::int64_t sample, std::int64_t word)>;
  void visit_within(const FeatureBlock& samples, const float* limits, const Visit& visit) const;

  [[nodiscard]] static std::int64_t held_bytes(std::int64_t words, std::int64_t features);

 private:
  std::int64_t features_, size_, groups_;
  VectorLevel level_;
  std::vector<float> middle_;
  std::vector<float> halves_;  ///< |c|^2 / 2 of words, group after group
  std::vector<float> words_;   ///< group after group, in each feature after feature of its words
  float largest_ = 0;          ///< no |c| is larger
};

}  // namespace synthoscope::kernels
