// SPDX-License-Identifier: MIT
#include "simulator/phantom/nuclei/lobe_chain.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include "simulator/phantom/geometry/sphere.hpp"
#include "simulator/phantom/lobes/outline.hpp"

namespace synthoscope::simulator {
namespace {

constexpr int kSideDraw = 205, kFirstLobeDraw = 20480, kDrawsPerLobe = 128;
constexpr int kLobeSizeDraw = 0, kLobeBendDraw = 1, kLobeTurnDraw = 2, kLobeHarmonicsDraw = 64;

/// Returns a turn whose first axis is `direction`, |direction| = 1.
Matrix3 turn_towards(const Vector3& direction) {
  const Vector3 second = across(direction);
  return {direction, second, cross(direction, second)};
}

/// Points of a cubic lattice that several lobes share.
struct Census {
  double count = 0;
  Vector3 sum{};
};

/// Counts the lattice points in `lobe` and `other` that are in none of `before`.
Census shared(const Lobe& lobe, const Lobe& other, std::span<const Lobe> before, double step) {
  std::array<std::int64_t, 3> low{}, high{};
  const Vector3 reach = lobe.reach_um(), its_reach = other.reach_um();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double middle = lobe.offset_um()[axis], its_middle = other.offset_um()[axis];
    low[axis] = std::llround(
        std::floor(std::max(middle - reach[axis], its_middle - its_reach[axis]) / step));
    high[axis] = std::llround(
        std::ceil(std::min(middle + reach[axis], its_middle + its_reach[axis]) / step));
  }
  Census census;
  for (std::int64_t z = low[0]; z <= high[0]; ++z)
    for (std::int64_t y = low[1]; y <= high[1]; ++y)
      for (std::int64_t x = low[2]; x <= high[2]; ++x) {
        const Vector3 p{static_cast<double>(z) * step, static_cast<double>(y) * step,
                        static_cast<double>(x) * step};
        const auto holds = [&](const Lobe& l) { return l.contains(p); };
        if (!holds(lobe) || !holds(other) || std::any_of(before.begin(), before.end(), holds))
          continue;
        census.count += 1;
        census.sum = census.sum + p;
      }
  return census;
}

/// Returns volume and centroid of a union: the exact ones of each lobe, less what the lobe shares
/// with earlier ones, which is counted on a lattice of `step`.
Lobe::Moments moments_of(std::span<const Lobe> lobes, double step) {
  const double cell = step * step * step;
  double volume = 0;
  Vector3 moment{};
  for (std::size_t i = 0; i < lobes.size(); ++i) {
    const Lobe::Moments own = lobes[i].moments();
    volume += own.volume_um3;
    moment = moment + own.volume_um3 * own.centroid_um;
    for (std::size_t j = 0; j < i; ++j) {
      const Census twice = shared(lobes[i], lobes[j], lobes.first(j), step);
      volume -= twice.count * cell;
      moment = moment - cell * twice.sum;
    }
  }
  return {volume, (1 / volume) * moment};
}

/// Draws a chain of lobes of radius about 1, in the axes of the nucleus.
std::vector<LobeForm> draw_forms(const NucleiSpec& spec, const Draws& draws, int count) {
  const Vector3 ratios = vector_of(spec.axis_ratios);
  const double scale = 1 / cube_root(ratios[0] * ratios[1] * ratios[2]);
  const double side = draws.block(kSideDraw)[1] < 0x80000000u ? -1 : 1;
  std::vector<LobeForm> lobes, bridges;
  std::vector<double> radii;
  Vector3 direction{0, 0, 1};
  for (int i = 0; i < count; ++i) {
    const int first = kFirstLobeDraw + kDrawsPerLobe * i;
    const auto size = draws.block(first + kLobeSizeDraw), bend = draws.block(first + kLobeBendDraw);
    LobeForm lobe;
    radii.push_back(0.8 + 0.4 * uniform32(size[0]));
    lobe.semi_axes_um = (radii.back() * scale) * ratios;
    lobe.turn = spec.orientation == Orientation::flat ? flat_turn(draws, first + kLobeTurnDraw)
                                                      : random_turn(draws, first + kLobeTurnDraw);
    lobe.roughness = spec.roughness;
    lobe.harmonics =
        random_harmonics(draws, first + kLobeHarmonicsDraw, static_cast<int>(spec.degree));
    if (i > 0) {
      // Continue from the previous lobe, and join the two
      const double before = radii[radii.size() - 2];
      const double distance = (1.1 + 0.15 * uniform32(size[1])) * (before + radii.back());
      const Vector3 from = lobes.back().offset_um;
      lobe.offset_um = from + distance * direction;
      const double thickness = 0.25 * std::min(before, radii.back());
      bridges.push_back({from + (distance / 2) * direction,
                         turn_towards(direction),
                         {distance / 2, thickness, thickness},
                         0,
                         Harmonics{}});
      const Vector3 aside{0, side * direction[2], -side * direction[1]};
      const double tangent = 0.5 + 0.9 * uniform32(bend[0]);
      const Vector3 out_of_plane{0.6 * uniform32(bend[1]) - 0.3, 0, 0};
      direction = unit_vector(direction + tangent * aside + out_of_plane);
    }
    lobes.push_back(lobe);
  }
  lobes.insert(lobes.end(), bridges.begin(), bridges.end());
  return lobes;
}

}  // namespace

LobeChain draw_lobe_chain(const NucleiSpec& spec, const Draws& draws, const Matrix3& turn,
                          int count, double radius_um) {
  // Draw the chain at one size, compute its volume, then scale and turn it
  std::vector<Lobe> lobes;
  for (const LobeForm& form : draw_forms(spec, draws, count)) lobes.emplace_back(form);
  const Lobe::Moments drawn = moments_of(lobes, 1.0 / 24);
  const double scale = radius_um / cube_root(3 * drawn.volume_um3 / (4 * kPi));
  for (Lobe& lobe : lobes) lobe = lobe.moved(drawn.centroid_um, scale, turn);
  return {lobes, 4 * kPi / 3 * radius_um * radius_um * radius_um};
}

}  // namespace synthoscope::simulator
