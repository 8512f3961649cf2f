// SPDX-License-Identifier: MIT
// fit/shapes/shape_statistics.hpp — statistics of the objects of labelled images: their form, and
// how they lie beside each other.
#pragma once
#include <span>
#include <vector>
#include "core/base/names.hpp"
#include "fit/estimates/statistics.hpp"
#include "fit/objects/labelled_object.hpp"

namespace synthoscope::fit {

/// How objects are seen: in a plane; in a stack where they lie flat; in one where they are turned
/// in any way.
enum class ObjectView { plane, flat, turned };

/// The objects of images of one kind.
using ObjectSets = std::vector<LabelledObjects>;

/// Numbers of objects, and what no key of a scene describes.
struct ObjectCensus {
  std::size_t all = 0;    ///< without fragments
  std::size_t whole = 0;  ///< that no face of the field cuts
  std::size_t cut_at_sides = 0, cut_at_ends = 0;
  std::size_t fragments = 0;  ///< smaller than a tenth of the median object
  std::size_t in_parts = 0;   ///< of several parts
  std::size_t unlike = 0;     ///< whole, and far larger or smaller than all others
  double hole_share = 0;      ///< mean over objects
  double field = 0;           ///< um^2 of planes, um^3 of stacks, of all images together
};
ObjectCensus census_of(const ObjectSets& sets);

/// Returns the objects without fragments: pieces of less than a tenth of the size of the median
/// object are dirt or slips of a segmentation.
ObjectSets without_fragments(ObjectSets sets);

/// Which objects tell what form objects have. Real images and twins are measured by one rule, which
/// follows from the real ones: twins show more objects, and a rule of their own would let other
/// objects count, such as whole ones alone where a real image has too few of these.
struct FormRule {
  bool only_whole = true;  ///< not cut by a face of the field
  bool only_free = true;   ///< touch no other: where labels overlap, one has a bite
  /// Those of a size unlike all others, the logarithm of whose radius is more than 3.3 robust
  /// deviations from the median, do not count.
  bool only_usual = true;
};

/// Returns the rule for real images: whole objects count if there are five, usual ones if there are
/// eight of these, and free ones if there are twelve of these; otherwise the others count as well.
FormRule form_rule_of(const ObjectSets& real);

/// Returns statistics of the form of objects: mean and relative deviation of the radius, means and
/// deviations of the logarithms of ratios of axes, share outside the ellipsoid and skewness. Share
/// outside and skewness are means of the middle half of the objects, since some labels are torn or
/// merged. The covariance is over samples of objects. If no object is whole, or none is free, all
/// are counted.
/// @pre there is an object
Statistics form_statistics(const ObjectSets& sets, ObjectView view, const FormRule& rule);

/// Returns how objects lie beside each other, with R the mean radius: the share that touch others;
/// the mean of exp(-gap / (R / 4)); the number of others within 3 R and 6 R of a centre over that
/// of objects placed independently (Ripley's K at two radii); the mean distance of the nearest
/// centre over theirs (Clark and Evans). Nothing is corrected for the border of the field, which
/// acts alike on images of one size.
/// @source Ripley, J. R. Stat. Soc. B 39 (1977) 172; Clark, Evans, Ecology 35 (1954) 445,
///         doi:10.2307/1931034.
/// @pre there are two objects in one image
Statistics arrangement_statistics(const ObjectSets& sets);

/// Returns the covariance of a statistic of `images` images, from those of single images.
/// @pre at least three
Eigen::MatrixXd covariance_between(const std::vector<Statistics>& of_single, double images);

}  // namespace synthoscope::fit
