// SPDX-License-Identifier: MIT
// kernels/visual_words/assigned_samples.hpp — samples and the word that each has, and what follows
// from it: a step of k-means.
#pragma once
#include <cstdint>
#include <span>
#include <vector>
#include "core/run/host_buffer.hpp"
#include "core/run/run_context.hpp"
#include "kernels/visual_words/dictionary.hpp"
#include "kernels/visual_words/feature_block.hpp"

namespace synthoscope::kernels {

/// Samples, of the features that words have.
class AssignedSamples {
 public:
  /// All have word 0. @throws PlanError  context.memory has no room for bytes().
  AssignedSamples(const FeatureBlock& samples, std::int64_t words, const RunContext& context);

  /// Held beside the samples; so is room for words as they were and as they become.
  static std::int64_t bytes(const FeatureBlock& samples, std::int64_t words);

  /// Room for one of each sample.
  [[nodiscard]] std::span<float> distances() const {
    return {distances_.data(), static_cast<std::size_t>(samples_.count)};
  }

  /// Whether a sample has another word than before. @param measures  distances, too
  bool assign(const Dictionary& dictionary, bool measures = false);

  /// Moves the samples that are farthest from their words to words that have none, but none that
  /// is alone or at its word. @return how many
  std::int64_t fill_empty(const Dictionary& dictionary, std::vector<std::int64_t>& sizes);

  [[nodiscard]] std::vector<std::int64_t> sizes() const;

  /// The mean of each word's samples; a word that has none stays.
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
