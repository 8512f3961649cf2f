// SPDX-License-Identifier: MIT
#include "imageio/chunks/pyramid.hpp"
#include <algorithm>
#include <array>
#include <type_traits>
#include "core/run/stop.hpp"
#include "core/run/task_pool.hpp"
#include "core/volume/box.hpp"

namespace synthoscope::imageio {
namespace {

Extent3 halved(const Extent3& e) {
  return {(e.z + 1) / 2, (e.y + 1) / 2, (e.x + 1) / 2};
}

template <class T>
using Sum = std::conditional_t<std::is_integral_v<T>, std::int64_t, double>;

/// Of 2^log2 voxels; halves are rounded up.
template <class T>
T mean_of(Sum<T> sum, int log2) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>((sum + (std::int64_t{1} << log2) / 2) >> log2);
  else
    return static_cast<T>(sum / static_cast<double>(1 << log2));
}

/// @param rows  all that the row is made of, of `columns` voxels each
template <class T, int kLog2Rows>
void mean_of_rows(const std::array<const T*, 4>& rows, std::int64_t columns, std::span<T> to) {
  const auto pairs = std::min<std::int64_t>(columns / 2, std::ssize(to));
  for (std::int64_t x = 0; x < pairs; ++x) {
    Sum<T> sum = 0;
    for (std::size_t i = 0; i < std::size_t{1} << kLog2Rows; ++i) {
      sum += static_cast<Sum<T>>(rows[i][2 * x]);
      sum += static_cast<Sum<T>>(rows[i][2 * x + 1]);
    }
    to[static_cast<std::size_t>(x)] = mean_of<T>(sum, kLog2Rows + 1);
  }
  if (pairs == std::ssize(to)) return;
  Sum<T> sum = 0;  // the last column has no neighbour
  for (std::size_t i = 0; i < std::size_t{1} << kLog2Rows; ++i)
    sum += static_cast<Sum<T>>(rows[i][2 * pairs]);
  to[static_cast<std::size_t>(pairs)] = mean_of<T>(sum, kLog2Rows);
}

template <class T>
T mode_of(std::span<const T> voxels) {
  const auto count = [&](T v) { return std::count(voxels.begin(), voxels.end(), v); };
  if (count(voxels.front()) == std::ssize(voxels)) return voxels.front();  // as in most places
  return *std::max_element(voxels.begin(), voxels.end(),
                           [&](T a, T b) { return count(a) < count(b); });
}

template <class T>
void mode_of_rows(std::span<const T* const> rows, std::int64_t columns, std::span<T> to) {
  std::array<T, 8> block{};
  for (std::int64_t x = 0; x < std::ssize(to); ++x) {
    std::size_t count = 0;
    for (const T* const row : rows)
      for (std::int64_t i = 2 * x; i < std::min(2 * x + 2, columns); ++i) block[count++] = row[i];
    to[static_cast<std::size_t>(x)] = mode_of(std::span<const T>{block.data(), count});
  }
}

template <class T>
void shrink_as(HostView3<const T> from, Shrink how, HostView3<T> to) {
  const Extent3 &all = from.extent(), &size = to.extent();
  for (std::int64_t z = 0; z < size.z; ++z)
    for (std::int64_t y = 0; y < size.y; ++y) {
      std::array<const T*, 4> rows{};
      std::size_t count = 0;
      for (std::int64_t k = 2 * z; k < std::min(2 * z + 2, all.z); ++k)
        for (std::int64_t j = 2 * y; j < std::min(2 * y + 2, all.y); ++j)
          rows[count++] = from.row(k, j);
      const std::span<T> out{to.row(z, y), static_cast<std::size_t>(size.x)};
      if (how == Shrink::mode)
        mode_of_rows<T>({rows.data(), count}, all.x, out);
      else if (count == 4)
        mean_of_rows<T, 2>(rows, all.x, out);
      else if (count == 2)
        mean_of_rows<T, 1>(rows, all.x, out);
      else
        mean_of_rows<T, 0>(rows, all.x, out);
    }
}

/// One level from the one before it.
class Halving {
 public:
  Halving(const Extent3& from, const Extent3& chunk, PixelType type, Shrink how, std::size_t level,
          PyramidChunks& chunks)
      : all_{from},
        from_{grid_of(from, chunk, type)},
        to_{grid_of(halved(from), chunk, type)},
        how_{how},
        level_{level},
        chunks_{chunks} {}

