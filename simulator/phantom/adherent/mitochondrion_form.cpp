// SPDX-License-Identifier: MIT
// simulator/phantom/adherent/mitochondrion_form.cpp — the shape of one mitochondrion.
#include <algorithm>
#include <cmath>
#include "core/math/elementary.hpp"
#include "simulator/phantom/adherent/adherent_organelles.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kLeastHalfUm = 0.05;
constexpr double kWideUm = 0.4;  // half width from which on the inside has a loop
constexpr int kEndParts = 4;     // of a quarter of a turn
// Shares of all mitochondria; the rest are threads
constexpr double kDots = 0.26, kOvals = 0.36, kRods = 0.22;

double cosine_of(double turns) {
  return portable::cosine_and_sine(turns - std::floor(turns)).cosine;
}

/// Returns the half width at a distance from the first end.
double half_width_at(const MitochondrionForm& form, double along_um, double length_um) {
  const auto swelling = [&](double excess, double away_um) {
    const double d = away_um / form.end;
    return excess * portable::exp_negative(-d * d);
  };
  return form.half *
         (1 + swelling(form.first - 1, along_um) + swelling(form.last - 1, length_um - along_um));
}

/// Directions along and across a spine, and its points, by number.
struct SpineFrame {
  const MitochondrionSpine& spine;

  [[nodiscard]] Vector3 along(std::size_t i) const {
    const auto& points = spine.points;
    if (points.size() == 1) return {0, 0, 1};
    return unit_vector(points[std::min(i + 1, points.size() - 1)] - points[i > 0 ? i - 1 : 0]);
  }
  [[nodiscard]] Vector3 across(std::size_t i) const {
    const Vector3 way = along(i);
    return {0, way[2], -way[1]};
  }
};

/// Deviation of an outline from the half widths, over them: the waves of 2, 3 and 5 per turn.
class OutlineWaves {
 public:
  explicit OutlineWaves(const Draws& draws) : words_{draws.block(400)}, size_{draws.block(401)} {}

  [[nodiscard]] double at(double turn) const {
    constexpr double kSize = 0.16;
    return kSize * ((uniform32(size_[0]) - 0.2) * cosine_of(2 * turn + uniform32(words_[0])) +
                    uniform32(size_[1]) * cosine_of(3 * turn + uniform32(words_[1])) +
                    0.6 * uniform32(size_[2]) * cosine_of(5 * turn + uniform32(words_[2])));
  }

 private:
  PhiloxBlock words_, size_;
};

/// The outline seen from above, on from the left side over the last end to the right side and the
/// first end: points, and the points of the spine that they belong to.
struct MitochondrionOutline {
  std::vector<Vector3> middles, points;
  std::vector<double> halves;

  MitochondrionOutline(const MitochondrionForm& form, const MitochondrionSpine& spine,
                       const Draws& draws) {
    const SpineFrame frame{spine};
    const std::size_t count = spine.points.size();
    std::vector<Vector3> ways;
    const auto add = [&](std::size_t i, const Vector3& way) {
      middles.push_back(spine.points[i]);
      ways.push_back(way);
      halves.push_back(std::max(kLeastHalfUm, spine.half_widths[i] - form.wall));
    };
    const auto add_end = [&](std::size_t i, double sign) {
      const Vector3 ahead = sign * frame.along(i), aside = sign * frame.across(i);
      for (int part = 1; part < 2 * kEndParts; ++part) {
        const auto [cosine, sine] = portable::cosine_and_sine(part / (4.0 * kEndParts));
        add(i, cosine * aside + sine * ahead);
      }
    };
    for (std::size_t i = 0; i < count; ++i) add(i, frame.across(i));
    add_end(count - 1, 1);
    for (std::size_t i = count; i-- > 0;) add(i, -1.0 * frame.across(i));
    add_end(0, -1);
    const OutlineWaves waves{draws};
    const auto all = static_cast<double>(ways.size());
    for (std::size_t i = 0; i < ways.size(); ++i) {
      halves[i] *= 1 + waves.at(static_cast<double>(i) / all);
      points.push_back(middles[i] + halves[i] * ways[i]);
    }
  }
};

/// Adds bent walls from one side to the other.
void add_crossings(const MitochondrionForm& form, const MitochondrionSpine& spine,
                   const Draws& draws, Strand& strand) {
  const SpineFrame frame{spine};
  for (std::size_t i = 2; i + 2 < spine.points.size(); ++i) {
    const auto words = draws.block(600 + static_cast<int>(i));
    if (uniform32(words[0]) >= form.crossing) continue;
    const std::size_t other = i + (words[1] % 3) - 1;
    const Vector3 from = spine.points[i] + 0.8 * spine.half_widths[i] * frame.across(i);
    const Vector3 to = spine.points[other] - 0.8 * spine.half_widths[other] * frame.across(other);
    const double aside = 0.3 * (uniform32(words[2]) - 0.5);
    const Vector3 middle = 0.5 * (from + to) + aside * frame.along(i);
    const double radius = (0.6 + 0.4 * uniform32(words[3])) * form.wall;
    const Vector3 points[] = {from, middle, to};
    const double across[] = {radius, 0.8 * radius, radius};
    strand.add_chain(points, across);
  }
}

}  // namespace

