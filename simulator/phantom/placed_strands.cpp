// SPDX-License-Identifier: MIT
#include "simulator/phantom/placed_strands.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include "simulator/phantom/geometry/reach.hpp"
#include "simulator/phantom/kinds.hpp"
#include "simulator/phantom/phantom.hpp"

namespace synthoscope::simulator {
namespace {

constexpr int kMinBits = 3;  // pieces are small

/// Calls `visit(id, strand)` for all strands of all objects, in their order.
template <class Visit>
void for_each_strand(const Phantom& phantom, Visit&& visit) {
  for_each_object(phantom, [&](std::int64_t id, const auto& body) {
    if constexpr (HasStrands<std::remove_cvref_t<decltype(body)>>)
      for (const StainedStrand& strand : body.strands())
        if (!strand.strand.empty()) visit(id, strand);
  });
}

}  // namespace

StrandPieces::StrandPieces(const Phantom& phantom) {
  // Arrays that grow step by step would take up to three times their size
  std::size_t strand_count = 0, piece_count = 0;
  for_each_strand(phantom, [&](std::int64_t, const StainedStrand& stained) {
    ++strand_count;
    piece_count += stained.strand.segments().size();
  });
  if (strand_count == 0) return;
  strands.reserve(strand_count);
  pieces.reserve(piece_count);
  ranges.reserve(piece_count);

  const Vector3 pitch = vector_of(phantom.grid.pitch);
  const double voxel_um3 = pitch[0] * pitch[1] * pitch[2];
  for_each_strand(phantom, [&](std::int64_t id, const StainedStrand& stained) {
    const auto& segments = stained.strand.segments();
    PlainStrand plain;
    plain.object = id;
    plain.first_piece = static_cast<std::int32_t>(pieces.size());
    plain.piece_count = static_cast<std::int32_t>(segments.size());
    plain.photons = stained.photons_per_um3 * voxel_um3;
    plain.structure = stained.structure;
    plain.is_labelled = stained.is_labelled;
    stained.strand.add_pieces_to(pieces, pitch, static_cast<std::int32_t>(strands.size()),
                                 stained.lines_below);
    for (const Segment& segment : segments) {
      ranges.push_back(range_of(
          voxels_reached(segment.bounds(), phantom.grid.pitch, whole(phantom.grid.extent))));
      plain.range = hull(plain.range, ranges.back());
    }
    strands.push_back(plain);
  });
}

std::int64_t strand_pieces_bytes(std::int64_t strands, std::int64_t pieces) {
  return strands * std::int64_t{sizeof(PlainStrand)} +
         pieces * std::int64_t{sizeof(StrandPiece) + sizeof(VoxelRange)};
}

PlacedStrands::PlacedStrands(const Phantom& phantom)
    : all_{phantom}, pitch_{vector_of(phantom.grid.pitch)} {
  if (all_.pieces.empty()) return;
  const auto count = static_cast<std::int64_t>(all_.ranges.size());
  index_ = CubeIndex{phantom.grid.extent, kMinBits, count,
                     [&](std::int64_t i) { return all_.ranges[static_cast<std::size_t>(i)]; }};
}

std::span<const PlainStrand> PlacedStrands::of_object(std::int64_t id) const {
  const auto [first, last] = std::equal_range(
      all_.strands.begin(), all_.strands.end(), PlainStrand{.object = id},
      [](const PlainStrand& a, const PlainStrand& b) { return a.object < b.object; });
  return {first, last};
}

PlacedStrands::Cube PlacedStrands::cube_at(const PlainStrand& strand, const VoxelRange& within,
                                           std::int64_t z, std::int64_t y, std::int64_t x) const {
  const CubeLists lists = index_.lists();
  const int bits = lists.cube_bits;
  const std::int64_t number = (z * lists.cubes_y + y) * lists.cubes_x + x;
  const auto* const first = lists.ids + lists.starts[number];
  const auto* const last = lists.ids + lists.starts[number + 1];
  const auto* const begin = std::lower_bound(first, last, strand.first_piece);
  const auto* const end = std::lower_bound(begin, last, strand.first_piece + strand.piece_count);
  const auto edge = std::int64_t{1} << bits;
  const Box3 cube{{z << bits, y << bits, x << bits}, {edge, edge, edge}};
  return {intersection(range_of(cube), within), {begin, end}};
}

PlacedStrands::RowPiece PlacedStrands::in_row(std::int32_t number, std::int32_t z,
                                              std::int32_t y) const {
  const StrandPiece& piece = all_.pieces[static_cast<std::size_t>(number)];
  const VoxelRange& range = all_.ranges[static_cast<std::size_t>(number)];
  RowPiece row{&piece, range.begin[2], range.end[2]};
  if (!piece.is_thin) return row;
  // The part of the axis from which the row is in reach
  constexpr double kParallel = 1e-9;
  const double reach = piece.widest();
  double begin = std::min(0.0, piece.line_begin), end = std::max(1.0, piece.line_end);
  const std::array<std::int32_t, 2> at{z, y};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const double along = piece.along[axis];
    if (std::abs(along) <= kParallel * pitch_[axis]) continue;
    const double from = piece.from[axis], low = at[axis] * pitch_[axis];
    const double first = (low - reach - from) / along;
    const double last = (low + pitch_[axis] + reach - from) / along;
    begin = std::max(begin, std::min(first, last));
    end = std::min(end, std::max(first, last));
  }
  if (begin > end) return {&piece, 0, 0};
  // One more voxel on each side against rounding
  const double a = piece.from[2] + begin * piece.along[2], b = piece.from[2] + end * piece.along[2];
  const auto voxel = [&](double um) {
    return static_cast<std::int32_t>(std::floor(um / pitch_[2]));
  };
  row.begin = std::max(row.begin, voxel(std::min(a, b) - reach) - 1);
  row.end = std::min(row.end, voxel(std::max(a, b) + reach) + 2);
  return row;
}

std::int64_t PlacedStrands::bytes(std::int64_t strands, std::int64_t pieces,
                                  const Extent3& extent) {
  if (pieces == 0) return 0;
  return strand_pieces_bytes(strands, pieces) + CubeIndex::bytes(extent, kMinBits, pieces);
}

}  // namespace synthoscope::simulator
