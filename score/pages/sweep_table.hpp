// SPDX-License-Identifier: MIT
// score/pages/sweep_table.hpp — the data sets of a sweep, the values of its keys, and their scores.
#pragma once
#include <string>
#include <vector>
#include "core/base/json.hpp"

namespace synthoscope::score {

/// A data set of a sweep: its folder, the value of each swept key, and its scores as `--json`
/// prints them.
struct SweptSet {
  std::string folder;
  Json values;  ///< by the name of the key
  Json scores;
};

/// A number of the scores: its name, and where it is.
struct SweepColumn {
  std::string name;
  Json::json_pointer place;
  bool is_brief = true;  ///< shown where there is little room
  bool is_plotted = false;
  double scale = 1;  ///< of the printed number
};

/// Returns the columns of a kind: "labels", "tracks", "spots" or "image".
std::vector<SweepColumn> sweep_columns(const std::string& kind);

/// A row of names and a row for each set: folder, values of keys, numbers.
/// @param is_brief  leaves out values of keys, which the folders are named by, and some numbers
std::vector<std::vector<std::string>> sweep_rows(const std::vector<SweptSet>& sets,
                                                 const std::vector<SweepColumn>& columns,
                                                 bool is_brief);

/// Returns the plotted columns over each swept key that is a number, for a page: the mean over the
/// sets of each value, and every set as a point.
std::string sweep_plots(const std::vector<SweptSet>& sets, const std::vector<SweepColumn>& columns);

/// Returns a page without external references around its sections.
std::string score_page(const std::string& title, const std::string& sections);

/// Returns the plots and the table as a section of a page; empty without sets.
std::string sweep_section(const std::vector<SweptSet>& sets,
                          const std::vector<SweepColumn>& columns);

}  // namespace synthoscope::score
