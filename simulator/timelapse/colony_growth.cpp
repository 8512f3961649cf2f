// SPDX-License-Identifier: MIT
// simulator/timelapse/colony_growth.cpp — how the bodies of a colony grow, go through mitosis and
// divide.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/nuclei/dividing.hpp"
#include "simulator/timelapse/colony.hpp"

namespace synthoscope::simulator {

Colony::Member Colony::born(std::int64_t number, std::int64_t frame) const {
  Nucleus drawn = kind_.draw(seed_, number);
  const Pose pose{{}, drawn.own_axes(), 1, 1};
  return {number, std::move(drawn), pose, wandering_.first_velocity(number, frame)};
}

void Colony::begin_growth(Member& member, double birth_um3, std::int64_t frame) const {
  if (!time_.division) return;
  member.birth_um3 = birth_um3;
  member.birth_scale = cube_root(birth_um3 / member.drawn.volume_um3());
  grow(member, frame);
}

void Colony::grow(Member& member, std::int64_t frame) const {
  if (!time_.division) return;
  if (kind_.shows_mitosis(time_)) return condense(member, frame);
  const Life& life = lineage_[static_cast<std::size_t>(member.number)];
  const CycleForm form = form_at(progress_of(life, time_.seconds(frame)));
  member.pose.scale = cube_root(member.birth_um3 * form.volume / member.drawn.volume_um3());
  member.pose.stretch = form.stretch;
}

void Colony::condense(Member& member, std::int64_t frame) const {
  const Life& life = lineage_[static_cast<std::size_t>(member.number)];
  const double progress = progress_of(life, time_.seconds(frame));
  member.mitosis = mitosis_at(progress, life.mother >= 0);
  const bool is_daughter = member.mitosis.phase >= MitoticPhase::anaphase;
  const Pose its =
      pose_in({.mitosis = member.mitosis,
               .interphase_um3 = member.birth_um3 * form_at(progress).volume,
               .turn = member.pose.turn,
               .axis = is_daughter ? kAxisOfSisters : division_axis(member.pose.turn).axis,
               .most_z_um = tallest_um(kind_.surfaces, size_[0])},
              member.drawn);
  member.pose.scale = its.scale;
  member.pose.reshaping = its.reshaping;
}

void Colony::part_from_sister(Member& member, std::int64_t frame) const {
  const Life& life = lineage_[static_cast<std::size_t>(member.number)];
  if (life.mother < 0 || member.mitosis.phase < MitoticPhase::anaphase) return;
  const auto apart_at = [&](std::int64_t f) {
    return form_of(mitosis_at(progress_of(life, time_.seconds(f)), true)).apart;
  };
  const double further = apart_at(frame) - apart_at(frame - 1);
  member.pose.centre = member.pose.centre + further * member.parting_um;
}

Colony::DivisionAxis Colony::division_axis(const Matrix3& turn) const {
  const Vector3& x = turn[2];
  if (!stays_in_plane() || x[0] == 0) return {2, x};
  const Vector3& y = turn[1];
  const Vector3 of_x{0, x[1], x[2]}, of_y{0, y[1], y[2]};  // one of them is not short
  if (dot(of_x, of_x) >= dot(of_y, of_y)) return {2, unit_vector(of_x)};
  return {1, unit_vector(of_y)};
}

void Colony::divide(std::int64_t frame) {
  std::vector<std::int64_t> divided;
  for (; next_ < lineage_.size() && lineage_[next_].begin == frame; next_ += 2) {
    const std::int64_t mother = lineage_[next_].mother;
    const auto found = std::lower_bound(
        members_.begin(), members_.end(), mother,
        [](const Member& member, std::int64_t number) { return member.number < number; });
    if (found == members_.end() || found->number != mother) continue;  // the mother has left
    divided.push_back(mother);
    auto daughters = daughters_of(*found, next_, frame);
    members_.insert(members_.end(), std::make_move_iterator(daughters.begin()),
                    std::make_move_iterator(daughters.end()));
  }
  std::erase_if(members_, [&](const Member& member) {
    return std::binary_search(divided.begin(), divided.end(), member.number);
  });
}

std::vector<Colony::Member> Colony::sister_plates_of(const Member& mother, std::size_t first,
                                                     std::int64_t frame) const {
  const Matrix3& turn = mother.pose.turn;
  const auto [axis, along] = division_axis(turn);
  const double mother_um = ball_radius_um(2 * mother.birth_um3);
  std::vector<Member> sisters;
  for (const double side : {-1.0, 1.0}) {
    sisters.push_back(born(static_cast<std::int64_t>(first + sisters.size()), frame));
    Member& sister = sisters.back();
    sister.pose.turn = turn_of_sisters(turn, axis);
    begin_growth(sister, mother.birth_um3, frame);
    const double half_um = growth_of(sister.pose)[kAxisOfSisters] *
                           sister.drawn.lobes().front().form().semi_axes_um[kAxisOfSisters];
    const double least_um = half_um + std::max(0.0, kind_.surfaces.gap_um) / 2;
    sister.parting_um = (side * mother_um) * along;
    const double away_um = std::max(least_um, form_of(sister.mitosis).apart * mother_um);
    sister.pose.centre = mother.pose.centre + (side * away_um) * along;
  }
  return sisters;
}

std::vector<Colony::Member> Colony::daughters_of(const Member& mother, std::size_t first,
                                                 std::int64_t frame) const {
  if (kind_.shows_mitosis(time_)) return sister_plates_of(mother, first, frame);
  const Matrix3& turn = mother.pose.turn;
  const Vector3 along = division_axis(turn).direction;
  const double mother_scale = cube_root(2 * mother.birth_um3 / mother.drawn.volume_um3());
  const double end_um =
      kLongestStretch * mother_scale * mother.drawn.lobes().front().form().semi_axes_um[2];
  std::vector<Member> daughters;
  for (const double side : {-1.0, 1.0}) {
    daughters.push_back(born(static_cast<std::int64_t>(first + daughters.size()), frame));
    Member& daughter = daughters.back();
    begin_growth(daughter, mother.birth_um3, frame);
    daughter.pose.turn = {turn[0], turn[2], -1 * turn[1]};
    // The daughter's far end is where the mother's was, if that leaves a gap between the two
    const double half_um =
        daughter.pose.scale * daughter.drawn.lobes().front().form().semi_axes_um[1];
    const double apart_um = half_um + std::max(0.0, kind_.surfaces.gap_um) / 2;
    daughter.pose.centre =
        mother.pose.centre + (side * std::max(apart_um, end_um - half_um)) * along;
  }
  return daughters;
}

}  // namespace synthoscope::simulator
