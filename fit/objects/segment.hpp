// SPDX-License-Identifier: MIT
// fit/objects/segment.hpp — rough labels of bright objects, for images that come without.
#pragma once
#include "core/run/run_context.hpp"
#include "fit/images/labelled_image.hpp"

namespace synthoscope::fit {

/// Labels the objects of an image: smooths it, divides grey values (of a plane their square roots)
/// by Otsu's threshold, fills holes, and splits what is left where the distance to its border has a
/// saddle. Then the border of each is moved to half of its own height (half_height.hpp), and those
/// of a stack end where they are out of focus (focus_extent.hpp). Pieces of less than a tenth of
/// the median are dropped. It fails where objects overlap, where dim ones touch much brighter ones,
/// and in stacks in which light of crowded objects lies around them; every use of it says so.
/// @source Otsu, IEEE Trans. Syst. Man Cybern. 9 (1979) 62, doi:10.1109/TSMC.1979.4310076.
/// @pre image.has_counts()
/// @return  labels from 1, without gaps; 0 is background. The labels of `image` are not used.
/// @throws PlanError  the memory budget does not hold 32 bytes for each voxel. @throws Interrupted
Volume<std::uint32_t> segment(const LabelledImage& image, const RunContext& context);

}  // namespace synthoscope::fit
