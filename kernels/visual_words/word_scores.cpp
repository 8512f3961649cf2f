// SPDX-License-Identifier: MIT
// Multiply-adds are fused here if a vector unit has them: rounding does not change the nearest
// words.
#include "kernels/visual_words/word_scores.hpp"
#include <algorithm>
#include <limits>
#include "core/base/as_index.hpp"
#include "core/base/assert.hpp"
#include "core/base/round_up.hpp"
#include "kernels/body/word_margin.hpp"
#include "kernels/lanes/lanes.hpp"
#include "kernels/visual_words/centred_words.hpp"

namespace synthoscope::kernels {
namespace {

// Words whose scores are in registers at once, for kVectors vectors of samples
constexpr std::int64_t kWords = 6;
template <int kLanes>
constexpr int kVectors = kLanes == 16 ? 4 : 2;

constexpr auto kJudged = WordScores::kBlock;
constexpr float kNone = std::numeric_limits<float>::infinity();

/// Subtracts the middle of the words from samples, feature after feature; fills up with zeros.
SYNTHOSCOPE_INLINE inline void centre(const FeatureBlock& samples, const float* middle,
                                      float* centred) {
  for (std::int64_t f = 0; f < samples.features; ++f) {
    const float* const from = samples.first + f * samples.pitch;
    float* const to = centred + f * kJudged;
    if (samples.count == kJudged) {
      for (std::int64_t i = 0; i < kJudged; ++i) to[i] = from[i] - middle[f];
    } else {
      for (std::int64_t i = 0; i < samples.count; ++i) to[i] = from[i] - middle[f];
      std::fill(to + samples.count, to + kJudged, 0.0F);
    }
  }
}

/// The two best scores and the best word of samples, in vectors of one register each.
template <int kLanes>
struct Best {
  using Vector = typename Lanes<kLanes>::Vector;
  typedef std::int32_t Words __attribute__((vector_size(4 * kLanes)));
  Vector best = Vector{} + kNone, second = Vector{} + kNone;
  Words word{};

