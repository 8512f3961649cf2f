// SPDX-License-Identifier: MIT
#include "simulator/phantom/strand.hpp"
#include <algorithm>
#include <cmath>
#include "core/assert.hpp"
#include "simulator/phantom/draws.hpp"

namespace synthoscope::simulator {
namespace {

/// Tubes thinner than this part of the smallest edge of a voxel lie on their axis: their width adds
/// less than a twentieth to the variance of that edge.
constexpr double kThinnest = 0.25;

/// A half ball at the end of a tube is as large as this part of its radius in length.
constexpr double kCap = 2.0 / 3;

double cone_um3(const Segment& s) {
  const double a = s.from_radius_um, b = s.to_radius_um;
  return kPi / 3 * s.length_um() * (a * a + a * b + b * b);
}

/// Where the centroid of a cone lies between its ends.
double middle_of_cone(const Segment& s) {
  const double a = s.from_radius_um, b = s.to_radius_um;
  return (a * a + 2 * a * b + 3 * b * b) / (4 * (a * a + a * b + b * b));
}

double half_ball_um3(double radius) {
  return 2 * kPi / 3 * radius * radius * radius;
}

/// Adds up volumes and where they lie.
struct Sum {
  double volume = 0;
  Vector3 moment{};
  void add(double um3, const Vector3& at) {
    volume += um3;
    moment = moment + um3 * at;
  }
};

/// Calls `visit(point, um3)` for points of a cone that stand for equal parts of its cross-sections.
template <class Visit>
void for_points_of_cone(const Segment& s, Visit&& visit) {
  constexpr int kSteps = 32, kAcross = 16, kInDisc = 208;  // of 16 x 16 midpoints
  const double length = s.length_um();
  if (length == 0) return;
  const Vector3 axis = (1 / length) * (s.to - s.from);
  const Vector3 u = across(axis), v = cross(axis, u);
  for (int step = 0; step < kSteps; ++step) {
    const double t = (step + 0.5) / kSteps;
    const double radius = s.from_radius_um + t * (s.to_radius_um - s.from_radius_um);
    const double um3 = kPi * radius * radius * length / (kSteps * kInDisc);
    for (int i = 0; i < kAcross; ++i)
      for (int j = 0; j < kAcross; ++j) {
        const double a = 2 * middle_of_part(i, kAcross), b = 2 * middle_of_part(j, kAcross);
        if (a * a + b * b <= 1)
          visit(s.from + t * (s.to - s.from) + (radius * a) * u + (radius * b) * v, um3);
      }
  }
}

}  // namespace

Bounds Segment::bounds() const {
  const double widest = std::max(from_radius_um, to_radius_um);
  Bounds b{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    b.low[axis] = std::min(from[axis] - widest, to[axis] - widest);
    b.high[axis] = std::max(from[axis] + widest, to[axis] + widest);
  }
  return b;
}

double Segment::length_um() const {
  const Vector3 along = to - from;
  return std::sqrt(dot(along, along));
}

StrandPiece piece_of(const Segment& s) {
  StrandPiece piece;
  piece.from = s.from;
  piece.radius = s.from_radius_um;
  const Vector3 along = s.to - s.from;
  const double square = dot(along, along);
  if (square > 0) {
    piece.along = along;
    piece.per_square = 1 / square;
    piece.widening = s.to_radius_um - s.from_radius_um;
    piece.flank = std::sqrt(square / (square + piece.widening * piece.widening));
  } else {
    piece.radius = std::max(s.from_radius_um, s.to_radius_um);
  }
  return piece;
}

std::int32_t Strand::add(const Segment& segment) {
  const auto number = static_cast<std::int32_t>(segments_.size());
  SYNTHOSCOPE_ASSERT(segment.before, <, number);
  segments_.push_back(segment);
  return number;
}

std::int32_t Strand::add_chain(std::span<const Vector3> points, std::span<const double> radii_um,
                               std::int32_t before) {
  SYNTHOSCOPE_ASSERT(points.size(), ==, radii_um.size());
  for (std::size_t i = 1; i < points.size(); ++i)
    before = add({points[i - 1], points[i], radii_um[i - 1], radii_um[i], before});
  return before;
}

Bounds Strand::bounds() const {
  if (segments_.empty()) return {};
  Bounds all = segments_.front().bounds();
  for (const Segment& segment : segments_) {
    const Bounds b = segment.bounds();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      all.low[axis] = std::min(all.low[axis], b.low[axis]);
      all.high[axis] = std::max(all.high[axis], b.high[axis]);
    }
  }
  return all;
}

bool Strand::contains(const Vector3& point) const {
  return std::any_of(segments_.begin(), segments_.end(), [&](const Segment& segment) {
    return simulator::contains(piece_of(segment), point);
  });
}

std::vector<bool> Strand::with_successors() const {
  std::vector<bool> goes_on(segments_.size());
  for (const Segment& segment : segments_)
    if (segment.before >= 0) goes_on[static_cast<std::size_t>(segment.before)] = true;
  return goes_on;
}

