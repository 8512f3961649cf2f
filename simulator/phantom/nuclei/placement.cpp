// SPDX-License-Identifier: MIT
#include "simulator/phantom/nuclei/placement.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include "core/math/random.hpp"
#include "simulator/base/normal_quantile.hpp"
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/geometry/sphere.hpp"
#include "simulator/phantom/nuclei/relaxation.hpp"

namespace synthoscope::simulator {
namespace {

constexpr int kRounds = 8, kTriesInARound = 2000, kJoinDraw = 255, kNucleusPlaceDraw = 256;

/// Returns a point with a density ~ exp(-d^2 / width^2) around `centre`.
Vector3 normal_around(const Vector3& centre, double width, const PhiloxBlock& words) {
  const double deviation = width * std::sqrt(0.5);
  Vector3 position = centre;
  for (std::size_t axis = 0; axis < 3; ++axis)
    position[axis] += deviation * normal_quantile(uniform32(words[axis]));
  return position;
}

/// Returns the nucleus that began the cluster that `number` joins; nothing if `number` begins one.
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

std::vector<std::vector<std::size_t>> overlaps_of(const std::vector<Nucleus>& nuclei,
                                                  double gap_um) {
  if (gap_um >= 0) return {};
  std::vector<std::vector<std::size_t>> lower_neighbours(nuclei.size());
  for (std::size_t i = 0; i < nuclei.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!are_apart(nuclei[i], nuclei[j], 0)) lower_neighbours[i].push_back(j);
  return lower_neighbours;
}

namespace {

/// One attempt to place all nuclei.
class Placing {
 public:
  Placing(std::vector<Nucleus>& nuclei, const NucleiSpec& spec, const Grid& grid,
          const RandomStream& stream, const StopFlag& stop, const PlacedBeside& beside)
      : nuclei_{nuclei},
        spec_{spec},
        stop_{stop},
        stream_{stream},
        others_{beside.others},
        others_gap_um_{std::max(spec.gap_um, beside.others_gap_um)},
        order_{largest_first(nuclei)},
        size_{size_um(grid)} {
    for (Nucleus& nucleus : nuclei_) {
      nucleus.move_to({});
      rooms_.push_back(centre_region_of(nucleus, spec.border, size_, beside.table));
    }
    arrange(rooms_, nuclei, spec, size_);
  }

  /// Places nuclei one after another, in several rounds; returns the most that fit in a round.
  std::size_t one_after_another() {
    std::size_t most = 0;
    for (int round = 0; round < kRounds; ++round) {
      beginners_.clear();
      std::size_t placed = 0;
      for (; placed < order_.size() && settle(placed, round); ++placed) stop_.check();
      most = std::max(most, placed);
      if (most == order_.size()) break;
    }
    return most;
  }

  /// Places nuclei as in the first round; puts those that find no place where they tried first,
  /// then pushes all apart. Returns whether that succeeds.
  bool pushed_apart() {
    if (is_hopeless() || !others_.empty()) return false;
    beginners_.clear();
    for (std::size_t placed = 0; placed < order_.size(); ++placed) {
      stop_.check();
      if (!settle(placed, 0)) nuclei_[order_[placed]].move_to(first_try_);
    }
    std::vector<Pushed> all;
    for (std::size_t i = 0; i < nuclei_.size(); ++i)
      all.push_back({&nuclei_[i], rooms_[i], spec_.gap_um});
    return push_apart(all, stop_);
  }

 private:
  /// Returns whether nuclei fill more than the densest packing of balls, which no nuclei that lie
  /// inside and apart come near.
  [[nodiscard]] bool is_hopeless() const {
    constexpr double kDensest = 0.74;
    if (spec_.gap_um < 0 || spec_.border == BorderRule::cut) return false;
    double volume = 0;
    for (const Nucleus& nucleus : nuclei_) volume += nucleus.volume_um3();
    return volume > kDensest * size_[0] * size_[1] * size_[2];
  }

