// SPDX-License-Identifier: MIT
// tools/learning/comparison.hpp — two sets of images compared by their words, for `words compare`
// and `compare --features words`.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include "textures/answers/compare.hpp"
#include "tools/learning/options.hpp"

namespace synthoscope::tools {

/// Options of a comparison by words; the command owns the others.
struct WordsComparison {
  std::filesystem::path a, b, model;
  std::int64_t permutations = 999;
  LearningOptions learning;
  InputOptions input;
  GpuOptions gpu;
};

/// What was compared, by which words.
struct ComparedByWords {
  textures::TextureModel words;
  textures::TwoSets sets;
  textures::Compared compared;
  std::uint64_t seed = 0;
};

/// Learns or reads words, and compares both sets by them.
/// @param command  its name, for messages
/// @throws as learn_words, read_model and compare
ComparedByWords compare_by_words(const WordsComparison& asked, const textures::TwoSets& sets,
                                 const std::string& command, Session& session);

/// Prints the numbers as JSON or as text.
void print_comparison(const WordsComparison& asked, const ComparedByWords& found, bool as_json,
                      const Console& console);

}  // namespace synthoscope::tools
