// SPDX-License-Identifier: MIT
// score/likeness/likeness_json.hpp — a comparison of images as JSON.
#pragma once
#include "core/base/json_fwd.hpp"
#include "score/likeness/compare_images.hpp"

namespace synthoscope::score {

/// Returns every number of a comparison.
Json json_of(const ComparedImages& compared);

/// "inside", "above" or "open".
std::string_view name_of(textures::NullPlace place);

}  // namespace synthoscope::score