void Strand::add_pieces_to(std::vector<StrandPiece>& pieces, const Vector3& pitch,
                           std::int32_t strand) const {
  const std::vector<bool> goes_on = with_successors();
  const std::size_t first = pieces.size();
  const double thinnest = kThinnest * std::min({pitch[0], pitch[1], pitch[2]});
  for (const Segment& segment : segments_) {
    StrandPiece piece = piece_of(segment);
    piece.strand = strand;
    piece.is_thin = piece.widest() < thinnest;
    pieces.push_back(piece);
  }

  // A line holds the half ball of its free end, and leaves out that of a thick neighbour
  const auto cap_of = [&](bool is_joined, bool to_thin, double radius, double length) {
    return (is_joined ? (to_thin ? 0.0 : -kCap) : kCap) * radius / length;
  };
  std::vector<bool> thick_after(segments_.size());
  for (std::size_t i = 0; i < segments_.size(); ++i)
    if (segments_[i].before >= 0 && !pieces[first + i].is_thin)
      thick_after[static_cast<std::size_t>(segments_[i].before)] = true;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    StrandPiece& piece = pieces[first + i];
    if (!piece.is_thin || piece.is_ball()) continue;
    const Segment& segment = segments_[i];
    const double length = segment.length_um();
    const bool joined = segment.before >= 0;
    const bool to_thin = joined && pieces[first + static_cast<std::size_t>(segment.before)].is_thin;
    piece.line_begin = -cap_of(joined, to_thin, segment.from_radius_um, length);
    piece.line_end = 1 + cap_of(goes_on[i], !thick_after[i], segment.to_radius_um, length);
    if (piece.line_end < piece.line_begin) piece.line_end = piece.line_begin;
  }
}

/// What the beginnings of branches share with the stem that they leave.
Strand::Moments Strand::shared_by_branches() const {
  Sum shared;
  for (std::int32_t i = 0; i < std::ssize(segments_); ++i) {
    const std::vector<StrandPiece> stem = stem_of_branch(i);
    if (stem.empty()) continue;
    // Follow the branch out of the stem
    double gone = 0;
    for (std::int32_t at = i; at >= 0 && gone < 2 * stem.front().widest(); at = next_after(at)) {
      const Segment& segment = segments_[static_cast<std::size_t>(at)];
      for_points_of_cone(segment, [&](const Vector3& p, double um3) {
        if (std::any_of(stem.begin(), stem.end(),
                        [&](const StrandPiece& piece) { return simulator::contains(piece, p); }))
          shared.add(um3, p);
      });
      gone += segment.length_um();
    }
  }
  return {shared.volume, shared.moment};
}

/// The pieces around the place where segment `i` leaves them, if it is not the first to go on from
/// there; none otherwise.
std::vector<StrandPiece> Strand::stem_of_branch(std::int32_t i) const {
  const auto segment = [&](std::int32_t n) { return segments_[static_cast<std::size_t>(n)]; };
  const std::int32_t before = segment(i).before;
  if (before < 0) return {};
  const std::int32_t first = next_after(before);
  const bool leaves_ball = segment(before).length_um() == 0;
  if (first == i && !leaves_ball) return {};
  std::vector<StrandPiece> stem{piece_of(segment(before))};
  if (segment(before).before >= 0) stem.push_back(piece_of(segment(segment(before).before)));
  if (!leaves_ball) stem.push_back(piece_of(segment(first)));
  return stem;
}

std::int32_t Strand::next_after(std::int32_t number) const {
  for (std::int32_t i = number + 1; i < std::ssize(segments_); ++i)
    if (segments_[static_cast<std::size_t>(i)].before == number) return i;
  return -1;
}

Strand::Moments Strand::moments() const {
  const std::vector<bool> goes_on = with_successors();
  Sum all;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const Segment& s = segments_[i];
    if (s.length_um() == 0) {
      all.add(2 * half_ball_um3(std::max(s.from_radius_um, s.to_radius_um)), s.from);
      continue;
    }
    all.add(cone_um3(s), s.from + middle_of_cone(s) * (s.to - s.from));
    // The centroid of a half ball lies 3/8 of its radius beyond its face
    const Vector3 along = (1 / s.length_um()) * (s.to - s.from);
    if (s.before < 0)
      all.add(half_ball_um3(s.from_radius_um), s.from - (3 * s.from_radius_um / 8) * along);
    if (!goes_on[i])
      all.add(half_ball_um3(s.to_radius_um), s.to + (3 * s.to_radius_um / 8) * along);
  }
  const Moments shared = shared_by_branches();
  if (all.volume == 0) return {};
  const double volume = all.volume - shared.volume_um3;
  return {volume, (1 / volume) * (all.moment - shared.centroid_um)};
}

}  // namespace synthoscope::simulator
