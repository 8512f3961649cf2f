// SPDX-License-Identifier: MIT
// simulator/phantom/strands/strand.hpp — connected tubes: filaments, networks, neurites; and those
// that belong to an object and glow.
#pragma once
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>
#include "simulator/phantom/geometry/body.hpp"
#include "simulator/phantom/strands/strand_piece.hpp"
#include "simulator/phantom/strands/structure.hpp"

namespace synthoscope::simulator {

/// A straight piece of a tube between two points, micrometres. Its radius changes linearly from one
/// end to the other, and both ends are round. Equal points make a ball.
struct Segment {
  Vector3 from{}, to{};
  double from_radius_um = 0, to_radius_um = 0;  ///< > 0
  std::int32_t before = -1;  ///< the segment from whose `to` it continues; -1 for none

  [[nodiscard]] Bounds bounds() const;
  [[nodiscard]] double length_um() const;
};

/// A union of segments, each listed after the one that it continues from: a chain, a tree or
/// several of them. Concurrent reads are thread-safe.
class Strand {
 public:
  /// Appends a segment. @returns its number, for segments that continue from it.
  std::int32_t add(const Segment& segment);

  /// Appends a chain through two `points` or more, each with its radius, that continues from
  /// segment `before`. @returns the number of its last segment.
  std::int32_t add_chain(std::span<const Vector3> points, std::span<const double> radii_um,
                         std::int32_t before = -1);

  /// Moves each end point of the segments to `place(point)`. Radii stay.
  template <class Place>
  void place_points(Place&& place) {
    for (Segment& segment : segments_) {
      segment.from = place(segment.from);
      segment.to = place(segment.to);
    }
  }

  /// Returns the strand without segments for which `stops(segment)` is true and without all that
  /// continue from them.
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

  /// Volume of the union, with a relative error of at most 2e-3, and its centroid. Straight and
  /// gently bent stretches of tubes count as cones, with half balls at their free ends: a bend
  /// gains on its outer side what it loses on its inner one. Where branches, balls, crossings or
  /// corners meet, each part is measured by points spread evenly in it; a point in n parts counts 1
  /// / n in each.
  struct Moments {
    double volume_um3 = 0;
    Vector3 centroid_um{};
  };
  [[nodiscard]] Moments moments() const;

  /// Appends the segments, in their order, as pieces for voxels of a pitch, each marked with
  /// `strand`.
  /// @param lines_below  see StainedStrand
  void add_pieces_to(std::vector<StrandPiece>& pieces, const Vector3& pitch, std::int32_t strand,
                     double lines_below = 0) const;

 private:
  [[nodiscard]] std::vector<bool> with_successors() const;
  std::vector<Segment> segments_;
};

/// Returns a segment as a piece, for queries of points.
StrandPiece piece_of(const Segment& segment);

/// A strand of an object, stained evenly.
struct StainedStrand {
  Strand strand;
  double photons_per_um3 = 0;
  Structure structure = Structure::other;
  bool is_labelled = true;  ///< its points belong to the object, also outside the core
  /// Segments of a radius below this part of the smallest edge of a voxel are rendered as lines,
  /// and their light adds up where they meet: for very many fibres that are not resolved. 0: only
  /// those that are far thinner than a voxel, and no part of a voxel is filled twice.
  double lines_below = 0;
};

/// An object that consists of strands, wholly or in part. Its core is the rest, if there is any.
template <class T>
concept HasStrands = requires(const T& body) {
  { body.strands() } -> std::convertible_to<std::span<const StainedStrand>>;
};

/// An object that consists of strands only.
template <class T>
concept IsStrands = HasStrands<T> && T::kIsStrands;

/// Returns the box of an object's core.
template <class T>
Bounds core_bounds(const T& body) {
  if constexpr (requires { body.core_bounds(); })
    return body.core_bounds();
  else
    return body.bounds();
}

template <class T>
bool core_contains(const T& body, const Vector3& point) {
  if constexpr (requires { body.core_contains(point); })
    return body.core_contains(point);
  else
    return body.contains(point);
}

}  // namespace synthoscope::simulator
