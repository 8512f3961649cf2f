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
  std::string by;    ///< "volume", "depth", "snr", "nearest", "photons" or "border"
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

/// A value of a property, and whether the object that has it was found.
struct GradedValue {
  double value = 0;
  bool is_found = false;
  double iou = 0;  ///< with its match
};

/// A property of objects.
struct GradedProperty {
  std::string name, unit;
  std::vector<GradedValue> truth;  ///< of the true objects whose value is known
  /// Of results without a match; nothing if the property is not known of results.
  std::optional<std::vector<double>> false_results = {};
  bool has_iou = true;  ///< or matches are not measured by it
};

/// Adds the strata of a property: at most `parts` with about the same number of true objects each,
/// at least kLeastInStratum. Adds none if there would be a single one.
void add_strata(const GradedProperty& property, int parts, std::vector<Stratum>& to);
inline constexpr std::int64_t kLeastInStratum = 5;
inline constexpr int kStrata = 4;

/// Returns the strata of size, depth, neighbours and light of labelled objects; for the border two,
/// away from it (0) and at it (1).
/// @param has_um    whether lengths are in micrometres
/// @param is_plane  whether images have one plane, and objects no depth
std::vector<Stratum> strata_of(const std::vector<ScoredObject>& truth,
                               const std::vector<ScoredObject>& results, bool has_um, bool is_plane,
                               int parts = kStrata);

}  // namespace synthoscope::score
