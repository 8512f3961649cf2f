// SPDX-License-Identifier: MIT
// fit/light/light_statistics.hpp — numbers of the light of images, pooled over images.
#pragma once
#include <string_view>
#include <vector>
#include "fit/estimates/statistics.hpp"
#include "fit/light/background_model.hpp"
#include "fit/light/object_light.hpp"

namespace synthoscope::fit {

/// The light of images of one kind: tiles of each, and the objects of all.
struct LightSample {
  std::vector<Tiles> tiles;
  std::vector<LitObject> objects;
};

/// Measures an image and adds what is found. @pre it has counts
void add_light(const LabelledImage& image, const LightRule& rule, LightSample& sample);

/// Names of statistics. Backgrounds are in DN above `dark_dn`, brightness as logarithms of DN.
namespace light_name {
inline constexpr std::string_view kLevel = "background", kAlongX = "gradient along x",
                                  kAlongY = "gradient along y",
                                  kBackgroundFalloff = "falloff of the background",
                                  kGrain = "grain", kVariance = "variance of brightness",
                                  kBrightShare = "share of an object that is bright",
                                  kSizeEffect = "brightness with size",
                                  kObjectFalloff = "falloff of objects",
                                  kDepthEffect = "brightness with depth";
}  // namespace light_name

/// Returns the name of the brightness of a zone.
std::string_view name_of(Zone zone);

/// Returns the name of the logarithm of the brightness of a zone over that inside.
std::string_view relative_name_of(Zone zone);

/// Returns level and slopes (background_model.hpp) and the grain (DN^2), each if images tell it.
/// @param dark_dn  counts of an empty pixel without light, which are subtracted from the level
Statistics background_statistics(const LightSample& sample, const LightRule& rule,
                                 const FieldShape& shape, double dark_dn);

/// Returns of all objects: the logarithm of the mean brightness (of each zone, if there are zones;
/// then also the mean logarithm of that of border and middle over that inside, which does not vary
/// with the stain of an object, and the mean share that is bright, of the middle half of the
/// objects), and of a regression of the logarithm of brightness: the variance that remains, the
/// effect of a standard deviation of ln(size), of the square of the distance from the middle (1 in
/// the corners) and of a micrometre in z. Effects are left out where fewer than 8 objects, or 12
/// for falloff and depth, would tell them. Brightness beyond three robust deviations from the
/// median counts as there. The covariance is that of a bootstrap over objects.
/// @param depth  objects lie at different depths
Statistics object_statistics(const LightSample& sample, const LightRule& rule, bool depth);

/// Returns the sample as it would be without falloff: background above `dark_dn` and its grain
/// are divided by what is left of the light, 1 - falloff (r / r_corner)^2.
LightSample without_falloff(LightSample sample, double falloff, double dark_dn);

/// Returns where a statistic is, or -1.
Eigen::Index place_of(const Statistics& statistics, std::string_view name);

/// Returns some of the statistics, in the order of `names`. @pre all are there
Statistics selected(const Statistics& all, const std::vector<std::string_view>& names);

}  // namespace synthoscope::fit
