// SPDX-License-Identifier: MIT
#include "simulator/timelapse/colony.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include "core/base/error.hpp"
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/geometry/sphere.hpp"
#include "simulator/phantom/nuclei/placement.hpp"
#include "simulator/phantom/nuclei/relaxation.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns `m` without its rounding errors, which would grow over many turns.
Matrix3 orthonormal(const Matrix3& m) {
  const Vector3 first = unit_vector(m[0]);
  const Vector3 second = unit_vector(m[1] - dot(m[1], first) * first);
  const Vector3 third = m[2] - dot(m[2], first) * first;
  return {first, second, unit_vector(third - dot(third, second) * second)};
}

/// A nucleus is gone this many radii beyond a face; walls are where no remaining nucleus can be.
constexpr double kGoneRadii = 2, kWallRadii = 3;

CentreRegion open_region(const Nucleus& nucleus, const Vector3& size) {
  const double wall = kWallRadii * nucleus.bounding_radius_um();
  const Vector3 margin{wall, wall, wall};
  return {-1 * margin, size + margin};
}

/// Reflects a position at the faces of a region until it lies inside.
void reflect(const CentreRegion& region, Vector3& centre, Vector3& velocity) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double low = region.low[axis], high = region.high[axis], c = centre[axis];
    if (c >= low && c <= high) continue;
    const double length = high - low;
    if (!(length > 0)) {
      centre[axis] = low;
      continue;
    }
    // There and back is one period
    const double way = c - low, along = way - 2 * length * std::floor(way / (2 * length));
    const bool is_back = along > length;
    centre[axis] = std::clamp(low + (is_back ? 2 * length - along : along), low, high);
    if (is_back) velocity[axis] = -velocity[axis];
  }
}

/// Returns the part of a region for bodies that stay in their plane.
CentreRegion plane_of(CentreRegion region, double z_um) {
  region.low[0] = region.high[0] = z_um;
  return region;
}

}  // namespace

Colony::Colony(const MovingKind& kind, const TimeSpec& time, const Grid& grid,
               const std::vector<Life>& lineage, std::uint64_t seed, const RunContext& context,
               std::span<const Nucleus> others, double others_gap_um)
    : kind_{kind},
      time_{time},
      size_{size_um(grid)},
      lineage_{lineage},
      seed_{seed},
      context_{context},
      wandering_{time, kind.stays_in_plane(time), {seed, kind.motion}} {
  while (next_ < lineage.size() && lineage[next_].begin == 0) ++next_;
  std::vector<std::optional<Member>> drawn(next_);
  context.pool.for_each(static_cast<std::int64_t>(next_), [&](std::int64_t number) {
    context.stop.check();
    drawn[static_cast<std::size_t>(number)] = born(number, 0);
  });
  members_.reserve(next_);
  for (auto& member : drawn) {
    begin_growth(*member, member->drawn.volume_um3() / kMeanCycleVolume, 0);
    members_.push_back(std::move(*member));
  }
  pose_all();
  place(now_, kind.surfaces, grid, kind.stream(seed), context.stop,
        {kind.table, others, others_gap_um});
  for (std::size_t i = 0; i < members_.size(); ++i) members_[i].pose.centre = now_[i].centre();
  warn_of_long_steps();
}

void Colony::warn_of_long_steps() const {
  const BorderRule border = kind_.surfaces.border;
  if (border == BorderRule::cut || now_.empty()) return;
  const double step_um = wandering_.step_um();
  const CentreRegion region = centre_region_of(now_.front(), border, size_, kind_.table);
  for (std::size_t axis = stays_in_plane() ? 1 : 0; axis < 3; ++axis) {
    const double region_um = region.high[axis] - region.low[axis];
    if (step_um <= region_um) continue;
    context_.log.warn(
        fmt::format("make the movie: in an interval of {} s, {} move {:.3g} um along {} (root mean "
                    "square), but the grid has only {:.3g} um of space for them, so they cannot be "
                    "followed from frame to frame; use a shorter time.interval_seconds",
                    *time_.interval_seconds, kind_.table, step_um, "zyx"[axis], region_um));
    return;
  }
}

void Colony::advance(std::int64_t frame) {
  for (Member& member : members_) {
    grow(member, frame);
    part_from_sister(member, frame);
    wander(member, frame);
  }
  divide(frame);
  pose_all();
  if (kind_.surfaces.border == BorderRule::cut)
    let_go();
  else
    turn_back();
}

