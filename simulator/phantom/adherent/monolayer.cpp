// SPDX-License-Identifier: MIT
// simulator/phantom/adherent/monolayer.cpp — the areas of the cells of a confluent layer.
#include <algorithm>
#include <cmath>
#include "core/math/elementary.hpp"
#include "simulator/phantom/adherent/adherent_cells.hpp"
#include "simulator/phantom/texture/texture.hpp"

namespace synthoscope::simulator {
namespace {

constexpr int kLloydTurns = 3;
constexpr double kBeyondUm = 0.5;  // of the grid's faces that cells reach

/// The map of the plane that bends borders: smooth, and nowhere so steep that it folds.
class BorderWarp {
 public:
  BorderWarp(std::uint64_t seed, double size_um)
      : y_{seed_of_draw(seed, 0), 1.3 * size_um, 2},
        x_{seed_of_draw(seed, 1), 1.3 * size_um, 2},
        um_{0.11 * size_um} {}

  [[nodiscard]] Point2 operator()(const Point2& p) {
    const Vector3 at{0, p[0], p[1]};
    return {p[0] + um_ * y_(at), p[1] + um_ * x_(at)};
  }

 private:
  static std::uint64_t seed_of_draw(std::uint64_t seed, int draw) {
    const auto words = adherent_draws(seed, 0, AdherentPart::warp).block(draw);
    return (std::uint64_t{words[0]} << 32) | words[1];
  }
  Texture y_, x_;
  double um_;
};

double square_between(const Point2& a, const Point2& b) {
  const double y = a[0] - b[0], x = a[1] - b[1];
  return y * y + x * x;
}

/// Centres in squares, so that those near a point are found.
class CentreIndex {
 public:
  CentreIndex(const std::vector<Point2>& centres, double edge_um, const Point2& size)
      : centres_{centres}, edge_{edge_um} {
    rows_ = static_cast<std::int64_t>(size[0] / edge_) + 1;
    columns_ = static_cast<std::int64_t>(size[1] / edge_) + 1;
    in_.resize(static_cast<std::size_t>(rows_ * columns_));
    for (std::size_t i = 0; i < centres.size(); ++i)
      in_[square(at(centres[i][0], rows_), at(centres[i][1], columns_))].push_back(i);
  }

  /// Calls `visit(i)` for the centres within `reach` squares.
  template <class Visit>
  void near(const Point2& p, std::int64_t reach, Visit&& visit) const {
    const std::int64_t row = at(p[0], rows_), column = at(p[1], columns_);
    for (std::int64_t r = std::max<std::int64_t>(0, row - reach);
         r <= std::min(rows_ - 1, row + reach); ++r)
      for (std::int64_t c = std::max<std::int64_t>(0, column - reach);
           c <= std::min(columns_ - 1, column + reach); ++c)
        for (const std::size_t i : in_[square(r, c)]) visit(i);
  }

  /// Returns the centre that is nearest to a point.
  [[nodiscard]] std::size_t nearest(const Point2& p) const {
    for (std::int64_t reach = 2;; reach *= 2) {
      std::size_t best = centres_.size();
      double least = 1e300;
      near(p, reach, [&](std::size_t i) {
        const double square = square_between(p, centres_[i]);
        if (square >= least) return;
        least = square;
        best = i;
      });
      const double sure = edge_ * static_cast<double>(reach);
      if (best < centres_.size() && (least <= sure * sure || reach > rows_ + columns_)) return best;
    }
  }

