// SPDX-License-Identifier: MIT
#include "kernels/visual_words/nearest_word.hpp"
#include <algorithm>
#include <array>
#include <limits>
#include "core/base/assert.hpp"
#include "core/base/names.hpp"
#include "kernels/visual_words/word_scores.hpp"

namespace synthoscope::kernels {
namespace {

constexpr NameTable<QuantisingStrategy, 3> kStrategyNames{
    {{QuantisingStrategy::automatic, "auto"},
     {QuantisingStrategy::naive, "naive"},
     {QuantisingStrategy::blocked, "blocked"}}};

using Sample = std::array<float, kMaxFeatures>;

void take_sample(const FeatureBlock& samples, std::int64_t i, Sample& sample) {
  for (std::int64_t f = 0; f < samples.features; ++f)
    sample[static_cast<std::size_t>(f)] = samples.at(f, i);
}

/// Returns the squared distance as NearestWord defines it.
double squared_distance(const float* x, const float* c, std::int64_t features) {
  double sum = 0;
  for (std::int64_t f = 0; f < features; ++f) {
    const double apart = double{x[f]} - double{c[f]};
    sum += apart * apart;
  }
  return sum;
}

std::uint16_t nearest_in_double(const float* x, const Dictionary& dictionary) {
  const float* c = dictionary.centroids.data();
  double least = std::numeric_limits<double>::infinity();
  std::int64_t nearest = 0;
  for (std::int64_t k = 0; k < dictionary.size(); ++k, c += dictionary.features) {
    const double distance = squared_distance(x, c, dictionary.features);
    if (distance < least) {
      least = distance;
      nearest = k;
    }
  }
  return static_cast<std::uint16_t>(nearest);
}

std::int64_t assign_naive(const FeatureBlock& samples, const Dictionary& dictionary,
                          std::uint16_t* words) {
  Sample sample;
  for (std::int64_t i = 0; i < samples.count; ++i) {
    take_sample(samples, i, sample);
    words[i] = nearest_in_double(sample.data(), dictionary);
  }
  return samples.count;
}

/// Samples that scores leave open, collected until a block of them is decided in double.
class OpenSamples {
 public:
  OpenSamples(const Dictionary& dictionary, const WordScores& scores, std::uint16_t* words)
      : dictionary_{dictionary}, scores_{scores}, words_{words} {}

  /// @param limit  scores of words that may be the nearest are not above it
  void add(const FeatureBlock& samples, std::int64_t i, float limit) {
    for (std::int64_t f = 0; f < samples.features; ++f)
      values_[f * kBlock + count_] = samples.at(f, i);
    sample_[count_] = i;
    limit_[count_++] = limit;
    if (count_ == kBlock) decide();
  }

  void decide() {
    double least[kBlock];
    std::fill_n(least, count_, std::numeric_limits<double>::infinity());
    for (std::int64_t i = 0; i < count_; ++i) words_[sample_[i]] = 0;
    const FeatureBlock block{values_, count_, kBlock, dictionary_.features};
    scores_.visit_within(block, limit_, [&](std::int64_t i, std::int64_t k) {
      Sample sample;
      take_sample(block, i, sample);
      const double distance =
          squared_distance(sample.data(), dictionary_.word(k).data(), block.features);
      if (!(distance < least[i])) return;
      least[i] = distance;
      words_[sample_[i]] = static_cast<std::uint16_t>(k);
    });
    decided_ += count_;
    count_ = 0;
  }

  [[nodiscard]] std::int64_t decided() const { return decided_; }

 private:
  static constexpr std::int64_t kBlock = WordScores::kBlock;
  const Dictionary& dictionary_;
  const WordScores& scores_;
  std::uint16_t* words_;
  std::int64_t count_ = 0, decided_ = 0;
  std::int64_t sample_[kBlock];
  float limit_[kBlock];
  float values_[kMaxFeatures * kBlock];
};

std::int64_t assign_blocked(const FeatureBlock& samples, const Dictionary& dictionary,
                            const WordScores& scores, std::uint16_t* words) {
  OpenSamples open{dictionary, scores, words};
  WordScores::Judged judged;
  for (std::int64_t begin = 0; begin < samples.count; begin += WordScores::kBlock) {
    const std::int64_t count = std::min(WordScores::kBlock, samples.count - begin);
    scores.judge(samples.part(begin, count), judged);
    for (std::int64_t i = 0; i < count; ++i)
      if (judged.is_open[i] == 0)
        words[begin + i] = static_cast<std::uint16_t>(judged.word[i]);
      else
        open.add(samples, begin + i, judged.limit[i]);
  }
  open.decide();
  return open.decided();
}

void measure(const FeatureBlock& samples, const Dictionary& dictionary, const std::uint16_t* words,
             float* distances) {
  Sample sample;
  for (std::int64_t i = 0; i < samples.count; ++i) {
    take_sample(samples, i, sample);
    distances[i] = static_cast<float>(
        squared_distance(sample.data(), dictionary.word(words[i]).data(), samples.features));
  }
}

}  // namespace

std::string_view name_of(QuantisingStrategy strategy) {
  return name_in(kStrategyNames, strategy);
}

std::optional<QuantisingStrategy> quantising_strategy_named(std::string_view name) {
  return named_in(kStrategyNames, name);
}

NearestWord::NearestWord(Dictionary dictionary, QuantisingStrategy strategy, VectorLevel level)
    : dictionary_{std::move(dictionary)} {
  require_usable(dictionary_);
  if (strategy != QuantisingStrategy::naive)
    scores_ = std::make_unique<WordScores>(dictionary_, level);
}

NearestWord::NearestWord(NearestWord&&) noexcept = default;
NearestWord& NearestWord::operator=(NearestWord&&) noexcept = default;
NearestWord::~NearestWord() = default;

std::int64_t NearestWord::held_bytes(std::int64_t words, std::int64_t features) {
  return words * features * std::int64_t{sizeof(float)} + WordScores::held_bytes(words, features);
}

std::int64_t NearestWord::assign(const FeatureBlock& samples, std::span<std::uint16_t> words,
                                 std::span<float> distances) const {
  const auto count = static_cast<std::size_t>(samples.count);
  SYNTHOSCOPE_ASSERT(samples.features, ==, dictionary_.features);
  SYNTHOSCOPE_ASSERT(words.size(), ==, count);
  const std::int64_t decided = scores_
                                   ? assign_blocked(samples, dictionary_, *scores_, words.data())
                                   : assign_naive(samples, dictionary_, words.data());
  if (distances.empty()) return decided;
  SYNTHOSCOPE_ASSERT(distances.size(), ==, count);
  measure(samples, dictionary_, words.data(), distances.data());
  return decided;
}

}  // namespace synthoscope::kernels
