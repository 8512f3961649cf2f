// SPDX-License-Identifier: MIT
// score/strata/strata.hpp — which objects are found: by size, depth, light and neighbours.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "score/strata/scored_object.hpp"

namespace synthoscope::score {

/// Objects whose value lies from `low` to below `high`; the last stratum of a property holds `high`
/// as well.
struct Stratum {
  std::string by;    ///< "volume", "depth", "snr", "nearest" or "border"
  std::string unit;  ///< of low and high; empty if they have none
  double low = 0, high = 0;
  std::int64_t truth = 0, found = 0;            ///< true objects, and those with a match at 0.5
  std::optional<std::int64_t> false_positives;  ///< results without a match; nothing if the
                                                ///< property is not known of results
  std::optional<double> mean_iou;               ///< of those that were found

  [[nodiscard]] double recall() const {
    return truth > 0 ? static_cast<double>(found) / static_cast<double>(truth) : 0;
  }
  /// Returns TP / (TP + FP + FN).
  [[nodiscard]] std::optional<double> ap() const;
};

/// Returns the strata of each property that differs between objects: at most `parts` with about
/// the same number of true objects each, at least kLeastInStratum; for the border two, away from it
/// (0) and at it (1). A property with a single stratum is left out.
/// @param has_um    whether lengths are in micrometres
/// @param is_plane  whether images have one plane, and objects no depth
inline constexpr std::int64_t kLeastInStratum = 5;
std::vector<Stratum> strata_of(const std::vector<ScoredObject>& truth,
                               const std::vector<ScoredObject>& results, bool has_um, bool is_plane,
                               int parts = 4);

}  // namespace synthoscope::score
