// SPDX-License-Identifier: MIT
// kernels/visual_words/k_means_start.hpp — the words that k-means starts from: samples far from
// each other.
#pragma once
#include <cstdint>
#include <span>
#include "core/run/run_context.hpp"
#include "kernels/visual_words/dictionary.hpp"
#include "kernels/visual_words/feature_block.hpp"

namespace synthoscope::kernels {

/// Samples that a thread processes at a time; their sums are added up in order, independent of
/// threads.
inline constexpr std::int64_t kSamplesAtOnce = 4096;

/// Chooses `words` of the samples by greedy k-means++ (k_means.hpp).
/// @param distances  working memory, one for each sample
/// @throws InvalidSpec  fewer samples differ.
/// @throws Interrupted  context.stop was set.
Dictionary k_means_start(const FeatureBlock& samples, std::int64_t words, std::uint64_t seed,
                         std::span<float> distances, const RunContext& context);

}  // namespace synthoscope::kernels