  /// Moves one nucleus to the first try that is apart from all placed before; returns whether there
  /// is one.
  bool settle(std::size_t placed, int round) {
    const std::size_t number = order_[placed];
    Nucleus& nucleus = nuclei_[number];
    const double width = spec_.cluster_width_um.value_or(2 * spec_.radius_um);
    const auto joined = joined_cluster(stream_, number, beginners_, spec_.clustering);
    if (!joined) beginners_.push_back(number);
    bool is_first = true;
    first_try_ = joined ? nuclei_[*joined].centre() : rooms_[number].kept(rooms_[number].low);
    for (int attempt = 0; attempt < kTriesInARound; ++attempt) {
      const int draw = kNucleusPlaceDraw + kTriesInARound * round + attempt;
      const auto words = stream_.block(number, static_cast<std::uint16_t>(draw));
      Vector3 position =
          joined ? normal_around(nuclei_[*joined].centre(), width * (1 + attempt / 500.0), words)
                 : uniform_in(rooms_[number], words);
      if (rooms_[number].low[0] == rooms_[number].high[0]) position[0] = rooms_[number].low[0];
      if (!is_in_box(rooms_[number], position)) continue;
      if (std::exchange(is_first, false)) first_try_ = position;
      nucleus.move_to(position);
      const auto apart = [&](std::size_t other) {
        return are_apart(nucleus, nuclei_[other], spec_.gap_um);
      };
      if (std::all_of(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(placed),
                      apart) &&
          std::all_of(others_.begin(), others_.end(), [&](const Nucleus& other) {
            return are_apart(nucleus, other, others_gap_um_);
          }))
        return true;
    }
    return false;
  }

  std::vector<Nucleus>& nuclei_;
  const NucleiSpec& spec_;
  const StopFlag& stop_;
  RandomStream stream_;
  std::span<const Nucleus> others_;
  double others_gap_um_;
  std::vector<std::size_t> order_;
  Vector3 size_;
  std::vector<CentreRegion> rooms_;
  std::vector<std::size_t> beginners_;
  Vector3 first_try_{};
};

/// Returns advice on a radius that is given: a shell beyond all faces of the grid leaves no space
/// for centres.
std::string radius_advice(const NucleiSpec& spec, const Vector3& size, std::string_view table) {
  if (!spec.arrangement_radius_um) return {};
  const double longest = *std::max_element(size.begin(), size.end());
  if (2 * *spec.arrangement_radius_um < longest)
    return fmt::format("a larger {}.arrangement_radius_um, ", table);
  if (spec.arrangement != Arrangement::shell) return {};
  return fmt::format("a smaller {0}.arrangement_radius_um (the shell lies beyond the grid), ",
                     table);
}

}  // namespace

void place(std::vector<Nucleus>& nuclei, const NucleiSpec& spec, const Grid& grid,
           const RandomStream& stream, const StopFlag& stop, const PlacedBeside& beside) {
  Placing placing{nuclei, spec, grid, stream, stop, beside};
  const std::size_t fit = placing.one_after_another();
  if (fit == nuclei.size() || placing.pushed_apart()) return;

  // Try which changes would make space, to report them
  const auto would_fit = [&](const NucleiSpec& other) {
    Placing again{nuclei, other, grid, stream, stop, beside};
    return again.one_after_another() == nuclei.size() || again.pushed_apart();
  };
  const std::string_view table = beside.table;
  std::string binding;
  NucleiSpec other = spec;
  other.clustering = 0;
  if (spec.clustering > 0 && would_fit(other))
    binding = fmt::format(
        "a smaller {0}.clustering (all fit with 0), a larger {0}.cluster_width_um, ", table);
  other = spec;
  other.gap_um = 0;
  if (spec.gap_um > 0 && would_fit(other))
    binding += fmt::format("a smaller {}.gap_um (all fit with 0), ", table);
  const Vector3 size = size_um(grid);
  binding += radius_advice(spec, size, table);
  const std::string pushing =
      beside.others.empty()
          ? "moving them apart did not make room for the others"
          : fmt::format("next to {} other objects they are not moved apart", beside.others.size());
  throw InvalidSpec(fmt::format(
      "place {0}: there is no room for {2} in {3:.1f} x {4:.1f} x {5:.1f} um: placed one after "
      "another, the largest first, only {1} found a free place, and {8}; use {6}a smaller {7}",
      table, fit, nuclei.size(), size[0], size[1], size[2], binding,
      spec.density_per_mm3 ? fmt::format("{0}.density_per_mm3 or {0}.radius_um", table)
                           : fmt::format("{0}.count or {0}.radius_um, or a larger grid", table),
      pushing));
}

}  // namespace synthoscope::simulator
