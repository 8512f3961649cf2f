// SPDX-License-Identifier: MIT
#include "simulator/phantom/adherent/adherent_cell.hpp"
#include <algorithm>
#include <cmath>
#include <utility>
#include "simulator/phantom/adherent/adherent_organelles.hpp"
#include "simulator/phantom/adherent/heights.hpp"

namespace synthoscope::simulator {
namespace {

double positive_area_um2(const PlaneField& field) {
  const auto inside = std::count_if(field.values.begin(), field.values.end(),
                                    [](float value) { return value > 0; });
  return static_cast<double>(inside) * kLatticeUm * kLatticeUm;
}

/// Bounds of a height between nodes: its largest value, and its slope.
void bound(HeightMap& map) {
  double steepest = 0;
  for (int row = 0; row < map.rows; ++row)
    for (int column = 0; column < map.columns; ++column) {
      const double here = map.node(row, column);
      map.peak = std::max(map.peak, here);
      const double down = row + 1 < map.rows ? map.node(row + 1, column) - here : 0;
      const double right = column + 1 < map.columns ? map.node(row, column + 1) - here : 0;
      steepest = std::max({steepest, std::abs(down), std::abs(right)});
    }
  // A bilinear patch is nowhere steeper along an axis than its edges
  map.steepest = std::sqrt(2.0) * steepest / map.step_um;
}

}  // namespace

AdherentCell::AdherentCell(const AdherentSpec& spec, const NucleiSpec& nuclei,
                           const CellGround& ground, double area_um2, double least_um,
                           std::uint64_t seed, std::int64_t number)
    : glass_um_{spec.glass_um},
      // A little more than an edge, so that rounding leaves no column without a label
      least_um_{least_um * (1 + 1e-9)},
      anchor_{spec.glass_um, ground.middle[0], ground.middle[1]} {
  CellBodyForm form = body_of(spec, nuclei, ground, seed, number);
  nucleus_ = std::move(form.nucleus);
  near_um_ = (nucleus_ ? nucleus_->bounding_radius_um() : 0) + 4;
  const auto words = adherent_draws(seed, number, AdherentPart::place).block(1);
  cytoplasm_seed_ = (std::uint64_t{words[0]} << 32) | words[1];
  area_um2_ = positive_area_um2(ground.distances);

  AdherentInterior interior{form.heights.view(), ground.distances.view(),
                            &ground.outline,     nucleus_ ? &*nucleus_ : nullptr,
                            ground.middle,       spec.glass_um};
  interior.scale = std::min<double>(kMostScale, area_um2_ / area_um2);
  vacuoles_ = draw_vacuoles(spec, interior, seed, number);
  add_actin(spec, interior, seed, number, strands_);
  add_mitochondria(spec, interior, seed, number, strands_);
  add_granules(spec, interior, seed, number, strands_);
  add_retraction_fibres(spec, interior, seed, number, strands_);

  map_ = form.heights.view();
  bound(map_);
  heights_ = std::make_shared<const std::vector<float>>(std::move(form.heights.values));
  map_.values = heights_->data();
  measure();
}

void AdherentCell::move_by(const Vector3& way) {
  const auto move = [&](Bounds& box) { box = {box.low + way, box.high + way}; };
  glass_um_ += way[0];
  map_.y_um += way[1];
  map_.x_um += way[2];
  anchor_ = anchor_ + way;
  if (nucleus_) nucleus_->move_to(nucleus_->centre() + way);
  for (Vacuole& vacuole : vacuoles_) vacuole.middle = vacuole.middle + way;
  for (StainedStrand& stained : strands_)
    stained.strand.place_points([&](const Vector3& p) { return p + way; });
  move(core_bounds_);
  move(bounds_);
  centroid_ = centroid_ + way;
}

AdherentShape AdherentCell::shape() const {
  return {map_,
          glass_um_,
          least_um_,
          anchor_,
          near_um_,
          vacuoles_.data(),
          static_cast<int>(vacuoles_.size())};
}

Structure AdherentCell::core_structure(const Vector3& point) const {
  const AdherentShape its = shape();
  if (!its.contains(point)) return Structure::none;
  if (nucleus_ && nucleus_->contains(point))
    return nucleus_->shape().nucleolus_distance(point) <= 1 ? Structure::nucleolus
                                                            : Structure::nucleus;
  return its.vacuole_distance(point) <= 1 ? Structure::vacuole : Structure::cytoplasm;
}

void AdherentCell::measure() {
  constexpr int kParts = 4;
  const double part = kLatticeUm / kParts;
  Vector3 moment{};
  Point2 low{1e300, 1e300}, high{-1e300, -1e300};
  volume_um3_ = 0;
  for (int row = 0; row + 1 < map_.rows; ++row)
    for (int column = 0; column + 1 < map_.columns; ++column) {
      if (std::max({map_.node(row, column), map_.node(row, column + 1), map_.node(row + 1, column),
                    map_.node(row + 1, column + 1)}) <= 0)
        continue;
      const double y0 = map_.y_um + row * kLatticeUm, x0 = map_.x_um + column * kLatticeUm;
      low = {std::min(low[0], y0), std::min(low[1], x0)};
      high = {std::max(high[0], y0 + kLatticeUm), std::max(high[1], x0 + kLatticeUm)};
      for (int i = 0; i < kParts; ++i)
        for (int j = 0; j < kParts; ++j) {
          const double y = y0 + (i + 0.5) * part, x = x0 + (j + 0.5) * part;
          const double height = std::max(0.0, map_.at(y, x));
          const double um3 = height * part * part;
          volume_um3_ += um3;
          moment = moment + um3 * Vector3{glass_um_ + height / 2, y, x};
        }
    }
  const double top = glass_um_ + std::max(map_.peak, least_um_);
  if (volume_um3_ > 0) {
    centroid_ = (1 / volume_um3_) * moment;
    core_bounds_ = {{glass_um_, low[0], low[1]}, {top, high[0], high[1]}};
  } else {
    centroid_ = anchor_;
    core_bounds_ = {anchor_, anchor_};
  }
  bounds_ = core_bounds_;
  for (const StainedStrand& stained : strands_) bounds_ = hull(bounds_, stained.strand.bounds());
}

}  // namespace synthoscope::simulator
