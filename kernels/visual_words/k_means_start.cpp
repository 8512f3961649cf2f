// SPDX-License-Identifier: MIT
#include "kernels/visual_words/k_means_start.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>
#include "core/base/error.hpp"
#include "core/base/round_up.hpp"
#include "core/math/random.hpp"
#include "core/vector/vector_level.hpp"

namespace synthoscope::kernels {
namespace {

// Number of samples whose distances from a candidate are in cache at once
constexpr std::int64_t kMeasured = 256;

/// Computes the squared distances of samples.count <= kMeasured samples from sample `from` of
/// `all`.
void measure(const FeatureBlock& samples, const FeatureBlock& all, std::int64_t from, float* to) {
  vectorised(vector_level(), [&]() SYNTHOSCOPE_INLINE {
    std::fill_n(to, samples.count, 0.0F);
    for (std::int64_t f = 0; f < samples.features; ++f) {
      const float* const x = samples.first + f * samples.pitch;
      const float centre = all.at(f, from);
      for (std::int64_t i = 0; i < samples.count; ++i) {
        const float apart = x[i] - centre;
        to[i] += apart * apart;
      }
    }
  });
}

/// The words chosen so far, as the distances of samples from them.
class Chosen {
 public:
  /// @param first  the sample that is the first word
  Chosen(const FeatureBlock& samples, std::int64_t first, std::span<float> distances,
         const RunContext& context)
      : samples_{samples},
        distances_{distances},
        context_{context},
        sums_(static_cast<std::size_t>(parts_of(samples.count, kSamplesAtOnce))),
        trial_(sums_.size()) {
    std::ranges::fill(distances_, std::numeric_limits<float>::infinity());
    take(first);
  }

  /// Returns the sum of all squared distances.
  [[nodiscard]] double total() const { return std::accumulate(sums_.begin(), sums_.end(), 0.0); }

  /// Returns the sum with `candidate` among the words.
  double total_with(std::int64_t candidate) {
    meet(candidate, Meeting::trial, trial_);
    return std::accumulate(trial_.begin(), trial_.end(), 0.0);
  }
  void take(std::int64_t candidate) { meet(candidate, Meeting::real, sums_); }

  /// Returns the first sample up to which squared distances add up to more than `wanted`, which is
  /// less than total(); never a sample at a word.
  [[nodiscard]] std::int64_t sample_at(double wanted) const {
    // The last part that begins before `wanted`; by rounding, it may also end before
    std::size_t part = 0;
    double before = 0, next = 0;
    for (std::size_t i = 0; i < sums_.size() && next <= wanted; ++i) {
      if (sums_[i] == 0) continue;
      part = i;
      before = next;
      next += sums_[i];
    }
    const std::int64_t begin = static_cast<std::int64_t>(part) * kSamplesAtOnce;
    const std::int64_t end = std::min(begin + kSamplesAtOnce, samples_.count);
    std::int64_t found = begin;
    for (std::int64_t i = begin; i < end && before <= wanted; ++i) {
      const auto distance = double{distances_[static_cast<std::size_t>(i)]};
      if (distance == 0) continue;
      found = i;
      before += distance;
    }
    return found;
  }

 private:
  enum class Meeting { trial, real };

  /// Computes the sums of all parts.
  void meet(std::int64_t candidate, Meeting meeting, std::vector<double>& sums) {
    context_.pool.for_ranges(
        samples_.count, kSamplesAtOnce, [&](std::int64_t begin, std::int64_t end) {
          context_.stop.check();
          double sum = 0;
          for (std::int64_t i = begin; i < end; i += kMeasured)
            sum += meet_block(candidate, meeting, samples_.part(i, std::min(kMeasured, end - i)),
                              distances_.data() + i);
          sums[static_cast<std::size_t>(begin / kSamplesAtOnce)] = sum;
        });
  }

  double meet_block(std::int64_t candidate, Meeting meeting, const FeatureBlock& block,
                    float* nearest) const {
    float distances[kMeasured];
    measure(block, samples_, candidate, distances);
    double sum = 0;
    for (std::int64_t i = 0; i < block.count; ++i) {
      const float least = std::min(nearest[i], distances[i]);
      if (meeting == Meeting::real) nearest[i] = least;
      sum += double{least};
    }
    return sum;
  }

  FeatureBlock samples_;
  std::span<float> distances_;
  const RunContext& context_;
  std::vector<double> sums_, trial_;  ///< of parts of kSamplesAtOnce
};

/// Returns number `draw` for word number `word`, in (0, 1).
double drawn(const RandomStream& random, std::int64_t word, int draw) {
  const auto words =
      random.block(static_cast<std::uint64_t>(word), static_cast<std::uint16_t>(draw));
  return uniform52(words[0], words[1]);
}

}  // namespace

Dictionary k_means_start(const FeatureBlock& samples, std::int64_t words, std::uint64_t seed,
                         std::span<float> distances, const RunContext& context) {
  const RandomStream random{seed, RandomStage::k_means};
  const int trials = 2 + static_cast<int>(std::log(static_cast<double>(words)));
  Dictionary dictionary{samples.features, {}};
  dictionary.centroids.reserve(static_cast<std::size_t>(words * samples.features));
  const auto add = [&](std::int64_t sample) {
    for (std::int64_t f = 0; f < samples.features; ++f)
      dictionary.centroids.push_back(samples.at(f, sample));
  };

  context.progress.begin("first words", words);
  const auto first =
      static_cast<std::int64_t>(drawn(random, 0, 0) * static_cast<double>(samples.count));
  Chosen chosen{samples, first, distances, context};
  add(first);
  for (std::int64_t word = 1; word < words; ++word) {
    context.progress.advance(1);
    const double total = chosen.total();
    if (total == 0)
      throw InvalidSpec(
          fmt::format("k-means: {} words from {} samples, of which only {} differ; ask for at most "
                      "as many words, or give samples of more images",
                      words, samples.count, word));
    std::int64_t best = -1;
    double least = std::numeric_limits<double>::infinity();
    for (int trial = 0; trial < trials; ++trial) {
      const std::int64_t candidate = chosen.sample_at(drawn(random, word, trial) * total);
      const double left = chosen.total_with(candidate);
      if (left >= least) continue;
      least = left;
      best = candidate;
    }
    chosen.take(best);
    add(best);
  }
  context.progress.advance(1);
  return dictionary;
}

}  // namespace synthoscope::kernels
