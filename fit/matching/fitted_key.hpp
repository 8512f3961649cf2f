// SPDX-License-Identifier: MIT
// fit/matching/fitted_key.hpp — a key of a scene that a fit moves, as an unbounded number.
#pragma once
#include <optional>
#include <string>
#include "simulator/scene/keys.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

/// How a key is moved. Its position is the key itself, or the logarithm of one that is positive.
struct FittedKey {
  std::string key;               ///< full name, such as "nuclei.radius_um"
  std::optional<int> axis = {};  ///< of a key with three numbers: 0 for z, 1 for y, 2 for x
  bool logarithmic = true;       ///< values are above 0, and change by factors
  double least = 0, most = 0;    ///< values that are tried; within the key's range
  double prior =
      1;  ///< standard deviation of the position before an image is seen, around the start
  std::string how = {};  ///< by what it is found, for the report: a sentence
  /// Of derivatives, in standard deviations of the prior: larger for statistics that are flat where
  /// the key is 0, or that jump a little when it changes.
  double step = 0.05;
  /// Chance is drawn anew when the key changes, for instance places. A derivative that this may
  /// explain counts as 0.
  bool redraws = false;
};

/// Returns the key of a scene that has this full name. @pre there is one
const simulator::SceneKey& key_named(const std::string& full_name);

/// Returns the value of the key in a scene. @pre it is present
double value_of(const simulator::SceneSpec& scene, const FittedKey& key);

/// Gives the key a value, limited to least ... most; whole numbers are rounded.
void set_value(simulator::SceneSpec& scene, const FittedKey& key, double value);

/// Return the position of a value, and the value at a position.
double position_of(const FittedKey& key, double value);
double value_at(const FittedKey& key, double position);

}  // namespace synthoscope::fit
