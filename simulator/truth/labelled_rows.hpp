// SPDX-License-Identifier: MIT
// simulator/truth/labelled_rows.hpp — rows of photons and labels that a thread looks at together.
#pragma once
#include <algorithm>
#include <cstdint>
#include "core/run/host_buffer.hpp"
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope::simulator {

inline constexpr std::size_t kPossibleLabels = std::size_t{1} << 16;

/// A band of a plane: whole rows, as many as a camera bins or a multiple of it.
class LabelledRows {
 public:
  LabelledRows(const Extent3& extent, std::int64_t bin, MemoryBudget& memory)
      : rows_{rows_of(extent, bin)},
        photons_{memory, rows_ * extent.x, "photons of a band"},
        labels_{memory, rows_ * extent.x, "labels of a band"} {}

  /// Returns the bytes of one thread.
  static std::int64_t bytes(const Extent3& extent, std::int64_t bin) {
    constexpr std::int64_t kVoxelBytes = sizeof(float) + sizeof(std::uint16_t);
    return rows_of(extent, bin) * extent.x * kVoxelBytes;
  }

  /// Reads the rows from `first` on; returns their number.
  /// @param photons  float32  @param labels  uint16, of the same extent
  std::int64_t read(Source& photons, Source& labels, std::int64_t z, std::int64_t first) {
    const Extent3 e = photons.extent();
    const std::int64_t rows = std::min(rows_, e.y - first);
    const Box3 box{{z, first, 0}, {1, rows, e.x}};
    photons.read(box, VoxelView{HostView3<float>{photons_.data(), box.size}});
    labels.read(box, VoxelView{HostView3<std::uint16_t>{labels_.data(), box.size}});
    return rows;
  }
  [[nodiscard]] const float* photons() const { return photons_.data(); }
  [[nodiscard]] const std::uint16_t* labels() const { return labels_.data(); }

 private:
  static std::int64_t rows_of(const Extent3& extent, std::int64_t bin) {
    constexpr std::int64_t kVoxelsTogether = std::int64_t{1} << 16;
    const std::int64_t groups = std::max<std::int64_t>(1, kVoxelsTogether / (extent.x * bin));
    return std::min(extent.y, groups * bin);
  }

  std::int64_t rows_;
  HostBuffer<float> photons_;
  HostBuffer<std::uint16_t> labels_;
};

/// Calls `look(z, first row, rows, band)` for all bands of a stack, on all threads.
template <class Look>
void for_each_band(Source& photons, Source& labels, std::int64_t bin, const RunContext& context,
                   Look&& look) {
  const Extent3 e = photons.extent();
  context.progress.begin("signal to noise", e.z);
  context.pool.for_each(e.z, [&](std::int64_t z) {
    LabelledRows band{e, bin, context.memory};
    for (std::int64_t first = 0; first < e.y;) {
      context.stop.check();
      const std::int64_t rows = band.read(photons, labels, z, first);
      look(z, first, rows, band);
      first += rows;
    }
    context.progress.advance(1);
  });
}

}  // namespace synthoscope::simulator
