// SPDX-License-Identifier: MIT
// simulator/phantom/strands/strand_piece.hpp — straight pieces of tubes, the part of a voxel that
// several cover, and what rendering needs of a strand; compiled for host and devices.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include "simulator/phantom/geometry/ball.hpp"
#include "simulator/phantom/geometry/body.hpp"
#include "simulator/phantom/geometry/cube_lists.hpp"
#include "simulator/phantom/geometry/half_space.hpp"
#include "simulator/phantom/strands/structure.hpp"

namespace synthoscope::simulator {

/// All points within r(t) of from + t along, 0 <= t <= 1, where r is linear: a cone with half balls
/// at its ends; a ball if `along` is 0. Plain data, made for the pitch of one grid.
struct StrandPiece {
  Vector3 from{}, along{};              ///< um
  double per_square = 0;                ///< 1 / |along|^2; 0 for a ball
  double radius = 0, widening = 0;      ///< at `from`, and its change to the other end, um
  double flank = 1;                     ///< |along| over the length of the cone's side
  double line_begin = 0, line_end = 1;  ///< range of a thin piece's axis, in parts of `along`
  std::int32_t strand = 0;
  bool is_thin = false;  ///< thinner than a voxel: its light lies on its axis
  bool adds_up = false;  ///< only thin: its light is added to the light of all other pieces

  [[nodiscard]] double radius_at(double t) const { return radius + t * widening; }
  [[nodiscard]] double widest() const { return std::max(radius, radius + widening); }
  [[nodiscard]] bool is_ball() const { return per_square == 0; }
};

/// Position of a point relative to the axis of a piece.
struct StrandPlace {
  double t = 0;
  Vector3 off{};  ///< from the nearest point of the axis, um
  double distance = 0;

  StrandPlace(const StrandPiece& piece, const Vector3& point) {
    const Vector3 rel = point - piece.from;
    t = std::min(1.0, std::max(0.0, dot(rel, piece.along) * piece.per_square));
    off = rel - t * piece.along;
    distance = std::sqrt(dot(off, off));
  }
  [[nodiscard]] bool is_beside() const { return t > 0 && t < 1; }

  /// Returns how deep the point lies in the piece, um; below 0 outside. Changes by no more than the
  /// point moves.
  [[nodiscard]] double depth(const StrandPiece& piece) const {
    return (piece.radius_at(t) - distance) * piece.flank;
  }
};

inline bool contains(const StrandPiece& piece, const Vector3& point) {
  const StrandPlace place{piece, point};
  return place.distance <= piece.radius_at(place.t);
}

namespace strand {

/// Returns the part of a voxel inside a piece whose surface is the nearest: the part on the inner
/// side of the tangent plane, moved inwards by the mean distance at which the surface bends away
/// from it.
inline double share_beside(const StrandPiece& piece, const StrandPlace& place,
                           const Vector3& pitch) {
  if (place.distance <= 0) return 1;
  const Vector3 off = (1 / place.distance) * place.off;
  const bool beside = place.is_beside();
  // The normal leans on the side of a cone, not on its ends
  const double lean = beside ? std::sqrt(std::max(0.0, 1 - piece.flank * piece.flank)) : 0;
  const double slope = piece.widening < 0 ? lean : -lean;
  const double per_length = std::sqrt(piece.per_square);
  Vector3 normal{};
  double bent = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double along = beside ? per_length * piece.along[axis] : 0;
    normal[axis] = (beside ? piece.flank : 1) * off[axis] + slope * along;
    bent += pitch[axis] * pitch[axis] * (1 - off[axis] * off[axis] - along * along);
  }
  const double radius = piece.radius_at(place.t);
  const double depth = (radius - place.distance) * (beside ? piece.flank : 1);
  return plane_share(depth - bent / (24 * radius), normal, pitch);
}

/// Returns the length of a thin piece's axis in a voxel, times its cross-section, um^3.
inline double line_um3(const StrandPiece& piece, const Vector3& centre, const Vector3& pitch) {
  constexpr double kParallel = 1e-9;
  double begin = piece.line_begin, end = piece.line_end;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double along = piece.along[axis], from = piece.from[axis];
    if (std::abs(along) * (end - begin) <= kParallel * pitch[axis]) {
      // A line on a face belongs to one of the two voxels
      if (std::floor((from + begin * along) / pitch[axis]) !=
          std::floor(centre[axis] / pitch[axis]))
        return 0;
      continue;
    }
    const double low = (centre[axis] - pitch[axis] / 2 - from) / along;
    const double high = (centre[axis] + pitch[axis] / 2 - from) / along;
    begin = std::max(begin, std::min(low, high));
    end = std::min(end, std::max(low, high));
    if (begin >= end) return 0;
  }
  const double length = std::sqrt(dot(piece.along, piece.along));
  const double r = piece.radius, w = piece.widening;
  const auto integral = [&](double t) { return t * (r * r + t * (r * w + t * (w * w / 3))); };
  return kPi * length * (integral(end) - integral(begin));
}

/// Returns the part of a voxel that a thin piece fills.
inline double thin_share(const StrandPiece& piece, const Vector3& centre, const Vector3& pitch) {
  if (piece.is_ball()) return ball_share(piece.from, piece.radius, centre, pitch);
  return line_um3(piece, centre, pitch) / (pitch[0] * pitch[1] * pitch[2]);
}

