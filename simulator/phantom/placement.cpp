// SPDX-License-Identifier: MIT
#include "simulator/phantom/placement.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include "core/random.hpp"
#include "simulator/detector/normal_quantile.hpp"
#include "simulator/phantom/sphere.hpp"

namespace synthoscope::simulator {
namespace {

constexpr int kRounds = 8, kTries = 2000, kJoinDraw = 255, kFirstDraw = 256;

/// Where the centre of a nucleus may lie.
struct Room {
  Vector3 low, high;
};

Room room_of(const Nucleus& nucleus, BorderRule border, const Vector3& size) {
  if (border == BorderRule::cut) return {{0, 0, 0}, size};
  const Bounds bounds = nucleus.bounds();
  const Room room{nucleus.centre() - bounds.low, size - (bounds.high - nucleus.centre())};
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (room.low[axis] > room.high[axis])
      throw InvalidSpec(fmt::format(
          "place nuclei: one is up to {:.1f} um along {}, the grid {:.1f} um; use a larger grid, a "
          "smaller nuclei.radius_um, or nuclei.border = \"cut\"",
          bounds.high[axis] - bounds.low[axis], "zyx"[axis], size[axis]));
  return room;
}

Vector3 uniform_in(const Room& room, const PhiloxBlock& words) {
  Vector3 position{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    position[axis] = room.low[axis] + uniform32(words[axis]) * (room.high[axis] - room.low[axis]);
  return position;
}

/// Of a density ~ exp(-d^2 / width^2) around `centre`.
Vector3 normal_around(const Vector3& centre, double width, const PhiloxBlock& words) {
  const double deviation = width * std::sqrt(0.5);
  Vector3 position = centre;
  for (std::size_t axis = 0; axis < 3; ++axis)
    position[axis] += deviation * normal_quantile(uniform32(words[axis]));
  return position;
}

bool holds(const Room& room, const Vector3& position) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (position[axis] < room.low[axis] || position[axis] > room.high[axis]) return false;
  return true;
}

/// The nucleus around which `number` gathers, out of those that began a cluster; none if it begins
/// one.
std::optional<std::size_t> joined_cluster(const RandomStream& stream, std::size_t number,
                                          const std::vector<std::size_t>& beginners,
                                          double clustering) {
  const auto words = stream.block(number, kJoinDraw);
  if (beginners.empty() || uniform32(words[0]) >= clustering) return std::nullopt;
  return beginners[static_cast<std::size_t>(words[1] * std::uint64_t{beginners.size()} >> 32)];
}

std::vector<std::size_t> largest_first(const std::vector<Nucleus>& nuclei) {
  std::vector<std::size_t> order(nuclei.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return nuclei[a].volume_um3() > nuclei[b].volume_um3();
  });
  return order;
}

}  // namespace

bool are_apart(const Nucleus& a, const Nucleus& b, double gap_um) {
  const Vector3 between = b.centre() - a.centre();
  const double far = a.bounding_radius_um() + b.bounding_radius_um() + gap_um;
  if (dot(between, between) >= far * far) return true;
  const auto& directions = separating_directions();
  const std::size_t last = directions.size() - 1;
  for (std::size_t i = 0; i <= last; ++i)
    if (dot(between, directions[i]) - a.support()[i] - b.support()[last - i] >= gap_um) return true;
  return false;
}

bool is_apart_from_ball(const Nucleus& nucleus, const Vector3& middle, double radius_um,
                        double gap_um) {
  const Vector3 between = middle - nucleus.centre();
  const double least = radius_um + gap_um, far = nucleus.bounding_radius_um() + least;
  if (dot(between, between) >= far * far) return true;
  const auto& directions = separating_directions();
  for (std::size_t i = 0; i < directions.size(); ++i)
    if (dot(between, directions[i]) - nucleus.support()[i] >= least) return true;
  return false;
}

void place(std::vector<Nucleus>& nuclei, const NucleiSpec& spec, const Grid& grid,
           std::uint64_t seed, const StopFlag& stop) {
  const RandomStream stream{seed, RandomStage::phantom};
  const auto order = largest_first(nuclei);
  const Vector3 size = size_um(grid);

  const double width = spec.cluster_width_um.value_or(2 * spec.radius_um);
  std::vector<std::size_t> beginners;

  // One nucleus: the first try that is apart from all placed before it
  const auto settle = [&](std::size_t placed, int round) {
    Nucleus& nucleus = nuclei[order[placed]];
    const Room room = room_of(nucleus, spec.border, size);
    const auto joined = joined_cluster(stream, order[placed], beginners, spec.clustering);
    if (!joined) beginners.push_back(order[placed]);
    for (int attempt = 0; attempt < kTries; ++attempt) {
      const int draw = kFirstDraw + kTries * round + attempt;
      const auto words = stream.block(order[placed], static_cast<std::uint16_t>(draw));
      const Vector3 position =
          joined ? normal_around(nuclei[*joined].centre(), width * (1 + attempt / 500.0), words)
                 : uniform_in(room, words);
      if (!holds(room, position)) continue;
      nucleus.move_to(position);
      const auto apart = [&](std::size_t other) {
        return are_apart(nucleus, nuclei[other], spec.gap_um);
      };
      if (std::all_of(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(placed), apart))
        return true;
    }
    return false;
  };

  std::size_t most = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::size_t placed = 0;
    beginners.clear();
    for (; placed < nuclei.size() && settle(placed, round); ++placed) stop.check();
    if (placed == nuclei.size()) return;
    most = std::max(most, placed);
  }
  throw InvalidSpec(
      fmt::format("place nuclei: {} of {} fit into {:.1f} x {:.1f} x {:.1f} um after {} rounds of "
                  "{} tries; use "
                  "a smaller nuclei.count, nuclei.radius_um or nuclei.gap_um, or a larger grid",
                  most, nuclei.size(), size[0], size[1], size[2], kRounds, kTries));
}

}  // namespace synthoscope::simulator
