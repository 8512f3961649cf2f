// SPDX-License-Identifier: MIT
#include "fftconv/host/parts/unfold.hpp"
#include <algorithm>
#include <vector>
#include "fftconv/plan/cuts/layout.hpp"

namespace synthoscope::fftconv {
namespace {

/// Memory of one thread: the two planes of a part, a result for every slab, and a result as it is
/// stored.
template <class Real>
struct UnfoldBuffers {
  HostBuffer<Real> pair, results;
  HostBuffer<std::byte> native;
};

/// What a thread does with one plane of all parts, a piece of it at a time.
template <class Real>
class Unfolding {
 public:
  Unfolding(const Decimation& decimation, const Extent3& result, const Interval& planes,
            ScratchVolume& parts, const LaneFunctions<Real>& functions)
      : decimation_{decimation},
        result_{result},
        planes_{planes},
        parts_{parts},
        functions_{functions} {}

  /// Results m, m + M, ... of one piece of their planes, slab after slab into room.results.
  void add_up(std::int64_t m, const Tile& piece, const UnfoldBuffers<Real>& room) const {
    const std::int64_t count = piece.rows * piece.columns, results = results_of(m);
    std::fill_n(room.results.data(), results * count, Real{0});
    for (std::int64_t part = 0; part < decimation_.parts; ++part) {
      const Extent3 pair{2, piece.rows, piece.columns};
      const std::int64_t place = part * planes_.count + m - planes_.first;
      parts_.read({{2 * place, piece.y, piece.x}, pair},
                  VoxelView{HostView3<Real>{room.pair.data(), pair}});
      add_part(part, m, count, room);
    }
  }

  /// Results that share plane m of the parts.
  [[nodiscard]] std::int64_t results_of(std::int64_t m) const {
    return m >= result_.z ? 0 : (result_.z - m - 1) / decimation_.planes + 1;
  }

 private:
  void add_part(std::int64_t part, std::int64_t m, std::int64_t count,
                const UnfoldBuffers<Real>& room) const {
    constexpr std::int64_t kTogether = 2048;  // both planes stay in the nearest cache
    const std::int64_t results = results_of(m);
    std::vector<std::complex<double>> factors;
    for (std::int64_t q = 0; q < results; ++q)
      factors.push_back(rotation(decimation_, part, m + q * decimation_.planes));
    const Real *re = room.pair.data(), *im = re + count;
    for (std::int64_t at = 0; at < count; at += kTogether) {
      const std::int64_t n = std::min(kTogether, count - at);
      // Re(exp(i theta v) (A + i B)) with exp(-i theta v) at hand
      for (std::int64_t q = 0; q < results; ++q) {
        const auto& factor = factors[static_cast<std::size_t>(q)];
        functions_.add_projected(re + at, im + at, n, static_cast<Real>(factor.real()),
                                 static_cast<Real>(factor.imag()),
                                 room.results.data() + q * count + at);
      }
    }
  }

  const Decimation& decimation_;
  Extent3 result_;
  Interval planes_;
  ScratchVolume& parts_;
  const LaneFunctions<Real>& functions_;
};

/// What a thread of unfolding holds; it stays in the processor's cache.
constexpr std::int64_t kRoomBytes = std::int64_t{1} << 20;

}  // namespace

template <class Real>
void unfold(const Decimation& decimation, const Extent3& result, ScratchVolume& parts,
            const PlaneOutput& output, const WorkAxes& axes, const LaneFunctions<Real>& functions,
            std::int64_t bytes, const RunContext& context, const std::optional<Interval>& planes) {
  const Interval held = planes.value_or(Interval{0, decimation.planes});
  // As many rows as there is room for, and no more than the cache holds unless they come from a
  // file; less than one where rows are long or parts many
  const int threads = context.pool.threads();
  const std::int64_t most = parts.file_bytes() > 0 ? bytes : kRoomBytes;
  const std::int64_t fitting = std::max<std::int64_t>(
      std::min(bytes / threads, most) / unfold_bytes(decimation, 1, sizeof(Real)), 1);
  const std::int64_t rows = std::clamp<std::int64_t>(fitting / result.x, 1, result.y);
  const std::int64_t columns = std::min(fitting, result.x);
  std::vector<UnfoldBuffers<Real>> rooms(static_cast<std::size_t>(threads));
  for (UnfoldBuffers<Real>& room : rooms) {
    room.pair = {context.memory, 2 * rows * columns, "planes to unfold"};
    room.results = {context.memory, decimation.slabs() * rows * columns, "unfolded planes"};
    room.native = {context.memory, rows * columns * kMaxVoxelBytes, "voxels to store"};
  }

  const Unfolding<Real> unfolding{decimation, result, held, parts, functions};
  const std::vector<Tile> pieces = tiles_of(result, rows, columns);
  const auto count = static_cast<std::int64_t>(pieces.size());
  const std::int64_t needed = std::min(held.end(), result.z) - held.first;
  context.pool.for_each(std::max<std::int64_t>(needed, 0) * count, [&](std::int64_t task) {
    context.stop.check();
    const std::int64_t m = held.first + task / count;
    const Tile& piece = pieces[static_cast<std::size_t>(task % count)];
    const Extent3 one{1, piece.rows, piece.columns};
    const UnfoldBuffers<Real>& room = rooms[static_cast<std::size_t>(TaskPool::slot())];
    unfolding.add_up(m, piece, room);
    for (std::int64_t q = 0; q < unfolding.results_of(m); ++q)
      finish_box(output, axes, Box3{{m + q * decimation.planes, piece.y, piece.x}, one},
                 room.results.data() + q * volume(one), room.native.data(),
                 [&](const Box3& box, ConstVoxelView voxels) {
                   output.sink->write(axes.to_volume(box), voxels);
                 });
    context.progress.advance(1);
  });
}

template void unfold(const Decimation&, const Extent3&, ScratchVolume&, const PlaneOutput&,
                     const WorkAxes&, const LaneFunctions<float>&, std::int64_t, const RunContext&,
                     const std::optional<Interval>&);
template void unfold(const Decimation&, const Extent3&, ScratchVolume&, const PlaneOutput&,
                     const WorkAxes&, const LaneFunctions<double>&, std::int64_t, const RunContext&,
                     const std::optional<Interval>&);

}  // namespace synthoscope::fftconv