/// Returns the share of the piece in which the centre of the voxel lies deepest.
template <class PieceAt>
double deepest_share(int count, PieceAt&& piece_at, const Vector3& centre, const Vector3& pitch) {
  int deepest = -1;
  double most = 0;
  const double square = dot(pitch, pitch) / 4;  // square of half the diagonal
  for (int i = 0; i < count; ++i) {
    const StrandPiece* piece = piece_at(i);
    if (!piece || piece->is_thin) continue;
    const double depth = StrandPlace{*piece, centre}.depth(*piece);
    if (deepest >= 0 && depth <= most) continue;
    if (depth * std::abs(depth) > square) return 1;
    deepest = i;
    most = depth;
  }
  if (deepest < 0) return 0;
  if (most * std::abs(most) < -square) return 0;
  const StrandPiece& piece = *piece_at(deepest);
  return share_beside(piece, {piece, centre}, pitch);
}

/// Returns the largest number of parts into which a voxel is cut along each axis if `pieces` thick
/// pieces reach it: 12, and fewer if more pieces meet than in any neuron. Each part tests each
/// piece, so this bounds the time.
inline int most_parts(int pieces) {
  constexpr std::int64_t kMaxDepths = std::int64_t{1} << 17;  // for one voxel
  int parts = 12;
  while (parts > 1 && std::int64_t{parts} * parts * parts * pieces > kMaxDepths) --parts;
  return parts;
}

}  // namespace strand

/// Returns the part of a voxel that the union of pieces fills: 0 ... 1, or more with pieces that
/// add up.
///
/// Pieces that are far thinner than a voxel count by the length of their axes in it, which adds up
/// to their volume however they lie. Those that add up are counted in full, so that where many meet
/// the result exceeds 1. For others the voxel is cut into parts, at most a third as wide as the
/// radius but no more than most_parts along an axis. Each part counts with its share inside the
/// nearest surface, as if that were a plane. Summed over all voxels the volume is right within
/// 1e-3, for a straight tube along an axis of the grid within 2e-3.
/// @param piece_at  returns a pointer to piece 0 ... count - 1; it may return null for one that
///                  does not reach the voxel, which does not change the result.
template <class PieceAt>
double strand_share(int count, PieceAt&& piece_at, const Vector3& centre, const Vector3& pitch) {
  // Find the pieces that reach the voxel
  const double reach = std::sqrt(dot(pitch, pitch)) / 2;
  // Thick pieces that can be the deepest in a part of the voxel: of few, the numbers are kept; of
  // more, all pieces are asked again
  constexpr int kMostNear = 16;
  int near[kMostNear], near_count = 0;
  double share = 0, added = 0, finest = 0;
  int thick = 0;
  bool is_full = false;
  for (int i = 0; i < count; ++i) {
    const StrandPiece* piece = piece_at(i);
    if (!piece) continue;
    if (piece->is_thin) {
      (piece->adds_up ? added : share) += strand::thin_share(*piece, centre, pitch);
      continue;
    }
    if (is_full) continue;
    const StrandPlace place{*piece, centre};
    const double depth = place.depth(*piece);
    is_full = depth >= reach;
    if (depth <= -2 * reach) continue;
    if (near_count < kMostNear) near[near_count] = i;
    ++near_count;
    if (depth <= -reach) continue;
    const double radius = std::max(piece->radius_at(place.t), piece->widest() / 3);
    finest = finest == 0 ? radius : std::min(finest, radius);
    ++thick;
  }
  if (is_full) return added + 1;
  if (finest == 0) return added + std::min(1.0, share);

  // Cut the voxel as finely as its thinnest piece needs
  const double most = strand::most_parts(thick);
  int parts[3] = {};
  Vector3 part{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double wanted = std::ceil(3 * pitch[axis] / finest);
    parts[axis] = static_cast<int>(std::min(most, std::max(1.0, wanted)));
    part[axis] = pitch[axis] / parts[axis];
  }
  const bool are_kept = near_count <= kMostNear;
  const auto near_at = [&](int i) { return piece_at(are_kept ? near[i] : i); };
  if (!are_kept) near_count = count;
  double sum = 0;
  for (int z = 0; z < parts[0]; ++z)
    for (int y = 0; y < parts[1]; ++y)
      for (int x = 0; x < parts[2]; ++x) {
        const Vector3 middle = centre + Vector3{middle_of_part(z, parts[0]) * pitch[0],
                                                middle_of_part(y, parts[1]) * pitch[1],
                                                middle_of_part(x, parts[2]) * pitch[2]};
        sum += strand::deepest_share(near_count, near_at, middle, part);
      }
  return added + std::min(1.0, share + sum / (parts[0] * parts[1] * parts[2]));
}

/// A view of a strand whose pieces are owned elsewhere.
struct PlainStrand {
  std::int64_t object = 0;                        ///< id of its object
  std::int32_t first_piece = 0, piece_count = 0;  ///< among the pieces of all strands
  double photons = 0;                             ///< of a voxel that it fills
  VoxelRange range{};                             ///< of all its pieces
  Structure structure = Structure::other;
  bool is_labelled = true;
};

}  // namespace synthoscope::simulator
