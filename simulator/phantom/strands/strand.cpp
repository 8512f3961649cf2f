// SPDX-License-Identifier: MIT
#include "simulator/phantom/strands/strand.hpp"
#include <algorithm>
#include <cmath>
#include "core/base/assert.hpp"

namespace synthoscope::simulator {
namespace {

/// Tubes thinner than this part of the smallest edge of a voxel are reduced to their axis: their
/// width adds less than a twentieth to the edge's variance.
constexpr double kThinnest = 0.25;

/// Length of tube, relative to its radius, that has the volume of a half ball at its end.
constexpr double kCap = 2.0 / 3;

}  // namespace

Bounds Segment::bounds() const {
  const double widest = std::max(from_radius_um, to_radius_um);
  const Vector3 reach{widest, widest, widest};
  return hull(bounds_around(from, reach), bounds_around(to, reach));
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
  for (const Segment& segment : segments_) all = hull(all, segment.bounds());
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
                           std::int32_t strand, double lines_below) const {
  const std::vector<bool> goes_on = with_successors();
  const std::size_t first = pieces.size();
  const bool adds_up = lines_below > 0;
  const double thinnest =
      (adds_up ? lines_below : kThinnest) * std::min({pitch[0], pitch[1], pitch[2]});
  for (const Segment& segment : segments_) {
    StrandPiece piece = piece_of(segment);
    piece.strand = strand;
    piece.is_thin = piece.widest() < thinnest;
    piece.adds_up = adds_up && piece.is_thin;
    pieces.push_back(piece);
  }

  // A line includes the half ball of its free end and excludes the half ball of a thick neighbour
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
    const auto before = first + static_cast<std::size_t>(joined ? segment.before : 0);
    const bool to_thin = joined && pieces[before].is_thin;
    // A branch that leaves a ball begins at the ball's surface
    const bool to_ball = joined && pieces[before].is_ball() && segment.from != pieces[before].from;
    piece.line_begin = to_ball ? 0 : -cap_of(joined, to_thin, segment.from_radius_um, length);
    piece.line_end = 1 + cap_of(goes_on[i], !thick_after[i], segment.to_radius_um, length);
    if (piece.line_end < piece.line_begin) piece.line_end = piece.line_begin;
  }
}

}  // namespace synthoscope::simulator
