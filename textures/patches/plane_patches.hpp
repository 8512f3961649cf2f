// SPDX-License-Identifier: MIT
// textures/patches/plane_patches.hpp — square patches of a plane, whose grey levels no longer
// depend on the dose.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>
#include "core/base/names.hpp"
#include "textures/patches/grey_plane.hpp"

namespace synthoscope::textures {

/// Which patches are taken: those inside objects, those at their edges, or all.
enum class PatchPlace { inside, edge, all };
inline constexpr NameTable<PatchPlace, 3> kPatchPlaceNames{
    {{PatchPlace::inside, "inside"}, {PatchPlace::edge, "edge"}, {PatchPlace::all, "all"}}};

struct PatchSpec {
  std::int64_t side = 32;  ///< pixels
  PatchPlace where = PatchPlace::all;
  std::int64_t most = 100;  ///< of an image; from more, so many are taken evenly
};

/// Which pixels of a plane belong to objects: 1 or 0, row by row.
using ObjectMask = std::vector<std::uint8_t>;

/// Returns the threshold that divides values into two classes with the greatest variance between
/// them, among the limits of 256 bins between the 0.1 % and 99.9 % quantiles.
/// @source Otsu, IEEE Trans. Syst. Man Cybern. 9 (1979) 62, doi:10.1109/TSMC.1979.4310076.
double otsu_threshold(const std::vector<double>& values);

/// Returns the pixels that are brighter than Otsu's threshold after a blur of one pixel.
ObjectMask bright_objects(const GreyPlane& plane);

/// Subtracts the background, the median outside objects, and divides by the median inside them
/// above the background. Objects have a level of 1 then, whatever the dose.
/// @param name  of the image, for messages
/// @throws InvalidInput  all or no pixels belong to objects, or both medians are equal.
GreyPlane normalised(const GreyPlane& plane, const ObjectMask& objects, const std::string& name);

/// Returns the upper left corners (y, x) of the patches of a plane, on a lattice with a step of a
/// quarter of their side: of all; of those with a share of at least 0.98 in objects (inside); or of
/// 0.25 to 0.75 (edge).
std::vector<std::array<std::int64_t, 2>> patch_corners(const GreyPlane& plane,
                                                       const ObjectMask& objects,
                                                       const PatchSpec& spec);

/// Returns the patch at a corner.
GreyPlane patch_at(const GreyPlane& plane, const std::array<std::int64_t, 2>& corner,
                   std::int64_t side);

}  // namespace synthoscope::textures
