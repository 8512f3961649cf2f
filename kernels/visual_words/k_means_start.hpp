// SPDX-License-Identifier: MIT
// kernels/visual_words/k_means_start.hpp — the words that k-means begins with: samples far from
// each other.
#pragma once
#include <cstdint>
#include <span>
#include "core/run/run_context.hpp"
#include "kernels/visual_words/dictionary.hpp"
#include "kernels/visual_words/feature_block.hpp"

namespace synthoscope::kernels {

/// Samples that are looked at by a thread at a time; what they add up to is added up in their
/// order, whatever the threads.
inline constexpr std::int64_t kSamplesAtOnce = 4096;

/// `words` of the samples by greedy k-means++ (k_means.hpp).
/// @param distances  works in as many as there are samples
/// @throws InvalidSpec  fewer samples differ.
/// @throws Interrupted  context.stop was set.
Dictionary k_means_start(const FeatureBlock& samples, std::int64_t words, std::uint64_t seed,
                         std::span<float> distances, const RunContext& context);

}  // namespace synthoscope::kernels
