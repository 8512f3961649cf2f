// SPDX-License-Identifier: MIT
// score/likeness/likeness_table.hpp — a comparison of images as rows of words, for a terminal and
// for a page.
#pragma once
#include <string>
#include <vector>
#include "score/likeness/compare_images.hpp"

namespace synthoscope::score {

using WordRows = std::vector<std::vector<std::string>>;

/// Returns what was compared: images, patches, and how objects were found.
WordRows compared_rows(const ComparedImages& compared);

/// Returns the measures: value, the null's range of 95 %, where the value lies.
/// @param with_definitions  adds a column that says what each is
WordRows measure_rows(const ComparedImages& compared, bool with_definitions);

/// Returns p of the energy distance, and what limits it, as a sentence.
std::string energy_sentence(const textures::EnergyTest& test);

/// Returns what gives synthetic images away, at most so many, the largest first: statistics outside
/// their null; if there is no null, any.
std::vector<textures::StatisticEffect> telling_effects(const ComparedImages& compared,
                                                       std::size_t most);

/// Returns the same as rows: effect, its null, difference or ratio, words.
WordRows effect_rows(const ComparedImages& compared, std::size_t most);

}  // namespace synthoscope::score