MitochondrionForm draw_mitochondrion_form(double length_um, double half_um, const Draws& draws) {
  const auto words = draws.block(202), more = draws.block(203);
  const double kind = uniform32(words[0]);
  const double size = portable::exp(0.22 * bell(draws.block(204)));
  const double longer = portable::exp(0.35 * bell(draws.block(205)));
  const auto end_of = [&](std::size_t i) { return uniform32(more[i]); };
  MitochondrionForm form;
  form.wall = 0.13 + 0.05 * uniform32(words[2]);
  if (kind < kDots) {
    form.half = 0.45 * half_um * size;
  } else if (kind < kDots + kOvals) {
    form.half = 1.05 * half_um * size;
    form.length = 1.2 * form.half * end_of(0) * end_of(0);
    form.first = 0.8 + 0.4 * end_of(1);
    form.end = form.half;
    form.crossing = end_of(3) < 0.3 ? 0.2 : 0.0;
  } else if (kind < kDots + kOvals + kRods) {
    form.half = 0.8 * half_um * size;
    form.length = 1.2 * length_um * longer;
    form.first = 0.8 + 0.9 * end_of(0);
    form.last = 0.7 + 0.6 * end_of(1);
    form.end = 0.5 + 0.6 * end_of(2);
    form.crossing = end_of(3) < 0.7 ? 0.3 : 0.05;
  } else {
    form.half = 0.34 * half_um * size;
    form.length = 1.2 * length_um * longer;
    form.first = end_of(0) < 0.6 ? 1.6 + 1.2 * end_of(1) : 1;
    form.last = end_of(2) < 0.25 ? 1.8 : 1;
    form.end = 0.45;
  }
  form.wall = std::min(form.wall, 0.6 * form.half);
  return form;
}

MitochondrionSpine draw_spine(const MitochondrionForm& form, const Vector3& start,
                              const std::function<bool(const Vector3&, double)>& is_free,
                              const Draws& draws) {
  const auto words = draws.block(210);
  const auto [cosine, sine] = portable::cosine_and_sine(uniform32(words[0]));
  const auto count = std::clamp<std::int64_t>(static_cast<std::int64_t>(form.length / kSpineStepUm),
                                              0, kMostSpinePoints - 1);
  const double length = static_cast<double>(count) * kSpineStepUm;
  MitochondrionSpine spine{{start}, {half_width_at(form, 0, length)}};
  Vector3 way{0, sine, cosine};
  double bend = 0.4 * (uniform32(words[1]) - 0.5);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto its = draws.block(300 + static_cast<int>(i));
    bend = 0.8 * bend + 0.22 * (uniform32(its[0]) - 0.5);
    way = unit_vector(way + bend * Vector3{0, way[2], -way[1]});
    const Vector3 next = spine.points.back() + kSpineStepUm * way;
    const double half = half_width_at(form, static_cast<double>(i + 1) * kSpineStepUm, length);
    if (!is_free(next, half)) break;
    spine.points.push_back(next);
    spine.half_widths.push_back(half);
  }
  return spine;
}

void add_mitochondrion(const MitochondrionForm& form, const MitochondrionSpine& spine,
                       const Draws& draws, Strand& wall, Strand& inside) {
  const MitochondrionOutline outline{form, spine, draws};
  const std::size_t count = outline.middles.size();
  const auto add_loop = [&](double share, Strand& strand, auto&& radius_at) {
    std::vector<Vector3> loop;
    std::vector<double> radii;
    for (std::size_t i = 0; i < count; ++i) {
      loop.push_back(outline.middles[i] + share * (outline.points[i] - outline.middles[i]));
      radii.push_back(radius_at(i));
    }
    loop.push_back(loop.front());
    radii.push_back(radii.front());
    strand.add_chain(loop, radii);
  };
  double last = 0;
  add_loop(1, wall, [&](std::size_t i) {
    last = 0.6 * last + (uniform32(draws.block(410 + static_cast<int>(i))[0]) - 0.5);
    return form.wall * (1 + 0.35 * last);
  });
  add_crossings(form, spine, draws, wall);

  // The inside is flat: a tube along the spine, and a loop around it if it is wide
  std::vector<double> radii;
  bool is_wide = false;
  for (const double half : spine.half_widths) {
    is_wide = is_wide || half > kWideUm;
    radii.push_back(std::max(kLeastHalfUm, std::min(0.55 * half, 0.35)));
  }
  if (spine.points.size() == 1)
    inside.add({spine.points[0], spine.points[0], radii[0], radii[0]});
  else
    inside.add_chain(spine.points, radii);
  if (!is_wide) return;
  add_loop(0.62, inside, [&](std::size_t i) {
    const double full = 0.36 * outline.halves[i];
    return std::max(kLeastHalfUm,
                    full * (1 - 0.85 * uniform32(draws.block(410 + static_cast<int>(i))[1])));
  });
}

std::int64_t most_pieces_of(const MitochondrionSpine& spine) {
  return 32 + 7 * std::ssize(spine.points);
}

}  // namespace synthoscope::simulator
