// SPDX-License-Identifier: MIT
// fit/texture/minimise.hpp — the keys of a scene at which a costly number is smallest.
#pragma once
#include <functional>
#include <vector>
#include "core/run/stop.hpp"
#include "fit/matching/fitted_key.hpp"

namespace synthoscope::fit {

/// The number at keys with these values, in the order of the keys.
using Objective = std::function<double(const std::vector<double>& values)>;

struct Budget {
  int evaluations = 100;
  double seconds = 1e9;
};

struct Minimum {
  std::vector<double> values;
  double objective = 0;
  int evaluations = 0;
};

/// Searches without derivatives, between least and most of each key, first in steps of a third of
/// its prior. The best point that was met is returned when the budget ends.
/// @source Powell, The BOBYQA algorithm for bound constrained optimization without derivatives,
///         Cambridge NA report 2009/06 (NLopt's version).
/// @param start  within the bounds
/// @throws Interrupted, and what the objective throws.
Minimum minimise(const std::vector<FittedKey>& keys, const std::vector<double>& start,
                 const Objective& objective, const Budget& budget, const StopFlag& stop);

}  // namespace synthoscope::fit
