// SPDX-License-Identifier: MIT
// simulator/phantom/adherent/adherent_light.hpp — which points belong to a flat cell, and the light
// of its cytoplasm in a voxel; compiled for host and devices.
#pragma once
#include <algorithm>
#include "simulator/phantom/geometry/height_map.hpp"

namespace synthoscope::simulator {

/// A hole in the cytoplasm: a ball, flattened to `half_height` along z.
struct Vacuole {
  Vector3 middle{};
  double radius = 0, half_height = 0;

  /// Returns the distance of a point from the middle, relative to the surface.
  [[nodiscard]] double distance(const Vector3& point) const {
    const Vector3 from = point - middle;
    const double z = from[0] / half_height, y = from[1] / radius, x = from[2] / radius;
    return std::sqrt(z * z + y * y + x * x);
  }
};

/// The stain of the cytoplasm of all cells. Photons are of a voxel that it fills.
struct CytoplasmFigures {
  double photons = 0;
  double contrast = 0;     ///< of its texture
  double perinuclear = 0;  ///< excess of density at the nucleus
};

/// A view of a cell whose parts are owned elsewhere. Plain data.
struct AdherentShape {
  HeightMap map;
  double glass_um = 0;  ///< z of the glass
  double least_um = 0;  ///< height up to which every point over the cell's area has its label
  Vector3 anchor{};     ///< origin of its textures; the middle of its nucleus
  double near_um = 1;   ///< distance from there at which the perinuclear excess is half
  const Vacuole* vacuoles = nullptr;
  int vacuole_count = 0;

  [[nodiscard]] bool contains(const Vector3& point) const {
    const double above = point[0] - glass_um;
    if (above < 0 || above >= std::max(map.peak, least_um)) return false;
    const double height = map.at(point[1], point[2]);
    return height > 0 && above < std::max(height, least_um);
  }
  [[nodiscard]] double share(const Vector3& centre, const Vector3& pitch) const {
    return map.share(centre[0] - glass_um, centre, pitch);
  }
  /// Returns the distance from the nearest vacuole's middle, relative to its surface.
  [[nodiscard]] double vacuole_distance(const Vector3& point) const {
    double nearest = 1e300;
    for (int i = 0; i < vacuole_count; ++i)
      nearest = std::min(nearest, vacuoles[i].distance(point));
    return nearest;
  }
};

/// Returns the density of the cytoplasm at a point, relative to the mean far from the nucleus.
/// @param texture  in (-1, 1)
inline double cytoplasm_density(const CytoplasmFigures& figures, const AdherentShape& cell,
                                const Vector3& point, double texture) {
  const Vector3 from = point - cell.anchor;
  const double away = (from[1] * from[1] + from[2] * from[2]) / (cell.near_um * cell.near_um);
  double density = (1 + figures.contrast * texture) * (1 + figures.perinuclear / (1 + away * away));
  if (cell.vacuole_count == 0) return density;
  constexpr double kRim = 0.2;  // of a vacuole's radius
  const double distance = cell.vacuole_distance(point);
  if (distance >= 1 + kRim) return density;
  if (distance <= 1 - kRim) return 0;
  const double w = (distance - (1 - kRim)) / (2 * kRim);
  return density * (w * w * (3 - 2 * w));
}

/// Returns the light of the cytoplasm in a voxel of which the nucleus covers the part `nucleus`.
/// @param texture_at  texture_at(p) gives the texture at a point of the cell's own frame
template <class TextureAt>
double light_of_cytoplasm(const CytoplasmFigures& figures, const AdherentShape& cell,
                          double nucleus, const Vector3& centre, const Vector3& pitch,
                          TextureAt&& texture_at) {
  if (figures.photons == 0) return 0;
  const double rest = cell.share(centre, pitch) - nucleus;
  if (rest <= 0) return 0;
  const double texture = figures.contrast > 0 ? texture_at(centre - cell.anchor) : 0.0;
  return rest * (figures.photons * cytoplasm_density(figures, cell, centre, texture));
}

}  // namespace synthoscope::simulator
