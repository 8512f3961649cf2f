// SPDX-License-Identifier: MIT
#include "kernels/visual_words/k_means.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include "core/base/as_index.hpp"
#include "core/base/error.hpp"
#include "kernels/visual_words/assigned_samples.hpp"
#include "kernels/visual_words/k_means_start.hpp"

namespace synthoscope::kernels {
namespace {

// float32 can represent squared distances of at most kMaxFeatures such values
constexpr float kLargestFeature = 1e17F;

void require_usable(const KMeansSpec& spec) {
  if (spec.words < 1 || spec.words > kMaxWords)
    throw InvalidSpec(
        fmt::format("k-means: {} words; 1 to {} are accepted", spec.words, kMaxWords));
  if (spec.most_iterations < 1)
    throw InvalidSpec(
        fmt::format("k-means: {} iterations; at least 1 is accepted", spec.most_iterations));
  if (!(spec.tolerance >= 0) || !std::isfinite(spec.tolerance))
    throw InvalidSpec(fmt::format(
        "k-means: the tolerance is {}; give a finite number of at least 0", spec.tolerance));
}

void require_usable(const FeatureBlock& samples, std::int64_t words) {
  if (samples.features < 1 || samples.features > kMaxFeatures)
    throw InvalidSpec(fmt::format("k-means: samples have {} features; 1 to {} are accepted",
                                  samples.features, kMaxFeatures));
  if (samples.count < words)
    throw InvalidSpec(
        fmt::format("k-means: {} words from {} samples; ask for at most as many words, or give "
                    "samples of more images",
                    words, samples.count));
  for (std::int64_t f = 0; f < samples.features; ++f)
    for (std::int64_t i = 0; i < samples.count; ++i)
      if (!(std::abs(samples.at(f, i)) <= kLargestFeature))
        throw InvalidInput(
            fmt::format("k-means: feature {} of sample {} is {}; words are learned "
                        "from finite features of at most {}",
                        f, i, samples.at(f, i), kLargestFeature));
}

/// Returns the mean over features of their variance.
double mean_variance(const FeatureBlock& samples, TaskPool& pool) {
  std::vector<double> variances(as_index(samples.features));
  pool.for_each(samples.features, [&](std::int64_t f) {
    const float* const x = samples.first + f * samples.pitch;
    const auto count = static_cast<double>(samples.count);
    const double mean = std::accumulate(x, x + samples.count, 0.0) / count;
    double squares = 0;
    for (std::int64_t i = 0; i < samples.count; ++i) {
      const double apart = double{x[i]} - mean;
      squares += apart * apart;
    }
    variances[as_index(f)] = squares / count;
  });
  return std::accumulate(variances.begin(), variances.end(), 0.0) /
         static_cast<double>(samples.features);
}

/// Returns the sum of squared shifts of all words.
double shift(const Dictionary& from, const Dictionary& to) {
  double sum = 0;
  for (std::size_t i = 0; i < to.centroids.size(); ++i) {
    const double apart = double{to.centroids[i]} - double{from.centroids[i]};
    sum += apart * apart;
  }
  return sum;
}

KMeansResult iterate(AssignedSamples& samples, Dictionary start, double rest, int most_iterations,
                     const RunContext& context) {
  KMeansResult result{std::move(start), {}};
  Dictionary& words = result.dictionary;
  context.progress.begin("words", most_iterations);
  while (result.iterations < most_iterations && !result.converged) {
    const bool has_changed = samples.assign(words) || result.iterations == 0;
    auto sizes = samples.sizes();
    const bool has_moved = samples.fill_empty(words, sizes) > 0;
    Dictionary means = samples.means(words, sizes);
    result.converged = (!has_changed && !has_moved) || shift(words, means) <= rest;
    words = std::move(means);
    ++result.iterations;
    context.progress.advance(1);
  }
  samples.assign(words, true);
  result.sizes = samples.sizes();
  for (const float distance : samples.distances()) result.inertia += double{distance};
  return result;
}

}  // namespace

KMeansResult k_means(const FeatureBlock& samples, const KMeansSpec& spec,
                     const RunContext& context) {
  require_usable(spec);
  require_usable(samples, spec.words);
  AssignedSamples assigned{samples, spec.words, context};
  auto start = k_means_start(samples, spec.words, spec.seed, assigned.distances(), context);
  return iterate(assigned, std::move(start), spec.tolerance * mean_variance(samples, context.pool),
                 spec.most_iterations, context);
}

KMeansResult k_means_from(const FeatureBlock& samples, Dictionary start, const KMeansSpec& spec,
                          const RunContext& context) {
  require_usable(start);
  KMeansSpec same = spec;
  same.words = start.size();
  require_usable(same);
  require_usable(samples, 1);
  if (start.features != samples.features)
    throw InvalidSpec(fmt::format(
        "k-means: the initial words have {} features, but the samples {}; give the same number",
        start.features, samples.features));
  AssignedSamples assigned{samples, same.words, context};
  return iterate(assigned, std::move(start), spec.tolerance * mean_variance(samples, context.pool),
                 spec.most_iterations, context);
}

}  // namespace synthoscope::kernels
