// SPDX-License-Identifier: MIT
#include "simulator/phantom/nuclei/relaxation.hpp"
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include "simulator/phantom/geometry/sphere.hpp"
#include "simulator/phantom/nuclei/placement.hpp"

namespace synthoscope::simulator {
namespace {

constexpr int kTurns = 2000;

/// Nuclei are jammed if what is missing between them, summed over so many turns, has not fallen by
/// a twentieth compared with as many turns before.
constexpr int kWatchedTurns = 25;
constexpr double kStandstill = 0.95;

/// Nuclei are pushed a little farther than necessary, relative to the sum of the radii, so that the
/// turns end.
constexpr double kExtra = 0.004;

/// Returns the axis along which the regions reach farthest.
std::size_t longest_axis(const std::vector<Pushed>& all) {
  Vector3 low = all.front().region.low, high = all.front().region.high;
  for (const auto& [nucleus, region, gap_um] : all)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], region.low[axis]);
      high[axis] = std::max(high[axis], region.high[axis]);
    }
  const Vector3 length = high - low;
  return static_cast<std::size_t>(std::max_element(length.begin(), length.end()) - length.begin());
}

/// Returns a direction without the components along which the walls of the regions let neither `a`
/// move back nor `b` move forward.
Vector3 open_part(Vector3 direction, const Vector3& a, const CentreRegion& room_a, const Vector3& b,
                  const CentreRegion& room_b) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const bool is_open = direction[axis] > 0
                             ? a[axis] > room_a.low[axis] || b[axis] < room_b.high[axis]
                             : a[axis] < room_a.high[axis] || b[axis] > room_b.low[axis];
    if (!is_open) direction[axis] = 0;
  }
  return direction;
}

/// The shortest way, of both together, that takes two nuclei as far apart as required.
struct Parting {
  double um = std::numeric_limits<double>::infinity();
  Vector3 direction{};  ///< of the second nucleus; zero if there is no way
};

Parting parting_of(const Pushed& one, const Pushed& other, double gap_um) {
  const Nucleus &a = *one.nucleus, &b = *other.nucleus;
  const Vector3 between = b.centre() - a.centre();
  const auto open = [&](const Vector3& direction) {
    return open_part(direction, a.centre(), one.region, b.centre(), other.region);
  };
  const auto& directions = separating_directions();
  const std::size_t last = directions.size() - 1;
  Parting least;
  for (std::size_t i = 0; i <= last; ++i) {
    const Vector3 way = open(directions[i]);
    const double square = way == directions[i] ? 1 : dot(way, way);
    if (square == 0) continue;
    const double length = std::sqrt(square);
    const double missing =
        gap_um - dot(between, directions[i]) + a.support()[i] + b.support()[last - i];
    if (missing / length < least.um) least = {missing / length, (1 / length) * way};
  }
  // A heap would otherwise spread along the one axis on which nuclei are flattest, and meet a wall;
  // nuclei that overlap deeply move along the line between their middles instead
  constexpr double kDeep = 0.25;
  const double deep = kDeep * (a.bounding_radius_um() + b.bounding_radius_um());
  const Vector3 middles = open(between);
  const double square = dot(middles, middles);
  if (least.um - gap_um > deep && square > 0) least.direction = (1 / std::sqrt(square)) * middles;
  return least;
}

void move_by(const Pushed& pushed, const Vector3& way) {
  pushed.nucleus->move_to(pushed.region.kept(pushed.nucleus->centre() + way));
}

}  // namespace

bool push_apart(const std::vector<Pushed>& all, const StopFlag& stop) {
  if (all.empty()) return true;
  const auto push = [](const Pushed& one, const Pushed& other) {
    const Nucleus &a = *one.nucleus, &b = *other.nucleus;
    const double gap_um = std::max(one.gap_um, other.gap_um);
    if (are_apart(a, b, gap_um)) return 0.0;
    Parting parting = parting_of(one, other, gap_um);
    parting.um += kExtra * (a.bounding_radius_um() + b.bounding_radius_um());
    if (parting.direction == Vector3{}) return parting.um;
    const Vector3 way = (parting.um / 2) * parting.direction;
    move_by(one, -1 * way);
    move_by(other, way);
    return parting.um;
  };

  // Only nuclei that are near along one axis can be too near
  const std::size_t axis = longest_axis(all);
  double reach = 0, widest_gap = 0;
  for (const auto& [nucleus, region, gap_um] : all) {
    reach = std::max(reach, nucleus->bounding_radius_um());
    widest_gap = std::max(widest_gap, gap_um);
  }
  const double far = 2 * reach + widest_gap;
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place_of = [&](std::size_t number) { return all[number].nucleus->centre()[axis]; };
  double watched = 0, before = std::numeric_limits<double>::infinity();
  for (int turn = 0; turn < kTurns; ++turn) {
    stop.check();
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
      return std::pair{place_of(i), i} < std::pair{place_of(j), j};
    });
    double missing = 0;
    for (auto i = order.begin(); i != order.end(); ++i)
      for (auto j = i + 1; j != order.end() && place_of(*j) - place_of(*i) < far; ++j)
        missing += push(all[*i], all[*j]);
    if (missing == 0) return true;
    watched += missing;
    if (turn % kWatchedTurns != kWatchedTurns - 1) continue;
    if (watched > kStandstill * before) return false;
    before = std::exchange(watched, 0);
  }
  return false;
}

}  // namespace synthoscope::simulator
