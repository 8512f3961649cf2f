// SPDX-License-Identifier: MIT
#include "simulator/phantom/nuclei/dividing.hpp"
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include "core/base/assert.hpp"
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/geometry/sphere.hpp"
#include "simulator/phantom/nuclei/nucleus_voxels.hpp"

namespace synthoscope::simulator {
namespace {

constexpr int kMitosisDraw = 210;

/// The part of a grid's depth that a flat nucleus may take when it becomes round.
constexpr double kMostOfDepth = 0.85;

/// Returns a nucleus at the origin in the pose and the state of `division`.
Nucleus divided(const Nucleus& drawn, const Division& division) {
  Nucleus nucleus = drawn.posed(pose_in(division, drawn));
  nucleus.set_mitosis(division.mitosis);
  return nucleus;
}

/// Numbers of directions from the middle of a lobe, and of points along each.
constexpr std::size_t kStainDirections = 512, kStainShells = 8;

}  // namespace

double amount_of_stain(const Nucleus& nucleus, const NucleiSpec& spec) {
  static const std::vector<Vector3> kDirections = spread_directions(kStainDirections);
  SYNTHOSCOPE_ASSERT(nucleus.lobes().size(), ==, std::size_t{1});
  const Lobe& lobe = nucleus.lobes().front();
  Stain stain{nucleus, spec};
  constexpr double kThirdTurn = 0.7548776662466927;
  double weights = 0, sum = 0;
  for (std::size_t i = 0; i < kDirections.size(); ++i) {
    const Vector3 end = lobe.surface_point(kDirections[i]) - lobe.offset_um();
    const Vector3 on_sphere = lobe.to_sphere(end + lobe.offset_um());
    const double square = dot(on_sphere, on_sphere), weight = square * std::sqrt(square);
    const double turn = kThirdTurn * static_cast<double>(i);
    for (std::size_t shell = 0; shell < kStainShells; ++shell) {
      // The volume within a point's distance is uniform
      const double share = (static_cast<double>(shell) + turn - std::floor(turn)) / kStainShells;
      sum += weight * stain(nucleus.centre() + lobe.offset_um() + cube_root(share) * end);
      weights += weight;
    }
  }
  return nucleus.volume_um3() * sum / weights;
}

double interphase_stain(const Nucleus& drawn, double volume_um3, const NucleiSpec& spec) {
  Pose pose{{}, drawn.own_axes()};
  pose.scale = cube_root(volume_um3 / drawn.volume_um3());
  return amount_of_stain(drawn.posed(pose), spec);
}

void keep_amount_of_stain(Nucleus& posed, const Nucleus& drawn, const NucleiSpec& spec,
                          double born_with) {
  const Mitosis mitosis = posed.mitosis();
  const ChromatinForm form = form_of(mitosis);
  if (form.condensed == 0) return;
  posed.set_mitosis(mitosis);
  const double inherited = 1 + form.condensed * (born_with - 1);
  const double kept = interphase_stain(drawn, posed.volume_um3() / form.volume, spec);
  posed.set_mitosis(mitosis, inherited * kept / amount_of_stain(posed, spec));
}

Pose pose_in(const Division& division, const Nucleus& drawn) {
  const ChromatinForm form = form_of(division.mitosis);
  Pose pose{{}, division.turn};
  pose.scale = cube_root(division.interphase_um3 * form.volume / drawn.volume_um3());
  pose.reshaping = reshaping_of(form, drawn.lobes().front().form().semi_axes_um, division.axis,
                                division.most_z_um / pose.scale);
  return pose;
}

double tallest_um(const NucleiSpec& spec, double depth_um) {
  if (spec.orientation != Orientation::flat) return std::numeric_limits<double>::infinity();
  double room_um = depth_um;
  if (spec.arrangement == Arrangement::monolayer)  // above the glass
    room_um =
        spec.glass_um ? depth_um - *spec.glass_um : depth_um / 2 + smallest_semi_axis_um(spec);
  return kMostOfDepth * room_um / 2;
}

Matrix3 turn_of_sisters(const Matrix3& mother, int axis) {
  SYNTHOSCOPE_ASSERT(axis == 1 || axis == 2, ==, true);
  return axis == 2 ? Matrix3{mother[0], mother[2], -1 * mother[1]} : mother;
}

std::vector<Sisters> let_some_divide(std::vector<Nucleus>& nuclei, const NucleiSpec& spec,
                                     double depth_um, std::uint64_t seed) {
  std::vector<Sisters> pairs;
  if (spec.mitotic_fraction == 0) return pairs;
  const RandomStream stream{seed, RandomStage::phantom};
  const double most_z_um = tallest_um(spec, depth_um);
  std::vector<Nucleus> bodies;
  bodies.reserve(nuclei.size());
  for (std::size_t number = 0; number < nuclei.size(); ++number) {
    const auto words = Draws{stream, number}.block(kMitosisDraw);
    const Nucleus& drawn = nuclei[number];
    if (!(uniform32(words[0]) < spec.mitotic_fraction)) {
      bodies.push_back(drawn);
      continue;
    }
    Mitosis mitosis = mitosis_at_part(uniform32(words[1]));
    const bool is_last = number + 1 == nuclei.size();
    if (mitosis.phase >= MitoticPhase::anaphase && is_last) mitosis = {MitoticPhase::metaphase, 1};
    const double mother_um3 = kDividingVolume * drawn.volume_um3();
    if (mitosis.phase < MitoticPhase::anaphase) {
      bodies.push_back(divided(drawn, {mitosis, mother_um3, drawn.own_axes(), 2, most_z_um}));
      continue;
    }
    const Matrix3 turn = turn_of_sisters(drawn.own_axes(), 2);
    const Division half{mitosis, mother_um3 / 2, turn, kAxisOfSisters, most_z_um};
    const double away_um = form_of(mitosis).apart * ball_radius_um(mother_um3);
    pairs.push_back({number, divided(drawn, half), divided(nuclei[number + 1], half),
                     away_um * drawn.own_axes()[2]});
    bodies.push_back(Nucleus::joined(pairs.back().one, pairs.back().other, pairs.back().way_um));
    ++number;
  }
  nuclei = std::move(bodies);
  return pairs;
}

void separate(std::vector<Nucleus>& nuclei, const std::vector<Sisters>& pairs) {
  std::vector<Nucleus> all;
  all.reserve(nuclei.size() + pairs.size());
  auto pair = pairs.begin();
  for (const Nucleus& body : nuclei) {
    if (pair == pairs.end() || all.size() != pair->first) {
      all.push_back(body);
      continue;
    }
    all.push_back(pair->one);
    all.back().move_to(body.centre() - pair->way_um);
    all.push_back(pair->other);
    all.back().move_to(body.centre() + pair->way_um);
    ++pair;
  }
  nuclei = std::move(all);
}

}  // namespace synthoscope::simulator
