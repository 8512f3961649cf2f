// SPDX-License-Identifier: MIT
// fit/edges/object_outline.hpp — where labelled objects lie, and how far pixels are from their
// borders.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>
#include "core/volume/extent.hpp"
#include "fit/images/labelled_image.hpp"

namespace synthoscope::fit {

/// Where an object lies, and the size of its sections.
struct Outline {
  Index3 low, high;                               ///< its box, inclusive
  std::map<std::int64_t, std::int64_t> sections;  ///< pixels of each plane

  [[nodiscard]] std::int64_t widest_plane() const;
};

/// Returns the outlines of all objects, by their labels.
std::map<std::uint32_t, Outline> outlines_of(const Volume<std::uint32_t>& labels);

/// Distances of the pixels around an object in one plane, in pixels along x.
class DistancesAround {
 public:
  /// @param margin  pixels around the box of the object that are looked at
  DistancesAround(const LabelledImage& image, std::uint32_t label, const Outline& outline,
                  std::int64_t plane, double margin);

  /// Returns the signed distance from the border of the object, below 0 inside; nothing for a pixel
  /// that another object may light.
  [[nodiscard]] std::optional<double> signed_distance(std::int64_t y, std::int64_t x) const;

  /// Returns the distance of the innermost pixel from the border.
  [[nodiscard]] double depth() const;

  std::int64_t y0 = 0, x0 = 0, height = 0, width = 0;  ///< the box of these pixels

 private:
  template <class IsMarked>
  std::vector<double> distances(IsMarked&& is_marked) const;

  double ratio_;
  std::vector<double> to_object_, to_outside_, to_others_;
};

/// The distance from the border of an object to its innermost pixel, in pixels; and half its
/// thickness along z, in planes.
struct ObjectDepth {
  double pixels = 0, planes = 0;
};
std::vector<ObjectDepth> object_depths(const LabelledImage& image);

}  // namespace synthoscope::fit
