// SPDX-License-Identifier: MIT
#include "simulator/phantom/adherent/heights.hpp"
#include <algorithm>
#include <cmath>
#include "core/math/elementary.hpp"
#include "simulator/phantom/geometry/sphere.hpp"
#include "simulator/phantom/texture/texture.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kBelowUm = 0.25, kAboveUm = 0.3;  // cytoplasm under and over the nucleus
constexpr double kClearUm = 0.8;                   // least distance of the nucleus from the border
constexpr double kSlope = 1.2;                     // of the height at the border

std::uint64_t noise_seed_of(const Draws& draws, int draw) {
  const auto words = draws.block(draw);
  return (std::uint64_t{words[0]} << 32) | words[1];
}

/// Calls `visit(point)` for points all over the surface, relative to the middle of the nucleus.
template <class Visit>
void for_each_surface_point(const Nucleus& nucleus, Visit&& visit) {
  for (const Lobe& lobe : nucleus.lobes())
    for (const Vector3& u : separating_directions()) visit(lobe.surface_point(u));
}

double lowest_um(const Nucleus& nucleus) {
  double low = 0;
  for_each_surface_point(nucleus, [&](const Vector3& p) { low = std::min(low, p[0]); });
  return low;
}

bool lies_within(const Nucleus& nucleus, const CellGround& ground) {
  const HeightMap distances = ground.distances.view();
  bool is_within = true;
  for_each_surface_point(nucleus, [&](const Vector3& p) {
    if (distances.at(ground.middle[0] + p[1], ground.middle[1] + p[2]) < kClearUm)
      is_within = false;
  });
  return is_within;
}

/// Averages over squares of 2 `reach` + 1 nodes, three times: a smooth blur.
void blur(PlaneField& field, int reach) {
  std::vector<float> line;
  const auto pass = [&](int count, auto&& node) {
    line.resize(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) line[static_cast<std::size_t>(i)] = node(i);
    double sum = 0;
    const auto at = [&](int i) {
      return static_cast<double>(line[static_cast<std::size_t>(std::clamp(i, 0, count - 1))]);
    };
    for (int i = -reach; i <= reach; ++i) sum += at(i);
    for (int i = 0; i < count; ++i) {
      node(i) = static_cast<float>(sum / (2 * reach + 1));
      sum += at(i + reach + 1) - at(i - reach);
    }
  };
  for (int turn = 0; turn < 3; ++turn) {
    for (int row = 0; row < field.rows; ++row)
      pass(field.columns, [&](int i) -> float& { return field.node(row, i); });
    for (int column = 0; column < field.columns; ++column)
      pass(field.rows, [&](int i) -> float& { return field.node(i, column); });
  }
}

/// Returns the height of the top of a placed nucleus above the glass plus kAboveUm, smoothed, and
/// falling off around it.
PlaneField dome_over(const Nucleus& nucleus, const CellGround& ground, double glass_um) {
  PlaneField dome = ground.distances;
  const Bounds box = nucleus.bounds();
  const double middle_z = nucleus.centre()[0];
  std::vector<float> tops(dome.values.size());
  double rim = 0, widest = 0;
  for (int row = 0; row < dome.rows; ++row)
    for (int column = 0; column < dome.columns; ++column) {
      const auto [y, x] = dome.place(row, column);
      if (y < box.low[1] || y > box.high[1] || x < box.low[2] || x > box.high[2]) continue;
      double low = middle_z, high = box.high[0];
      if (!nucleus.contains({low, y, x})) continue;
      for (int i = 0; i < 8; ++i) {
        const double z = (low + high) / 2;
        (nucleus.contains({z, y, x}) ? low : high) = z;
      }
      tops[dome.index(row, column)] = static_cast<float>(high - glass_um + kAboveUm);
    }
  rim = 0.55 * (middle_z - glass_um);
  widest = std::max(box.high[1] - box.low[1], box.high[2] - box.low[2]);
  // Outside, by the distance from the nucleus
  PlaneField around = ground.distances;
  for (std::size_t i = 0; i < tops.size(); ++i) around.values[i] = tops[i] > 0 ? 1.0F : -1.0F;
  measure_far(around, 0);
  for (std::size_t i = 0; i < tops.size(); ++i) {
    const double away = -static_cast<double>(around.values[i]) / (0.2 * widest);
    dome.values[i] = tops[i] > 0 ? tops[i] : static_cast<float>(rim / (1 + away * away));
  }
  blur(dome, 2);
  return dome;
}

/// Returns where far adhesions that retract are thick, um at a place.
double thick_end(const CellOutline& outline, std::uint64_t seed, std::int64_t cell,
                 const Point2& p) {
  double most = 0;
  for (std::size_t i = 0; i < outline.adhesions.size(); ++i) {
    const Adhesion& adhesion = outline.adhesions[i];
    const auto words =
        adherent_draws(seed, cell, AdherentPart::height, static_cast<std::int64_t>(i + 1)).block(0);
    if (uniform32(words[0]) > (adhesion.is_far ? 0.6 : 0.06)) continue;
    const double share = 0.8 + 0.15 * uniform32(words[1]);
    const double y = p[0] - share * adhesion.at[0], x = p[1] - share * adhesion.at[1];
    const double width = 2.5 + 2 * uniform32(words[2]);
    const double square = (y * y + x * x) / (2 * width * width);
    if (square < 30)
      most = std::max(most, (1 + 2 * uniform32(words[3])) * portable::exp_negative(-square));
  }
  return most;
}

