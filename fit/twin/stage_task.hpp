// SPDX-License-Identifier: MIT
// fit/twin/stage_task.hpp — what every stage of a fit is given.
#pragma once
#include <set>
#include <string>
#include <string_view>
#include "fit/images/labelled_image.hpp"
#include "fit/twin/twin_images.hpp"

namespace synthoscope::fit {

/// A stage changes keys of a scene, and returns what it found. It keeps the keys of `fixed`.
struct StageTask {
  const LabelledImages& real;          ///< at least one; all have labels or none
  const TwinImages& twins;             ///< simulates scenes
  const std::set<std::string>& fixed;  ///< full names of keys that the user gave
  double seconds = 1e9;                ///< after which no further simulation begins
  std::int64_t seed = 1;               ///< of the first simulated image

  [[nodiscard]] bool is_free(std::string_view key) const {
    return fixed.count(std::string{key}) == 0;
  }
};

}  // namespace synthoscope::fit
