// SPDX-License-Identifier: MIT
#include "simulator/phantom/adherent/adherent_cells.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include "core/base/error.hpp"
#include "simulator/phantom/adherent/adherent_organelles.hpp"

namespace synthoscope::simulator {
namespace {

/// Places that cells have taken, on a coarse lattice that covers the grid and what cells reach
/// beyond it.
class TakenGround {
 public:
  TakenGround(const Grid& grid, double reach_um) {
    const auto [z, y, x] = size_um(grid);
    reach_ = reach_um;
    rows_ = static_cast<std::int64_t>(std::ceil((y + 2 * reach_um) / kStepUm)) + 1;
    columns_ = static_cast<std::int64_t>(std::ceil((x + 2 * reach_um) / kStepUm)) + 1;
    taken_.resize(static_cast<std::size_t>(rows_ * columns_));
  }

  /// Calls `visit(node)` for the coarse nodes within `gap_um` of a ground moved by `way`, until it
  /// returns false. @returns whether it never did
  template <class Visit>
  bool for_each_node(const PlaneField& distances, const Point2& way, double gap_um, Visit&& visit) {
    const HeightMap map = distances.view();
    const double pad = gap_um + kStepUm;
    const auto first = [&](double um) {
      return static_cast<std::int64_t>(std::floor((um + reach_ - pad) / kStepUm));
    };
    const auto last = [&](double um) {
      return static_cast<std::int64_t>(std::ceil((um + reach_ + pad) / kStepUm));
    };
    const double height = (distances.rows - 1) * kLatticeUm,
                 width = (distances.columns - 1) * kLatticeUm;
    const double y0 = distances.y_um + way[0], x0 = distances.x_um + way[1];
    for (std::int64_t row = std::max<std::int64_t>(0, first(y0));
         row <= std::min(rows_ - 1, last(y0 + height)); ++row)
      for (std::int64_t column = std::max<std::int64_t>(0, first(x0));
           column <= std::min(columns_ - 1, last(x0 + width)); ++column) {
        const double y = static_cast<double>(row) * kStepUm - reach_ - way[0];
        const double x = static_cast<double>(column) * kStepUm - reach_ - way[1];
        if (map.at(y, x) < -pad) continue;
        if (!visit(static_cast<std::size_t>(row * columns_ + column))) return false;
      }
    return true;
  }
  bool is_free(const PlaneField& distances, const Point2& way, double gap_um) {
    return for_each_node(distances, way, gap_um, [&](std::size_t i) { return !taken_[i]; });
  }
  void take(const PlaneField& distances, const Point2& way) {
    for_each_node(distances, way, 0, [&](std::size_t i) {
      taken_[i] = true;
      return true;
    });
  }