/// Returns the smaller of a height and of the slope from the border, with a smooth change.
double limited(double height, double distance_um) {
  if (distance_um <= 0) return kSlope * distance_um;
  const double q = kSlope * distance_um / height, square = q * q;
  return height * q / std::sqrt(std::sqrt(1 + square * square));
}

/// Returns heights without what the nucleus adds.
PlaneField base_heights(const AdherentSpec& spec, const CellGround& ground, std::uint64_t seed,
                        std::int64_t cell) {
  const Draws draws = adherent_draws(seed, cell, AdherentPart::height);
  Texture folds{noise_seed_of(draws, 0), 9.0, 3}, hills{noise_seed_of(draws, 1), 25.0, 2};
  PlaneField heights = ground.distances;
  double area = 0;
  for (const float d : ground.distances.values) area += d > 0 ? 1 : 0;
  const double reach = 0.45 * std::sqrt(area) * kLatticeUm;
  for (int row = 0; row < heights.rows; ++row)
    for (int column = 0; column < heights.columns; ++column) {
      if (!(heights.node(row, column) > 0)) continue;
      const Point2 p = heights.place(row, column);
      const Vector3 own{0, p[0] - ground.middle[0], p[1] - ground.middle[1]};
      const double away = dot(own, own) / (reach * reach);
      const double rough = 1 + spec.bumpiness * folds(own);
      const double body = spec.body_um / (1 + away) * (1 + spec.bumpiness * hills(own));
      heights.node(row, column) =
          static_cast<float>(spec.lamella_um * rough + body * rough +
                             thick_end(ground.outline, seed, cell, {own[1], own[2]}));
    }
  return heights;
}

/// Returns whether a placed nucleus lies below the heights.
bool is_covered(const Nucleus& nucleus, const PlaneField& heights, double glass_um) {
  const HeightMap map = heights.view();
  bool covered = true;
  for_each_surface_point(nucleus, [&](const Vector3& p) {
    const Vector3 at = nucleus.centre() + p;
    if (map.at(at[1], at[2]) < at[0] - glass_um + kAboveUm / 3) covered = false;
  });
  return covered;
}

}  // namespace

Nucleus draw_adherent_nucleus(const NucleiSpec& nuclei, const Point2& axis, std::uint64_t seed,
                              std::int64_t cell) {
  const Draws draws{RandomStream{seed, RandomStage::adherent_nuclei},
                    static_cast<std::uint64_t>(cell)};
  const auto words = adherent_draws(seed, cell, AdherentPart::height).block(2);
  // Within a tenth of a turn of the long axis
  const auto [c, s] = portable::cosine_and_sine(0.2 * (uniform32(words[0]) - 0.5));
  const double cosine = c * axis[1] - s * axis[0], sine = s * axis[1] + c * axis[0];
  return Nucleus::draw(nuclei, draws, Matrix3{{{1, 0, 0}, {0, cosine, -sine}, {0, sine, cosine}}});
}

CellBodyForm body_of(const AdherentSpec& spec, const NucleiSpec& nuclei, const CellGround& ground,
                     std::uint64_t seed, std::int64_t cell) {
  CellBodyForm form;
  const PlaneField base = base_heights(spec, ground, seed, cell);
  form.heights = base;
  const auto finish = [&](const PlaneField* dome, double factor) {
    for (std::size_t i = 0; i < base.values.size(); ++i) {
      const double distance = ground.distances.values[i];
      double height = base.values[i];
      if (dome && distance > 0) {
        const double over = factor * static_cast<double>(dome->values[i]);
        height = std::sqrt(height * height + over * over);
      }
      form.heights.values[i] = static_cast<float>(limited(height, distance));
    }
  };
  NucleiSpec its = nuclei;
  for (int turn = 0; spec.nuclei && turn < 24; ++turn, its.radius_um *= 0.93) {
    Nucleus nucleus = draw_adherent_nucleus(its, ground.outline.axis, seed, cell);
    if (!lies_within(nucleus, ground)) continue;
    nucleus.move_to(
        {spec.glass_um + kBelowUm - lowest_um(nucleus), ground.middle[0], ground.middle[1]});
    const PlaneField dome = dome_over(nucleus, ground, spec.glass_um);
    for (double factor = 1; factor < 2; factor *= 1.1) {
      finish(&dome, factor);
      if (!is_covered(nucleus, form.heights, spec.glass_um)) continue;
      form.nucleus.emplace(std::move(nucleus));
      return form;
    }
  }
  finish(nullptr, 1);
  return form;
}

}  // namespace synthoscope::simulator
