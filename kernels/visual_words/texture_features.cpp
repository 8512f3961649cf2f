// SPDX-License-Identifier: MIT
#include "kernels/visual_words/texture_features.hpp"
#include <cmath>
#include "kernels/banks/bank_operation.hpp"
#include "kernels/visual_words/feature_scale.hpp"

namespace synthoscope::kernels {

std::int64_t feature_count(const FeatureSpec& spec, const Extent3& image) {
  return response_count(spec.filters.bank, image);
}

double feature_gain(const FeatureSpec& spec, double standard_deviation) {
  const double gain = 1 / standard_deviation;
  return spec.standardised && std::isfinite(static_cast<float>(gain)) ? gain : 1;
}

ResponseScale feature_scale(const FeatureSpec& spec, double gain) {
  if (!(gain > 0 && std::isfinite(static_cast<float>(gain))))
    throw InvalidSpec(fmt::format(
        "texture features: responses are to be multiplied by {}; give a positive number, such as "
        "the inverse of the image's standard deviation",
        gain));
  return {static_cast<float>(gain), spec.contrast_normalised};
}

ChosenBank make_texture_features(const NeighbourhoodSetting& setting, const FeatureSpec& spec,
                                 double gain) {
  NeighbourhoodSetting features = setting;
  features.type = PixelType::float32;
  return make_scaled_bank(features, spec.filters, feature_scale(spec, gain));
}

}  // namespace synthoscope::kernels