 private:
  static constexpr double kStepUm = 0.5;
  double reach_ = 0;
  std::int64_t rows_ = 0, columns_ = 0;
  std::vector<bool> taken_;
};

/// Returns the box of the points inside, relative to the lattice's origin.
std::array<Point2, 2> box_of(const PlaneField& distances) {
  Point2 low{1e300, 1e300}, high{-1e300, -1e300};
  for (int row = 0; row < distances.rows; ++row)
    for (int column = 0; column < distances.columns; ++column) {
      if (!(distances.node(row, column) > 0)) continue;
      const Point2 p = distances.place(row, column);
      for (std::size_t axis = 0; axis < 2; ++axis) {
        low[axis] = std::min(low[axis], p[axis] - kLatticeUm);
        high[axis] = std::max(high[axis], p[axis] + kLatticeUm);
      }
    }
  return {low, high};
}

/// Returns whether an area fits into the grid, at some place.
bool is_room_for(const PlaneField& distances, const Grid& grid) {
  const auto [low, high] = box_of(distances);
  const auto [z, y, x] = size_um(grid);
  return high[0] - low[0] <= y && high[1] - low[1] <= x;
}

/// Returns the seed of an outline. The first one has the seed of the scene.
std::uint64_t outline_seed(std::uint64_t seed, std::int64_t cell, int turn) {
  if (turn == 0) return seed;
  const auto words = adherent_draws(seed, cell, AdherentPart::again, turn).block(0);
  return (std::uint64_t{words[0]} << 32) | words[1];
}

/// Returns the area of a spread cell around the origin. An outline for which the grid has no room
/// is drawn again, if the cell must lie inside; after kMostOutlines, the last one is returned.
CellGround spread_ground(const AdherentSpec& spec, const NucleiSpec& nuclei, const Grid& grid,
                         std::uint64_t seed, std::int64_t cell) {
  constexpr double kAroundUm = 1.5;
  constexpr int kMostOutlines = 64;
  double clear = 3;
  if (spec.nuclei) {
    const Nucleus nucleus = draw_adherent_nucleus(nuclei, {0, 1}, seed, cell);
    clear = std::min(0.5 * spec.radius_um, nucleus.bounding_radius_um() + kAroundUm);
  }
  for (int turn = 0;; ++turn) {
    const std::uint64_t its_seed = outline_seed(seed, cell, turn);
    CellGround ground;
    ground.outline = draw_outline(spec, clear, its_seed, cell);
    ground.distances = footprint_of(ground.outline);
    const auto words = adherent_draws(its_seed, cell, AdherentPart::place).block(2);
    roughen(ground.distances, (std::uint64_t{words[0]} << 32) | words[1]);
    keep_one_piece(ground.distances, half_width_um(grid), {});
    if (spec.border == BorderRule::cut || turn + 1 == kMostOutlines ||
        is_room_for(ground.distances, grid))
      return ground;
  }
}

void move_ground(CellGround& ground, const Point2& way) {
  ground.distances.y_um += way[0];
  ground.distances.x_um += way[1];
  ground.middle = {ground.middle[0] + way[0], ground.middle[1] + way[1]};
}

/// Returns where a cell goes; nothing if no place is free.
std::optional<Point2> free_place(const AdherentSpec& spec, const CellGround& ground,
                                 const Grid& grid, TakenGround& taken, std::uint64_t seed,
                                 std::int64_t cell) {
  constexpr int kTries = 1000, kFirstDraw = 16;
  const auto [z, y, x] = size_um(grid);
  Point2 low{0, 0}, high{y, x};
  if (spec.border == BorderRule::inside) {
    const auto box = box_of(ground.distances);
    for (std::size_t axis = 0; axis < 2; ++axis) {
      low[axis] -= box[0][axis];
      high[axis] -= box[1][axis];
      if (low[axis] > high[axis]) return std::nullopt;
    }
  }
  const Draws draws = adherent_draws(seed, cell, AdherentPart::place);
  for (int i = 0; i < kTries; ++i) {
    const auto words = draws.block(kFirstDraw + i);
    Point2 way{};
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const double um = low[axis] + uniform32(words[axis]) * (high[axis] - low[axis]);
      way[axis] = um;
    }
    if (taken.is_free(ground.distances, way, spec.gap_um)) return way;
  }
  return std::nullopt;
}

std::vector<CellGround> spread_grounds(const AdherentSpec& spec, const NucleiSpec& nuclei,
                                       const Grid& grid, std::uint64_t seed,
                                       const RunContext& context) {
  const std::int64_t count = number_of(spec, grid);
  std::vector<CellGround> grounds(static_cast<std::size_t>(count));
  context.pool.for_each(count, [&](std::int64_t i) {
    context.stop.check();
    grounds[static_cast<std::size_t>(i)] = spread_ground(spec, nuclei, grid, seed, i);
  });
  TakenGround taken{grid, most_reach_um(spec, grid)};
  for (std::int64_t i = 0; i < count; ++i) {
    context.stop.check();
    CellGround& ground = grounds[static_cast<std::size_t>(i)];
    const auto way = free_place(spec, ground, grid, taken, seed, i);
    if (!way)
      throw InvalidSpec(fmt::format(
          "place the adherent cells: only {} of {} found a place in this grid; ask for fewer, for "
          "smaller ones by adherent.radius_um or adherent.protrusions, for adherent.border = "
          "\"cut\", or for adherent.arrangement = \"monolayer\"",
          i, count));
    taken.take(ground.distances, *way);
    move_ground(ground, *way);
  }
  return grounds;
}

}  // namespace

double half_width_um(const Grid& grid) {
  return std::max(0.3, 0.75 * std::max(grid.pitch.y_um, grid.pitch.x_um));
}

std::vector<AdherentCell> make_adherent_cells(const AdherentSpec& spec, const NucleiSpec& nuclei,
                                              const Grid& grid, std::uint64_t seed,
                                              const RunContext& context) {
  const std::int64_t count = number_of(spec, grid);
  if (count == 0) return {};
  const auto grounds = spec.arrangement == AdherentArrangement::monolayer
                           ? monolayer_grounds(spec, grid, seed, context)
                           : spread_grounds(spec, nuclei, grid, seed, context);
  const double area = mean_area_um2(spec, grid);
  std::vector<std::optional<AdherentCell>> made(grounds.size());
  context.pool.for_each(count, [&](std::int64_t i) {
    context.stop.check();
    const auto place = static_cast<std::size_t>(i);
    made[place].emplace(spec, nuclei, grounds[place], area, grid.pitch.z_um, seed, i);
  });
  std::vector<AdherentCell> cells;
  cells.reserve(made.size());
  for (auto& cell : made) cells.push_back(std::move(*cell));
  const auto without = std::count_if(cells.begin(), cells.end(), [](const AdherentCell& cell) {
    return !cell.nucleus().has_value();
  });
  if (spec.nuclei && without > 0)
    context.log.warn(
        fmt::format("adherent.nuclei: {} of {} cells have no space for a nucleus; a smaller "
                    "nuclei.radius_um or larger cells make room",
                    without, count));
  return cells;
}

std::int64_t adherent_bytes(const AdherentSpec& spec, const Grid& grid) {
  const std::int64_t count = number_of(spec, grid);
  if (count == 0) return 0;
  constexpr std::int64_t kThreads = 64;  // that make cells at one time
  const double side = 2 * most_reach_um(spec, grid) / kLatticeUm + 20;
  const auto nodes = static_cast<std::int64_t>(side * side);
  // Distances and heights of all cells; for each cell that is being made, copies and lattices of
  // doubles
  return count * (nodes * std::int64_t{2 * sizeof(float)} +
                  std::int64_t{sizeof(std::optional<AdherentCell>) + sizeof(AdherentCell)} +
                  kMostScale * spec.vacuoles * std::int64_t{2 * sizeof(Vacuole)}) +
         std::min(count, kThreads) * nodes *
             std::int64_t{6 * sizeof(float) + 2 * sizeof(double) + 1};
}

}  // namespace synthoscope::simulator
