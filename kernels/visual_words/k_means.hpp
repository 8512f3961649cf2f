// SPDX-License-Identifier: MIT
// kernels/visual_words/k_means.hpp — words learned from samples: centres such that every sample is
// near one of them.
#pragma once
#include <cstdint>
#include <vector>
#include "core/run/run_context.hpp"
#include "kernels/visual_words/dictionary.hpp"
#include "kernels/visual_words/feature_block.hpp"

namespace synthoscope::kernels {

struct KMeansSpec {
  std::int64_t words = 200;
  int most_iterations = 100;
  /// Words have come to rest if the sum of their squared shifts is at most this times the mean
  /// variance of a feature.
  double tolerance = 1e-4;
  std::uint64_t seed = 0;
};

struct KMeansResult {
  Dictionary dictionary;
  std::vector<std::int64_t> sizes;  ///< number of samples that are nearest to each word
  double inertia = 0;  ///< sum of the squared distances of all samples from their words
  int iterations = 0;
  bool converged = false;  ///< no sample changed its word, or words came to rest
};

/// Runs Lloyd's iterations from a start by greedy k-means++: it draws 2 + log(words) samples by
/// their squared distance from the words so far, and takes the one that leaves the least sum of
/// squared distances. Draws depend only on the seed; the result does not depend on threads or on
/// the vector unit.
///
/// A word that is nearest to no sample moves to the sample that is farthest from its own word.
///
/// @source  Lloyd, IEEE Trans. Inf. Theory 28 (1982) 129, doi:10.1109/TIT.1982.1056489. Arthur,
///          Vassilvitskii, SODA 2007, 1027, section 2.2; greedy as they suggest in section 7.
/// @throws InvalidSpec   spec is out of range, fewer samples than words, or fewer that differ.
/// @throws InvalidInput  a feature is not finite.
/// @throws PlanError     context.memory has fewer bytes than AssignedSamples::bytes.
/// @throws Interrupted   context.stop was set.
KMeansResult k_means(const FeatureBlock& samples, const KMeansSpec& spec,
                     const RunContext& context);

/// Does the same from a given start, of start.size() words, and ignores spec.words and spec.seed.
/// If fewer samples differ than there are words, some words are unchanged and have size 0.
/// @throws InvalidSpec  also as require_usable of `start`.
KMeansResult k_means_from(const FeatureBlock& samples, Dictionary start, const KMeansSpec& spec,
                          const RunContext& context);

}  // namespace synthoscope::kernels
