// SPDX-License-Identifier: MIT
// kernels/visual_words/assigned_samples.hpp — samples, the word of each, and what follows from
// them: a step of k-means.
#pragma once
#include <cstdint>
#include <span>
#include <vector>
#include "core/run/host_buffer.hpp"
#include "core/run/run_context.hpp"
#include "kernels/visual_words/dictionary.hpp"
#include "kernels/visual_words/feature_block.hpp"

namespace synthoscope::kernels {

/// Samples with the features that words have, and the word of each.
class AssignedSamples {
 public:
  /// All samples have word 0 at first.
  /// @throws PlanError  context.memory has no space for bytes().
  AssignedSamples(const FeatureBlock& samples, std::int64_t words, const RunContext& context);

  /// Returns the bytes held apart from the samples, including space for old and new words.
  static std::int64_t bytes(const FeatureBlock& samples, std::int64_t words);

  /// Returns space for one distance of each sample.
  [[nodiscard]] std::span<float> distances() const {
    return {distances_.data(), static_cast<std::size_t>(samples_.count)};
  }

  /// Assigns each sample its nearest word.
  /// @param measures  also computes distances
  /// @returns whether a sample has another word than before
  bool assign(const Dictionary& dictionary, bool measures = false);

  /// Moves the samples that are farthest from their words to words that have none, except samples
  /// that are alone or at their word.
  /// @return how many
  std::int64_t fill_empty(const Dictionary& dictionary, std::vector<std::int64_t>& sizes);

  [[nodiscard]] std::vector<std::int64_t> sizes() const;

  /// Returns the mean of each word's samples; a word without samples is unchanged.
  [[nodiscard]] Dictionary means(const Dictionary& dictionary,
                                 std::span<const std::int64_t> sizes) const;

 private:
  FeatureBlock samples_;
  std::int64_t words_;
  const RunContext& context_;
  HostBuffer<std::uint16_t> nearest_;
  HostBuffer<float> distances_;
  HostBuffer<double> sums_;          ///< [stretch][eight features][word][feature]
  HostBuffer<std::int64_t> counts_;  ///< [stretch][word]
  Reservation dictionaries_;
};

}  // namespace synthoscope::kernels
