// SPDX-License-Identifier: MIT
// score/pages/sweep_table.hpp — the data sets of a sweep, the values of its keys, and their scores.
#pragma once
#include <string>
#include <vector>
#include "core/base/json.hpp"
#include "score/labels/label_scores.hpp"

namespace synthoscope::score {

/// A data set of a sweep: its folder, and the value of each swept key.
struct SweptSet {
  std::string folder;
  Json values;  ///< by the name of the key
};

/// A row of names and a row for each set: folder, values, numbers of objects, scores.
std::vector<std::vector<std::string>> sweep_rows(const std::vector<SweptSet>& sets,
                                                 const std::vector<LabelScores>& scores);

/// Returns AP at 0.5, mean AP and SEG over each swept key that is a number, as plots of a page: the
/// mean over the sets of each value, and every set as a point.
std::string sweep_plots(const std::vector<SweptSet>& sets, const std::vector<LabelScores>& scores);

}  // namespace synthoscope::score
