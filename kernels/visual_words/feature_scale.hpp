// SPDX-License-Identifier: MIT
// kernels/visual_words/feature_scale.hpp — the factors that turn responses into features.
#pragma once
#include "kernels/body/scaled_responses.hpp"
#include "kernels/visual_words/texture_features.hpp"

namespace synthoscope::kernels {

/// @throws InvalidSpec  a gain that is not positive.
ResponseScale feature_scale(const FeatureSpec& spec, double gain);

}  // namespace synthoscope::kernels
