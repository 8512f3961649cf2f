// SPDX-License-Identifier: MIT
// fit/light/object_light.hpp — how bright each labelled object of an image is.
#pragma once
#include <array>
#include <span>
#include <vector>
#include "fit/images/labelled_image.hpp"
#include "fit/light/light_rule.hpp"

namespace synthoscope::fit {

/// Parts of an object, by their distance from its border within a plane.
enum class Zone { whole, border, inside, middle };
inline constexpr std::size_t kZones = 4;

/// An object of an image. Its counts are means above its surroundings, DN.
struct LitObject {
  double size_um3 = 0;
  double z_um = 0;    ///< of its middle, from the first plane of the image
  double radial = 0;  ///< square of the distance from the middle of the field, 1 in its corners
  double surroundings = 0;  ///< DN: the mean of the middle half of the pixels next to it
  /// Of each zone: border, up to a width of the PSF deep; inside, from two widths to 0.4 of the
  /// largest depth; middle, beyond 0.75 of that. Only `whole` without rule.zones.
  std::array<double, kZones> counts{};
  bool has_zones = false;  ///< it has pixels in all of them
  /// Share of its pixels that Otsu's threshold counts as bright; 0 without rule.zones.
  double bright_share = 0;
};

/// Returns the objects of at least 9 voxels, in the order of their labels. Surroundings of an
/// object are unlabelled pixels of its planes, 2 to 6 widths of the PSF from the nearest label, or
/// nearer ones where labels are crowded; `level` where there are none.
/// @param squared_widths  of each voxel, from squared_widths_from_labels
std::vector<LitObject> lit_objects(const LabelledImage& image,
                                   std::span<const double> squared_widths, double level,
                                   const LightRule& rule);

}  // namespace synthoscope::fit
