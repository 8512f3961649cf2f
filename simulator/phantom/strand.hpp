// SPDX-License-Identifier: MIT
// simulator/phantom/strand.hpp — tubes that hang together: filaments, networks, neurites.
#pragma once
#include <cstdint>
#include <span>
#include <vector>
#include "simulator/phantom/body.hpp"
#include "simulator/phantom/strand_piece.hpp"

namespace synthoscope::simulator {

/// A straight piece of a tube between two points, micrometres: its radius goes evenly from that of
/// one end to that of the other, and both ends are round. Equal points make a ball.
struct Segment {
  Vector3 from{}, to{};
  double from_radius_um = 0, to_radius_um = 0;  ///< > 0
  std::int32_t before = -1;  ///< the segment whose `to` it goes on from; none for -1

  [[nodiscard]] Bounds bounds() const;
  [[nodiscard]] double length_um() const;
};

/// The union of its segments, which stand after those that they go on from: a chain, a tree or
/// several of them. Immutable but for what is added; reads are thread-safe.
class Strand {
 public:
  /// Appends a segment. @returns its number, for those that go on from it.
  std::int32_t add(const Segment& segment);

  /// Appends a chain through two `points` or more, each with its radius, that goes on from segment
  /// `before`. @returns the number of its last segment.
  std::int32_t add_chain(std::span<const Vector3> points, std::span<const double> radii_um,
                         std::int32_t before = -1);

  /// Gives each point of its axes another place. Radii stay.
  template <class Place>
  void place_points(Place&& place) {
    for (Segment& segment : segments_) {
      segment.from = place(segment.from);
      segment.to = place(segment.to);
    }
  }

  /// The same without segments that `stops(segment)`, and without what goes on from those.
  template <class Stops>
  [[nodiscard]] Strand cut_where(Stops&& stops) const {
    Strand kept;
    std::vector<std::int32_t> number(segments_.size(), -1);
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      Segment segment = segments_[i];
      if (segment.before >= 0) segment.before = number[static_cast<std::size_t>(segment.before)];
      const bool is_reached = segment.before >= 0 || segments_[i].before < 0;
      if (is_reached && !stops(segment)) number[i] = kept.add(segment);
    }
    return kept;
  }

  [[nodiscard]] const std::vector<Segment>& segments() const { return segments_; }
  [[nodiscard]] bool empty() const { return segments_.empty(); }

  [[nodiscard]] Bounds bounds() const;
  [[nodiscard]] bool contains(const Vector3& point) const;

  /// Of the union, within 2e-3. Straight and gently bent stretches of tubes are cones, with half
  /// balls at their free ends: what a bend takes on its inner side it gives back on its outer one.
  /// Where anything else meets, branches, balls, crossings, corners, each of what meets counts by
  /// points that lie evenly in it, which several may hold and then share.
  struct Moments {
    double volume_um3 = 0;
    Vector3 centroid_um{};
  };
  [[nodiscard]] Moments moments() const;

  /// The segments as voxels of a pitch see them, in their order, each marked with `strand`.
  void add_pieces_to(std::vector<StrandPiece>& pieces, const Vector3& pitch,
                     std::int32_t strand) const;

 private:
  [[nodiscard]] std::vector<bool> with_successors() const;
  std::vector<Segment> segments_;
};

/// A segment as it is, for points.
StrandPiece piece_of(const Segment& segment);

}  // namespace synthoscope::simulator
