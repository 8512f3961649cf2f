// SPDX-License-Identifier: MIT
#include "simulator/phantom/neurons.hpp"
#include <algorithm>
#include <cmath>
#include <utility>

namespace synthoscope::simulator {
namespace {

Bounds bounds_of(const std::vector<SwcPoint>& points) {
  Bounds bounds{points.front().at, points.front().at};
  for (const SwcPoint& point : points)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      bounds.low[axis] = std::min(bounds.low[axis], point.at[axis]);
      bounds.high[axis] = std::max(bounds.high[axis], point.at[axis]);
    }
  return bounds;
}

/// From the file's coordinates to the grid's.
struct Way {
  double scale = 1;
  Vector3 from{}, to{};  ///< the same place in both
  [[nodiscard]] Vector3 operator()(const Vector3& at) const { return to + scale * (at - from); }
};

Way way_into(const NeuronSpec& spec, const Grid& grid) {
  const Bounds all = bounds_of(points_of(spec));
  return {spec.scale, 0.5 * (all.low + all.high),
          spec.centre ? vector_of(*spec.centre) : 0.5 * Vector3{size_um(grid)}};
}

/// Where the way from the middle of a ball to `to` leaves the ball; `to` if it does not.
Vector3 left_ball(const Vector3& middle, const Vector3& to, double radius) {
  const Vector3 way = to - middle;
  const double length = std::sqrt(dot(way, way));
  return length > radius ? middle + (radius / length) * way : to;
}

}  // namespace

std::vector<Neuron> make_neurons(const NeuronSpec& spec, const Grid& grid) {
  const auto& points = points_of(spec);
  std::vector<Neuron> neurons;
  if (points.empty()) return neurons;
  neurons.reserve(static_cast<std::size_t>(number_of(spec)));
  const Way way = way_into(spec, grid);
  Strand strand;
  std::vector<std::int32_t> tube(points.size(), -1);  // that ends at a point
  const auto finish = [&] {
    if (!strand.empty()) neurons.emplace_back(std::exchange(strand, {}), spec.photons_per_um3);
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const SwcPoint& point = points[i];
    const double radius = spec.scale * point.radius_um;
    Segment segment{way(point.at), way(point.at), radius, radius, -1};
    if (point.parent < 0) {
      finish();  // trees stand one behind the other
    } else {
      const SwcPoint& parent = points[static_cast<std::size_t>(point.parent)];
      const double parent_radius = spec.scale * parent.radius_um;
      if (parent.type == kSomaType && point.type != kSomaType) {
        segment.from = left_ball(way(parent.at), segment.to, parent_radius);
      } else {
        segment.from = way(parent.at);
        segment.from_radius_um = parent_radius;
        segment.before = tube[static_cast<std::size_t>(point.parent)];
      }
    }
    tube[i] = strand.add(segment);
  }
  finish();
  return neurons;
}

}  // namespace synthoscope::simulator