void Colony::wander(Member& member, std::int64_t frame) const {
  member.pose.centre = member.pose.centre + wandering_.step(member.number, frame, member.velocity);
  if (wandering_.turns())
    member.pose.turn =
        orthonormal(member.pose.turn * transposed(wandering_.turn(member.number, frame)));
}

void Colony::pose_all() {
  std::vector<std::optional<Nucleus>> posed(members_.size());
  context_.pool.for_each(static_cast<std::int64_t>(members_.size()), [&](std::int64_t i) {
    const Member& member = members_[static_cast<std::size_t>(i)];
    posed[static_cast<std::size_t>(i)] = member.drawn.posed(member.pose);
  });
  now_.clear();
  now_.reserve(posed.size());
  for (auto& nucleus : posed) now_.push_back(std::move(*nucleus));
}

void Colony::turn_back() {
  for (std::size_t i = 0; i < now_.size(); ++i) {
    reflect(centre_region_of(now_[i], kind_.surfaces.border, size_, kind_.table),
            members_[i].pose.centre, members_[i].velocity);
    now_[i].move_to(members_[i].pose.centre);
  }
}

std::vector<Pushed> Colony::pushed(Leeway leeway) {
  const NucleiSpec& spec = kind_.surfaces;
  std::vector<Pushed> all;
  for (Nucleus& body : now_) {
    const CentreRegion region = spec.border == BorderRule::cut
                                    ? open_region(body, size_)
                                    : centre_region_of(body, spec.border, size_, kind_.table);
    const bool keeps_plane = leeway == Leeway::planes && stays_in_plane();
    all.push_back({&body, keeps_plane ? plane_of(region, body.centre()[0]) : region, spec.gap_um});
  }
  return all;
}

void Colony::accept_positions() {
  for (std::size_t i = 0; i < now_.size(); ++i) members_[i].pose.centre = now_[i].centre();
  if (kind_.surfaces.border == BorderRule::cut) let_go();
}

void Colony::let_go() {
  const auto is_gone = [&](const Nucleus& nucleus) {
    const double far = kGoneRadii * nucleus.bounding_radius_um();
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (nucleus.centre()[axis] < -far || nucleus.centre()[axis] > size_[axis] + far) return true;
    return false;
  };
  std::size_t kept = 0;
  for (std::size_t i = 0; i < now_.size(); ++i) {
    if (is_gone(now_[i])) continue;
    if (kept != i) {
      members_[kept] = std::move(members_[i]);
      now_[kept] = std::move(now_[i]);
    }
    ++kept;
  }
  members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(kept), members_.end());
  now_.erase(now_.begin() + static_cast<std::ptrdiff_t>(kept), now_.end());
}

std::vector<PosedBody> Colony::posed() const {
  std::vector<PosedBody> all;
  for (const Member& member : members_)
    all.push_back({member.number, member.pose, member.birth_scale, member.mitosis});
  return all;
}

void step(std::span<Colony> colonies, std::int64_t frame, const StopFlag& stop) {
  try {
    for (Colony& colony : colonies) colony.advance(frame);
  } catch (const InvalidSpec& problem) {  // a body has outgrown the grid
    throw InvalidSpec(fmt::format("make the movie: in frame {}: {}", frame, problem.what()));
  }
  const auto all_pushed = [&](Colony::Leeway leeway) {
    std::vector<Pushed> all;
    for (Colony& colony : colonies)
      for (const Pushed& pushed : colony.pushed(leeway)) all.push_back(pushed);
    return push_apart(all, stop);
  };
  // Bodies leave their planes only if these are full
  const bool some_in_plane =
      std::any_of(colonies.begin(), colonies.end(),
                  [](const Colony& colony) { return colony.stays_in_plane(); });
  const bool are_apart_now =
      (some_in_plane && all_pushed(Colony::Leeway::planes)) || all_pushed(Colony::Leeway::regions);
  if (!are_apart_now) {
    std::string who, way_out;
    for (const Colony& colony : colonies) {
      if (colony.surfaces().empty()) continue;
      const std::string_view table = colony.kind().table, joint = who.empty() ? "" : " and ";
      who += fmt::format("{}{} {}", joint, colony.surfaces().size(), table);
      way_out += fmt::format("{}{}.border = \"cut\"", joint, table);
    }
    throw InvalidSpec(
        fmt::format("make the movie: in frame {} its {} no longer fit; use fewer frames, fewer or "
                    "smaller ones, a larger grid, or {}, which lets them leave",
                    frame, who, way_out));
  }
  for (Colony& colony : colonies) colony.accept_positions();
}

}  // namespace synthoscope::simulator
