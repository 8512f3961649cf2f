// SPDX-License-Identifier: MIT
// fit/matching/match.hpp — moves keys of a scene until its simulated images have the statistics of
// real ones.
#pragma once
#include <functional>
#include <string_view>
#include <vector>
#include "core/run/run_context.hpp"
#include "fit/estimates/estimate.hpp"
#include "fit/estimates/findings.hpp"
#include "fit/estimates/statistics.hpp"
#include "fit/matching/fitted_key.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

/// Returns the statistics of simulated images of a scene. The same scene gives the same statistics:
/// seeds are fixed, so that they change smoothly with the keys (common random numbers).
using SimulatedStatistics = std::function<Statistics(const simulator::SceneSpec&)>;

struct MatchRequest {
  std::vector<FittedKey> keys;
  Statistics wanted;  ///< of the real images
  SimulatedStatistics simulate;
  /// Number of independent simulations, of the size of the real images, that `simulate` averages.
  double repeats = 1;
  int most_simulations = 60;
  double seconds = 1e9;  ///< after which no further simulation begins
};

struct Matched {
  simulator::SceneSpec scene;
  std::vector<Estimate> estimates;       ///< one for each key
  Statistics simulated;                  ///< of the scene
  std::vector<ComparedNumber> compared;  ///< each statistic that was wanted
  int simulations = 0;
  /// The search ended, for want of time or of simulations, before the keys had settled: they may be
  /// off by more than their intervals, which suppose that the minimum was found.
  bool is_unfinished = false;
};

/// Finds the keys for which
///
///     (S - W)^T D^-1 (S - W) + sum over keys of ((p - p0) / prior)^2
///
/// is smallest: S are the simulated statistics, W those of the real images, D the variances of
/// W - S, and p the positions of the keys, p0 at the start. A key that no statistic tells stays
/// where it was. Intervals follow from the derivatives J of S and the whole covariance C of W - S:
/// that of the positions is H^-1 (J^T D^-1 C D^-1 J + prior^-2) H^-1 with H = J^T D^-1 J +
/// prior^-2. An estimate is `assumed` if its standard deviation is above half its prior.
/// @source Gourieroux, Monfort, Renault, J. Appl. Econometrics 8 (1993) S85 (indirect inference);
///         McFadden, Econometrica 57 (1989) 995 (simulated moments). The minimum is found by
///         Levenberg and Marquardt's method (Eigen).
/// @throws Interrupted, and what `simulate` throws at the start; a scene that cannot be simulated
///         later on counts as very far away.
Matched match(const simulator::SceneSpec& start, const MatchRequest& request,
              const RunContext& context);

/// Adds to what is untold that the intervals of a search that was not finished may be too narrow.
/// @param of  what the keys belong to, such as "the light"
void say_if_unfinished(const Matched& matched, std::string_view of, Findings& found);

}  // namespace synthoscope::fit