  [[nodiscard]] std::int64_t chunks() const { return to_.chunks(); }

  /// In pieces that need about one chunk of the level before: with chunks of even size just one.
  /// Beyond the far faces a chunk holds zeros.
  void make(std::int64_t number) {
    const Box3 chunk = to_.box(number), part = intersection(chunk, whole(halved(all_)));
    std::vector<std::byte> made(static_cast<std::size_t>(to_.chunk_bytes()));
    for_each_piece(part.size, halved(to_.chunk), [&](const Box3& piece) {
      const Index3 &at = piece.origin, &begin = part.origin;
      const Box3 out{{begin.z + at.z, begin.y + at.y, begin.x + at.x}, piece.size};
      const Box3 wanted = intersection({{2 * out.origin.z, 2 * out.origin.y, 2 * out.origin.x},
                                        {2 * out.size.z, 2 * out.size.y, 2 * out.size.x}},
                                       whole(all_));
      const auto in = read(wanted);
      std::vector<std::byte> small(static_cast<std::size_t>(volume(out.size) * size_of(to_.type)));
      const VoxelView shrunk{small.data(), to_.type, out.size};
      shrink({in.data(), to_.type, wanted.size}, how_, shrunk);
      copy_common(out, shrunk, chunk, {made.data(), to_.type, chunk.size});
    });
    chunks_.write(level_, number, made);
  }

 private:
  [[nodiscard]] std::vector<std::byte> read(const Box3& box) {
    std::vector<std::byte> voxels(static_cast<std::size_t>(volume(box.size) * size_of(to_.type)));
    std::vector<std::byte> one(static_cast<std::size_t>(from_.chunk_bytes()));
    for_each_chunk(from_, box, [&](std::int64_t number) {
      chunks_.read(level_ - 1, number, one);
      const Box3 chunk = from_.box(number);
      copy_common(chunk, {one.data(), to_.type, chunk.size}, box,
                  {voxels.data(), to_.type, box.size});
    });
    return voxels;
  }

  Extent3 all_;
  ChunkGrid from_, to_;
  Shrink how_;
  std::size_t level_;
  PyramidChunks& chunks_;
};

}  // namespace

std::vector<Extent3> pyramid_extents(const Extent3& whole) {
  std::vector<Extent3> levels{whole};
  const auto longest = [](const Extent3& e) { return std::max({e.z, e.y, e.x}); };
  while (longest(levels.back()) > kSmallestLevel) levels.push_back(halved(levels.back()));
  return levels;
}

Extent3 pyramid_factor(const Extent3& whole, std::size_t level) {
  Extent3 factor{1, 1, 1}, size = whole;
  for (std::size_t i = 0; i < level; ++i, size = halved(size)) {
    if (size.z > 1) factor.z *= 2;
    if (size.y > 1) factor.y *= 2;
    if (size.x > 1) factor.x *= 2;
  }
  return factor;
}

void shrink(ConstVoxelView from, Shrink how, VoxelView to) {
  visit_pixel_type(from.type(), [&](auto zero) {
    using T = decltype(zero);
    shrink_as<T>(from.as<T>(), how, to.as<T>());
  });
}

/// The piece of the level before, one chunk of it, what is made of the piece, and the chunk.
std::int64_t pyramid_slot_bytes(const ChunkGrid& grid) {
  const Extent3 piece = halved(grid.chunk);
  const std::int64_t voxel = size_of(grid.type), out = volume(piece) * voxel;
  return 8 * out + out + 2 * grid.chunk_bytes();
}

void build_pyramid(const Extent3& whole, const Extent3& chunk, PixelType type, Shrink how,
                   std::int64_t at_once, TaskPool* pool, const StopFlag* stop,
                   PyramidChunks& chunks) {
  const auto levels = pyramid_extents(whole);
  for (std::size_t level = 1; level < levels.size(); ++level) {
    Halving halving{levels[level - 1], chunk, type, how, level, chunks};
    const auto make = [&](std::int64_t number) {
      if (stop) stop->check();
      halving.make(number);
    };
    for (std::int64_t begin = 0; begin < halving.chunks(); begin += at_once) {
      const std::int64_t count = std::min(at_once, halving.chunks() - begin);
      if (pool)
        pool->for_each(count, [&](std::int64_t i) { make(begin + i); });
      else
        for (std::int64_t i = 0; i < count; ++i) make(begin + i);
    }
  }
}

}  // namespace synthoscope::imageio