  SYNTHOSCOPE_INLINE void meet(const Vector& score, std::int32_t k) {
    const Vector worse = score > best ? score : best;
    second = worse < second ? worse : second;
    word = score < best ? Words{} + k : word;
    best = score < best ? score : best;
  }
};

/// Computes the scores of a group's words for kCount vectors of samples from `x` on.
template <int kLanes, int kCount>
SYNTHOSCOPE_INLINE inline void score(std::int64_t features, const float* x, const float* words,
                                     const float* halves,
                                     typename Lanes<kLanes>::Vector (&scores)[kWords][kCount]) {
  using Vector = typename Lanes<kLanes>::Vector;
#pragma GCC unroll 8
  for (int w = 0; w < kWords; ++w)
#pragma GCC unroll 8
    for (int v = 0; v < kCount; ++v) scores[w][v] = Vector{} + halves[w];
  for (std::int64_t f = 0; f < features; ++f, x += kJudged, words += kWords) {
    Vector here[kCount];
#pragma GCC unroll 8
    for (int v = 0; v < kCount; ++v) here[v] = lanes_at<kLanes>(x + v * kLanes);
#pragma GCC unroll 8
    for (int w = 0; w < kWords; ++w)
#pragma GCC unroll 8
      for (int v = 0; v < kCount; ++v) scores[w][v] -= words[w] * here[v];
  }
}

/// What is known of the samples of a block after all words were scored.
struct Met {
  float best[kJudged], second[kJudged];  ///< scores
  float norm[kJudged];                   ///< |x|^2
};

/// The words as WordScores holds them.
struct ScoredWords {
  std::int64_t features, groups;
  const float *words, *halves;
};

/// Calls meet(scores, k) with the scores of words k to k + kWords - 1, group after group, for
/// kVectors vectors of samples from `x` on.
template <int kLanes, class Meet>
SYNTHOSCOPE_INLINE inline void for_groups(const ScoredWords& scored, const float* x,
                                          const Meet& meet) {
  for (std::int64_t g = 0; g < scored.groups; ++g) {
    typename Lanes<kLanes>::Vector scores[kWords][kVectors<kLanes>];
    score<kLanes>(scored.features, x, scored.words + g * kWords * scored.features,
                  scored.halves + g * kWords, scores);
    meet(scores, g * kWords);
  }
}

template <int kLanes>
SYNTHOSCOPE_INLINE inline void meet_all(const ScoredWords& scored, const float* centred, Met& met,
                                        std::int32_t* nearest) {
  constexpr int kCount = kVectors<kLanes>;
  using Vector = typename Lanes<kLanes>::Vector;
  for (std::int64_t i = 0; i < kJudged; i += kCount * kLanes) {
    Best<kLanes> best[kCount];
    for_groups<kLanes>(scored, centred + i,
                       [&](const Vector(&scores)[kWords][kCount], std::int64_t k)
                           SYNTHOSCOPE_INLINE {
#pragma GCC unroll 8
                             for (int v = 0; v < kCount; ++v)
#pragma GCC unroll 8
                               for (int w = 0; w < kWords; ++w)
                                 best[v].meet(scores[w][v], static_cast<std::int32_t>(k + w));
                           });
    for (int v = 0; v < kCount; ++v) {
      const std::int64_t at = i + v * kLanes;
      __builtin_memcpy(met.best + at, &best[v].best, sizeof(Vector));
      __builtin_memcpy(met.second + at, &best[v].second, sizeof(Vector));
      __builtin_memcpy(nearest + at, &best[v].word, sizeof(Vector));
    }
  }
}

/// Calls visit(i, k) if the score of sample i is not above its limit.
template <int kLanes, class VisitOne>
SYNTHOSCOPE_INLINE inline void visit_all(const ScoredWords& scored, const float* centred,
                                         const float* limits, const VisitOne& visit) {
  constexpr int kCount = kVectors<kLanes>;
  using Vector = typename Lanes<kLanes>::Vector;
  for (std::int64_t i = 0; i < kJudged; i += kCount * kLanes)
    for_groups<kLanes>(scored, centred + i,
                       [&](const Vector(&scores)[kWords][kCount], std::int64_t k)
                           SYNTHOSCOPE_INLINE {
                             for (int w = 0; w < kWords; ++w)
                               for (int v = 0; v < kCount; ++v) {
                                 const std::int64_t at = i + v * kLanes;
                                 // If the score or the limit is NaN, the score is not above it
                                 const auto above = scores[w][v] > lanes_at<kLanes>(limits + at);
                                 std::int32_t is_above[kLanes];
                                 __builtin_memcpy(is_above, &above, sizeof above);
                                 std::int32_t all = -1;
                                 for (int lane = 0; lane < kLanes; ++lane) all &= is_above[lane];
                                 if (all != 0) continue;
                                 for (int lane = 0; lane < kLanes; ++lane)
                                   if (is_above[lane] == 0) visit(at + lane, k + w);
                               }
                           });
}

SYNTHOSCOPE_INLINE inline void measure(std::int64_t features, const float* centred, float* norm) {
  std::fill_n(norm, kJudged, 0.0F);
  for (std::int64_t f = 0; f < features; ++f)
    for (std::int64_t i = 0; i < kJudged; ++i) {
      const float x = centred[f * kJudged + i];
      norm[i] += x * x;
    }
}

/// Marks the samples as open whose nearest word the scores do not settle.
SYNTHOSCOPE_INLINE inline void settle(std::int64_t features, float largest, const Met& met,
                                      WordScores::Judged& judged) {
  const auto count = static_cast<int>(features);
  for (std::int64_t i = 0; i < kJudged; ++i) {
    const float margin = word_margin(count, met.norm[i], met.best[i], largest);
    judged.limit[i] = met.best[i] + margin;
    // False if either is NaN
    judged.is_open[i] = met.second[i] - met.best[i] > margin ? 0 : -1;
  }
}

}  // namespace

WordScores::WordScores(const Dictionary& dictionary, VectorLevel level)
    : features_{dictionary.features},
      size_{dictionary.size()},
      groups_{parts_of(dictionary.size(), kWords)},
      level_{level},
      halves_(static_cast<std::size_t>(groups_ * kWords), kNone),
      words_(static_cast<std::size_t>(groups_ * kWords * features_)) {
  CentredWords words{dictionary};
  for (std::int64_t k = 0; k < size_; ++k) {
    for (std::int64_t f = 0; f < features_; ++f)
      words_[as_index((k / kWords * features_ + f) * kWords + k % kWords)] =
          words.words[as_index(k * features_ + f)];
    halves_[as_index(k)] = words.halves[as_index(k)];
  }
  middle_ = std::move(words.middle);
  largest_ = words.largest;
}

std::int64_t WordScores::held_bytes(std::int64_t words, std::int64_t features) {
  return (features + (features + 1) * round_up(words, kWords)) * std::int64_t{sizeof(float)};
}

void WordScores::judge(const FeatureBlock& samples, Judged& judged) const {
  SYNTHOSCOPE_ASSERT(samples.features, ==, features_);
  SYNTHOSCOPE_ASSERT(samples.count, <=, kBlock);
  alignas(64) float centred[kMaxFeatures * kBlock];
  alignas(64) Met met;
  const ScoredWords scored{features_, groups_, words_.data(), halves_.data()};
  with_lanes(level_, [&](auto lanes) SYNTHOSCOPE_INLINE {
    centre(samples, middle_.data(), centred);
    measure(features_, centred, met.norm);
    meet_all<decltype(lanes)::value>(scored, centred, met, judged.word);
    settle(features_, largest_, met, judged);
  });
}

void WordScores::visit_within(const FeatureBlock& samples, const float* limits,
                              const Visit& visit) const {
  SYNTHOSCOPE_ASSERT(samples.features, ==, features_);
  SYNTHOSCOPE_ASSERT(samples.count, <=, kBlock);
  alignas(64) float centred[kMaxFeatures * kBlock];
  float all_limits[kBlock];
  std::copy_n(limits, samples.count, all_limits);
  std::fill(all_limits + samples.count, all_limits + kBlock, -kNone);
  const ScoredWords scored{features_, groups_, words_.data(), halves_.data()};
  with_lanes(level_, [&](auto lanes) SYNTHOSCOPE_INLINE {
    centre(samples, middle_.data(), centred);
    visit_all<decltype(lanes)::value>(scored, centred, all_limits,
                                      [&](std::int64_t i, std::int64_t k) SYNTHOSCOPE_INLINE {
                                        if (i < samples.count && k < size_) visit(i, k);
                                      });
  });
}

}  // namespace synthoscope::kernels
