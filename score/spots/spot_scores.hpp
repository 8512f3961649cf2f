// SPDX-License-Identifier: MIT
// score/spots/spot_scores.hpp — how good a list of localised spots is, beside the true ones.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>
#include "core/base/json_fwd.hpp"
#include "core/run/run_context.hpp"
#include "score/spots/spot.hpp"
#include "score/spots/spot_bound.hpp"

namespace synthoscope::score {

/// What is known of one true spot, for strata.
struct SpotRecord {
  std::size_t truth = 0;                            ///< place in the list of true spots
  std::optional<std::size_t> result;                ///< that it was matched with
  double distance_um = kUnknown;                    ///< between the two
  AlongZyx error_um{kUnknown, kUnknown, kUnknown};  ///< result - truth; z unknown in one plane
  double photons = kUnknown;
  double depth_um = 0;      ///< its z
  double neighbour_um = 0;  ///< to the nearest other true spot of its frame; infinity without one
  AlongZyx bound_um{kUnknown, kUnknown, kUnknown};  ///< least standard deviation, as far as known
};

/// Numbers that no match defines are kUnknown.
struct SpotScores {
  double radius_um = 0;                 ///< within which spots match
  std::int64_t truth = 0, results = 0;  ///< spots
  std::int64_t matched = 0;
  /// matched / results, matched / truth, 2 matched / (truth + results) and
  /// matched / (truth + results - matched). 1 if there are neither spots nor results, 0 if there
  /// are only one of them.
  double precision = 0, recall = 0, f1 = 0, jaccard = 0;

  // Of matched spots; z is unknown in one plane

  AlongZyx rmse_um{kUnknown, kUnknown, kUnknown};
  double rmse_lateral_um = kUnknown;  ///< root mean square of the distance along y and x
  double rmse_axial_um = kUnknown;    ///< of that along z
  AlongZyx bias_um{kUnknown, kUnknown, kUnknown};        ///< mean of result - truth
  AlongZyx bias_error_um{kUnknown, kUnknown, kUnknown};  ///< standard error of the bias

  // Of matched spots with a bound. Errors are from the middle of the light as it was rendered

  std::int64_t bounded = 0;
  AlongZyx bound_um{kUnknown, kUnknown, kUnknown};         ///< root mean square of the bounds
  AlongZyx bounded_rmse_um{kUnknown, kUnknown, kUnknown};  ///< root mean square of the errors
  /// Bound over error: 1 for an estimator that uses all information in the image, less for others.
  /// It exceeds 1 by chance (by some 1 / sqrt(2 bounded)), for a biased estimator, and if the
  /// radius is so small that only good results match.
  AlongZyx efficiency{kUnknown, kUnknown, kUnknown};
  /// Root mean square of the distance from a spot to the middle of its light. It is large where
  /// spots are smaller than voxels: no method can find such spots better from these images.
  AlongZyx rendering_um{kUnknown, kUnknown, kUnknown};
};

struct ScoredSpots {
  SpotScores scores;
  std::vector<SpotRecord> records;  ///< one for each true spot, in their order
  Reservation counted;              ///< of the records
};

/// Bounds of some of the true spots.
struct BoundedSpots {
  std::vector<std::size_t> which;  ///< places in the list of true spots
  std::vector<SpotBound> bounds;   ///< one each
};

/// Matches results with true spots (pair_spots) and scores them.
/// @param bounded  may be empty: there is no efficiency then
/// @throws InvalidInput  the results have no z, and the truth has several planes.
/// @throws InvalidSpec   the radius is not above 0.  @throws PlanError, Interrupted
ScoredSpots score_spots(const SpotList& truth, const SpotList& results, double radius_um,
                        const SpotSpace& space, const BoundedSpots& bounded,
                        const RunContext& context);

/// Returns `most` places of a list of `count`, or all of them, evenly spaced.
std::vector<std::size_t> evenly_chosen(std::size_t count, std::size_t most);

/// Returns all numbers by their names, with null for those that are unknown, and arrays in the
/// order z, y, x.
Json json_of(const SpotScores& scores);

}  // namespace synthoscope::score
