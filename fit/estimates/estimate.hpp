// SPDX-License-Identifier: MIT
// fit/estimates/estimate.hpp — a number that was found in images, with its interval.
#pragma once
#include <optional>
#include <string>
#include "core/base/names.hpp"

namespace synthoscope::fit {

/// Where a value comes from: the images; the user; or nowhere, since the images do not tell it.
enum class Origin { measured, given, assumed };
inline constexpr NameTable<Origin, 3> kOriginNames{
    {{Origin::measured, "measured"}, {Origin::given, "given"}, {Origin::assumed, "assumed"}}};

/// A value of a key of the scene, or of a figure that is no key.
struct Estimate {
  std::string key;  ///< full name of a key, such as "nuclei.radius_um"; or words for a figure
  std::optional<int> axis = {};  ///< of a key with three numbers: 0 for z, 1 for y, 2 for x
  double value = 0;
  double low = 0, high = 0;  ///< 95 % interval; for an assumed value what is plausible
  std::string unit;
  Origin origin = Origin::measured;
  std::string how;  ///< from what it was found, or why it was not: a sentence
};

}  // namespace synthoscope::fit