 private:
  [[nodiscard]] std::int64_t at(double um, std::int64_t count) const {
    return static_cast<std::int64_t>(
        std::min(static_cast<double>(count - 1), std::max(0.0, std::floor(um / edge_))));
  }
  [[nodiscard]] std::size_t square(std::int64_t row, std::int64_t column) const {
    return static_cast<std::size_t>(row * columns_ + column);
  }
  const std::vector<Point2>& centres_;
  double edge_;
  std::int64_t rows_ = 0, columns_ = 0;
  std::vector<std::vector<std::size_t>> in_;
};

/// Draws centres in a rectangle and moves them to the middles of their areas, counted on a lattice.
std::vector<Point2> draw_centres(std::int64_t count, const Point2& size, double edge_um,
                                 std::uint64_t seed, const RunContext& context) {
  std::vector<Point2> centres;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto words = adherent_draws(seed, i, AdherentPart::seeds).block(0);
    centres.push_back({uniform32(words[0]) * size[0], uniform32(words[1]) * size[1]});
  }
  const double step = edge_um / 12;
  for (int turn = 0; turn < kLloydTurns; ++turn) {
    context.stop.check();
    const CentreIndex index{centres, edge_um, size};
    std::vector<std::array<double, 3>> sums(centres.size());
    for (double y = step / 2; y < size[0]; y += step)
      for (double x = step / 2; x < size[1]; x += step) {
        auto& sum = sums[index.nearest({y, x})];
        sum[0] += y;
        sum[1] += x;
        sum[2] += 1;
      }
    for (std::size_t i = 0; i < centres.size(); ++i)
      if (sums[i][2] > 0) centres[i] = {sums[i][0] / sums[i][2], sums[i][1] / sums[i][2]};
  }
  return centres;
}

/// Returns distances from the borders with other cells, for one cell.
CellGround ground_of(std::size_t number, const std::vector<Point2>& centres,
                     const CentreIndex& index, BorderWarp& warp, double edge_um,
                     const AdherentSpec& spec, const Grid& grid) {
  const auto [z, height, width] = size_um(grid);
  const Point2 own = centres[number];
  std::vector<std::size_t> others;
  index.near(own, 4, [&](std::size_t i) {
    if (i != number) others.push_back(i);
  });
  double farthest = 2.5 * edge_um;
  CellGround ground;
  const Point2 low{std::max(-kBeyondUm, own[0] - farthest),
                   std::max(-kBeyondUm, own[1] - farthest)};
  const Point2 high{std::min(height + kBeyondUm, own[0] + farthest),
                    std::min(width + kBeyondUm, own[1] + farthest)};
  PlaneField& field = ground.distances = PlaneField::over(low, high);
  double deepest = -1e300;
  double yy = 0, yx = 0, xx = 0, count = 0, my = 0, mx = 0;
  for (int row = 0; row < field.rows; ++row)
    for (int column = 0; column < field.columns; ++column) {
      const Point2 p = field.place(row, column), there = warp(p);
      const double mine = square_between(there, own);
      double distance = farthest;
      for (const std::size_t i : others)
        distance = std::min(distance, (square_between(there, centres[i]) - mine) /
                                          (2 * std::sqrt(square_between(own, centres[i]))));
      distance -= spec.gap_um / 2;
      field.node(row, column) = static_cast<float>(distance);
      if (distance <= 0) continue;
      count += 1;
      my += p[0];
      mx += p[1];
      yy += p[0] * p[0];
      yx += p[0] * p[1];
      xx += p[1] * p[1];
      deepest = std::max(deepest, distance);
    }
  ground.middle = own;
  if (count > 0) {
    my /= count;
    mx /= count;
    ground.middle = {my, mx};
    const double a = xx / count - mx * mx - (yy / count - my * my), b = 2 * (yx / count - my * mx);
    const double length = std::sqrt(a * a + b * b);
    if (length > 0) {
      const double x = std::sqrt((1 + a / length) / 2), y = std::sqrt((1 - a / length) / 2);
      ground.outline.axis = {b < 0 ? -y : y, x};
    }
  }
  keep_one_piece(field, half_width_um(grid), ground.middle);
  // Cells continue beyond the grid: its faces are no borders
  return ground;
}

}  // namespace

double mean_area_um2(const AdherentSpec& spec, const Grid& grid) {
  if (spec.arrangement == AdherentArrangement::spread) return 2.5 * spec.radius_um * spec.radius_um;
  const auto [z, y, x] = size_um(grid);
  return y * x / static_cast<double>(std::max<std::int64_t>(1, number_of(spec, grid)));
}

std::vector<CellGround> monolayer_grounds(const AdherentSpec& spec, const Grid& grid,
                                          std::uint64_t seed, const RunContext& context) {
  const std::int64_t count = number_of(spec, grid);
  const auto [z, y, x] = size_um(grid);
  const double edge = std::sqrt(mean_area_um2(spec, grid));
  const Point2 size{y, x};
  const std::vector<Point2> centres = draw_centres(count, size, edge, seed, context);
  const CentreIndex index{centres, edge, size};
  std::vector<CellGround> grounds(centres.size());
  context.pool.for_each(count, [&](std::int64_t i) {
    context.stop.check();
    BorderWarp warp{seed, edge};
    const auto place = static_cast<std::size_t>(i);
    grounds[place] = ground_of(place, centres, index, warp, edge, spec, grid);
  });
  return grounds;
}

}  // namespace synthoscope::simulator
