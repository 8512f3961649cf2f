// SPDX-License-Identifier: MIT
// simulator/phantom/neurons/neuron_kind.cpp — puts traced neurons into a grid, and describes them
// in the tables of a world.
#include "simulator/phantom/neurons/neuron_kind.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include "simulator/base/range_check.hpp"
#include "simulator/phantom/geometry/population.hpp"
#include "simulator/phantom/neurons/neuron_spec.hpp"

namespace synthoscope::simulator {
namespace {

Bounds bounds_of(const std::vector<SwcPoint>& points) {
  Bounds bounds{points.front().at, points.front().at};
  for (const SwcPoint& point : points) bounds = hull(bounds, {point.at, point.at});
  return bounds;
}

/// A map from the file's coordinates to the grid's.
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

bool is_root(const SwcPoint& point) {
  return point.parent < 0;
}

/// Returns for each point its own index; for both ends of a soma of three points, which lie a
/// radius from its middle, the index of the middle.
std::vector<std::size_t> stand_ins(const std::vector<SwcPoint>& points) {
  std::vector<std::size_t> stands(points.size());
  std::iota(stands.begin(), stands.end(), std::size_t{0});
  for (std::size_t root = 0; root < points.size(); ++root) {
    if (!is_root(points[root]) || points[root].type != kSomaType) continue;
    std::vector<std::size_t> ends;
    for (std::size_t i = root + 1; i < points.size() && !is_root(points[i]); ++i)
      if (points[i].parent == static_cast<std::int32_t>(root) && points[i].type == kSomaType)
        ends.push_back(i);
    const double radius = points[root].radius_um, near = 0.02 * radius;
    const auto is_end = [&](std::size_t i) {
      const Vector3 beside = points[i].at - points[root].at;
      return std::abs(std::sqrt(dot(beside, beside)) - radius) <= near &&
             std::abs(points[i].radius_um - radius) <= near;
    };
    if (ends.size() != 2 || !is_end(ends[0]) || !is_end(ends[1])) continue;
    const Vector3 twice = points[ends[0]].at + points[ends[1]].at - 2 * points[root].at;
    if (dot(twice, twice) <= 4 * near * near) stands[ends[0]] = stands[ends[1]] = root;
  }
  return stands;
}

/// Returns where the path from the middle of a ball to `to` leaves the ball; `to` if it does not.
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
  const std::vector<std::size_t> stands = stand_ins(points);
  std::vector<std::int32_t> tube(points.size(), -1);  // the tube that ends at each point
  const auto finish = [&] {
    if (!strand.empty()) neurons.emplace_back(std::exchange(strand, {}), spec.photons_per_um3);
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const SwcPoint& point = points[i];
    if (stands[i] != i) {
      tube[i] = tube[stands[i]];
      continue;
    }
    const double radius = spec.scale * point.radius_um;
    Segment segment{way(point.at), way(point.at), radius, radius, -1};
    if (is_root(point)) {
      finish();  // trees are contiguous
    } else {
      const std::size_t before = stands[static_cast<std::size_t>(point.parent)];
      const SwcPoint& parent = points[before];
      const double parent_radius = spec.scale * parent.radius_um;
      segment.before = tube[before];
      // A repeat of the parent adds nothing
      if (point.at == parent.at && point.radius_um <= parent.radius_um) {
        tube[i] = tube[before];
        continue;
      }
      if (parent.type == kSomaType && point.type != kSomaType) {
        segment.from = left_ball(way(parent.at), segment.to, parent_radius);
      } else {
        segment.from = way(parent.at);
        segment.from_radius_um = parent_radius;
      }
    }
    tube[i] = strand.add(segment);
  }
  finish();
  return neurons;
}

void warn_of_neurons_outside(const std::vector<Neuron>& neurons, const Grid& grid, Log& log) {
  const Vector3 size = size_um(grid);
  const auto is_outside = [&](const Neuron& neuron) {
    const Bounds bounds = neuron.bounds();
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (bounds.high[axis] <= 0 || bounds.low[axis] >= size[axis]) return true;
    return false;
  };
  const auto outside = std::count_if(neurons.begin(), neurons.end(), is_outside);
  if (outside == 0) return;
  const auto [low, high] = std::find_if(neurons.begin(), neurons.end(), is_outside)->bounds();
  log.warn(fmt::format(
      "neuron.file: {} of {} neurons lie wholly outside of the grid; one reaches from ({:.4g}, "
      "{:.4g}, {:.4g}) to ({:.4g}, {:.4g}, {:.4g}) um, the grid from 0 to ({:.4g}, {:.4g}, {:.4g}) "
      "along z, y, x: give another neuron.centre_um or neuron.scale, or a larger grid",
      outside, neurons.size(), low[0], low[1], low[2], high[0], high[1], high[2], size[0], size[1],
      size[2]));
}

void describe(const PlacedObject& placed, const Neuron& neuron) {
  TableRow row = placed.row("/neuron");
  row.real("photons_per_um3", neuron.strands().front().photons_per_um3);
  for (const Segment& segment : neuron.strands().front().strand.segments()) {
    TableRow its = placed.part("/neuron/segment", "neuron");
    describe(its, segment);
  }
}

const std::vector<SwcPoint>& points_of(const NeuronSpec& spec) {
  static const std::vector<SwcPoint> kNone;
  if (!spec.file) return kNone;
  return spec.points.of(spec.file->string(), [&] { return read_swc(*spec.file); });
}

std::int64_t number_of(const NeuronSpec& spec) {
  const auto& points = points_of(spec);
  return std::count_if(points.begin(), points.end(),
                       [](const SwcPoint& point) { return point.parent < 0; });
}

void require_valid(const NeuronSpec& s) {
  RangeCheck check{"neuron", s};
  list_neuron_keys(check);
  require_beside(s.scale != NeuronSpec{}.scale, "neuron.scale", s.file.has_value(), "neuron.file");
  require_beside(s.centre.has_value(), "neuron.centre_um", s.file.has_value(), "neuron.file");
  static_cast<void>(points_of(s));
}

}  // namespace synthoscope::simulator
