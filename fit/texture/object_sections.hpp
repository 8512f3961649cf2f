// SPDX-License-Identifier: MIT
// fit/texture/object_sections.hpp — the planes of labelled objects in which their texture is seen.
#pragma once
#include <cstdint>
#include <vector>
#include "core/volume/extent.hpp"
#include "fit/images/labelled_image.hpp"

namespace synthoscope::fit {

/// The pixels of an object: planes, and a box in each.
struct ObjectBox {
  std::uint32_t label = 0;
  Index3 first{}, last{};
  std::vector<double> areas;  ///< pixels in each plane from the first

  /// Returns up to five planes, evenly spread over those in which the object is nearly as large as
  /// in its largest one.
  [[nodiscard]] std::vector<std::int64_t> main_planes() const;
};

/// Returns the objects that no border in y and x cuts, in the order of their labels.
std::vector<ObjectBox> object_boxes(const LabelledImage& image);

/// One plane of an object and of what is around it, row by row.
struct Section {
  std::int64_t rows = 0, columns = 0;
  std::vector<double> counts;       ///< DN
  std::vector<double> depth;        ///< below the border of the object, pixels; 0 outside
  std::vector<double> from_labels;  ///< distance to the nearest label, pixels; 0 in labels

  [[nodiscard]] std::size_t size() const { return counts.size(); }
  [[nodiscard]] double deepest() const;
};

/// Returns a plane of an object, with all around it that `level_around` looks at.
/// @param scale  standard deviation of the PSF, pixels
Section section_of(const LabelledImage& image, const ObjectBox& object, std::int64_t z,
                   double scale);

/// Returns the level of unlabelled pixels near the object, as far from it as its blurred light
/// reaches; the lowest decile of all where labels are dense.
double level_around(const Section& section, double scale);

}  // namespace synthoscope::fit
