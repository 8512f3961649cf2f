// SPDX-License-Identifier: MIT
// kernels/visual_words/nearest_word.hpp — finds the word of a dictionary that is nearest to a
// sample.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include "core/vector/vector_level.hpp"
#include "kernels/visual_words/dictionary.hpp"
#include "kernels/visual_words/feature_block.hpp"

namespace synthoscope::kernels {

class WordScores;

/// naive: every distance in double, by the definition, one sample and one word at a time: the
///   reference for the others.
/// blocked: float32 scores of a block of samples and several words at once; what float32's rounding
///   leaves open is decided as in naive.
/// All give the same words.
enum class QuantisingStrategy { automatic, naive, blocked };

std::string_view name_of(QuantisingStrategy strategy);
std::optional<QuantisingStrategy> quantising_strategy_named(std::string_view name);

/// Finds the word k of least sum over f of (x_f - c_kf)^2, added up in double in the order of f; of
/// equal ones the first. A sample with a value that is not finite has word 0. The word of a sample
/// does not depend on the samples next to it, on the strategy or on the vector unit.
class NearestWord {
 public:
  /// @param level  one that this processor supports
  /// @throws InvalidSpec  as require_usable.
  explicit NearestWord(Dictionary dictionary,
                       QuantisingStrategy strategy = QuantisingStrategy::automatic,
                       VectorLevel level = vector_level());
  NearestWord(NearestWord&&) noexcept;
  NearestWord& operator=(NearestWord&&) noexcept;
  ~NearestWord();

  [[nodiscard]] const Dictionary& dictionary() const { return dictionary_; }

  /// Returns the bytes that a NearestWord of this many words and features allocates.
  [[nodiscard]] static std::int64_t held_bytes(std::int64_t words, std::int64_t features);

  /// Computes words[i] of sample i and, if wanted, distances[i], the squared distance (the sum
  /// above). Runs in the calling thread; several threads may call it at once.
  /// @param samples    of as many features as words have
  /// @param words      samples.count of them
  /// @param distances  as many, or none
  /// @return how many samples were decided in double
  std::int64_t assign(const FeatureBlock& samples, std::span<std::uint16_t> words,
                      std::span<float> distances = {}) const;

 private:
  Dictionary dictionary_;
  std::unique_ptr<WordScores> scores_;  ///< null: naive
};

}  // namespace synthoscope::kernels
