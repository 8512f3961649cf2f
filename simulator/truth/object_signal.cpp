// SPDX-License-Identifier: MIT
#include "simulator/truth/object_signal.hpp"
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include "core/run/host_buffer.hpp"
#include "simulator/detector/expected_counts.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kVoxelsTogether = std::int64_t{1} << 16;
constexpr std::size_t kLabels = std::size_t{1} << 16;
constexpr std::int64_t kVoxelBytes = sizeof(float) + sizeof(std::uint16_t);
/// Sums are whole multiples of this, so that they are the same in any order.
constexpr double kUnit = 0x1p-20;

struct LabelSum {
  std::atomic<std::int64_t> ratio{0}, voxels{0};  ///< `ratio` in kUnit
};

/// Rows of photons and labels that a thread looks at together.
class LabelledRows {
 public:
  LabelledRows(const Extent3& extent, std::int64_t bin, MemoryBudget& memory)
      : rows_{rows_of(extent, bin)},
        photons_{memory, rows_ * extent.x, "photons of a band"},
        labels_{memory, rows_ * extent.x, "labels of a band"} {}
  static std::int64_t rows_of(const Extent3& extent, std::int64_t bin) {
    const std::int64_t groups = std::max<std::int64_t>(1, kVoxelsTogether / (extent.x * bin));
    return std::min(extent.y, groups * bin);
  }

  /// Reads the rows from `first` on; returns their number.
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
  std::int64_t rows_;
  HostBuffer<float> photons_;
  HostBuffer<std::uint16_t> labels_;
};

/// Sums over the labelled voxels of an image.
class Signals {
 public:
  Signals(const ImageNoise& noise, std::int64_t width, const std::vector<std::uint16_t>& objects)
      : noise_{noise},
        counts_{noise.camera},
        bin_{noise.camera.exposure().binning},
        width_{width},
        places_(kLabels, -1),
        sums_(objects.size()) {
    for (std::size_t i = 0; i < objects.size(); ++i)
      places_[objects[i]] = static_cast<std::int32_t>(i);
  }
  static std::int64_t bytes(std::int64_t objects) {
    return std::int64_t{kLabels * sizeof(std::int32_t)} + objects * std::int64_t{sizeof(LabelSum)};
  }

  /// Adds the rows of a band, which begins at row `first` of a plane.
  void add(std::int64_t first, std::int64_t rows, const LabelledRows& band) {
    std::vector<float> dark(static_cast<std::size_t>(bin_ * bin_));
    for (std::int64_t row = 0; row < rows; row += bin_)
      for (std::int64_t column = 0; column < width_; column += bin_)
        add_pixel(first + row, column, band.photons() + row * width_ + column,
                  band.labels() + row * width_ + column, dark);
  }

  [[nodiscard]] double ratio_of(std::size_t object) const {
    const LabelSum& sum = sums_[object];
    const auto voxels = static_cast<double>(sum.voxels.load());
    return voxels > 0 ? static_cast<double>(sum.ratio.load()) * kUnit / voxels
                      : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  /// Adds the pixel that is read out and whose sensor pixels begin at (y, x).
  void add_pixel(std::int64_t y, std::int64_t x, const float* photons, const std::uint16_t* labels,
                 std::vector<float>& dark) {
    bool is_labelled = false;
    for (std::int64_t i = 0; i < bin_ && !is_labelled; ++i)
      for (std::int64_t j = 0; j < bin_; ++j) is_labelled |= places_[labels[i * width_ + j]] >= 0;
    if (!is_labelled) return;
    for (std::int64_t i = 0; i < bin_; ++i)
      for (std::int64_t j = 0; j < bin_; ++j)
        dark[static_cast<std::size_t>(i * bin_ + j)] =
            static_cast<float>(noise_.background_photons * noise_.illumination.at(y + i, x + j));
    const CountMoments seen = counts_.of(y / bin_, x / bin_, {photons, width_});
    const CountMoments without = counts_.of(y / bin_, x / bin_, {dark.data(), bin_});
    const double ratio =
        seen.variance > 0 ? (seen.mean - without.mean) / std::sqrt(seen.variance) : 0;
    const std::int64_t units = std::llround(ratio / kUnit);
    for (std::int64_t i = 0; i < bin_; ++i)
      for (std::int64_t j = 0; j < bin_; ++j)
        if (const std::int32_t place = places_[labels[i * width_ + j]]; place >= 0) {
          LabelSum& sum = sums_[static_cast<std::size_t>(place)];
          sum.ratio.fetch_add(units, std::memory_order_relaxed);
          sum.voxels.fetch_add(1, std::memory_order_relaxed);
        }
  }

  const ImageNoise& noise_;
  ExpectedCounts counts_;
  std::int64_t bin_, width_;
  std::vector<std::int32_t> places_;  ///< index in sums_ of each possible label; -1: none
  std::vector<LabelSum> sums_;
};

}  // namespace

std::int64_t object_snr_bytes(const Extent3& sensor, std::int64_t bin, std::int64_t objects,
                              int threads) {
  return Signals::bytes(objects) +
         threads * LabelledRows::rows_of(sensor, bin) * sensor.x * kVoxelBytes;
}

std::vector<double> object_snr(Source& photons, Source& labels,
                               const std::vector<std::uint16_t>& objects, const ImageNoise& noise,
                               const RunContext& context) {
  const Extent3 e = photons.extent();
  const Reservation counted =
      context.memory.reserve(Signals::bytes(std::ssize(objects)), "signals of objects");
  Signals signals{noise, e.x, objects};
  const std::int64_t bin = noise.camera.exposure().binning;
  context.progress.begin("signal to noise", e.z);
  context.pool.for_each(e.z, [&](std::int64_t z) {
    LabelledRows band{e, bin, context.memory};
    for (std::int64_t first = 0; first < e.y;) {
      context.stop.check();
      const std::int64_t rows = band.read(photons, labels, z, first);
      signals.add(first, rows, band);
      first += rows;
    }
    context.progress.advance(1);
  });
  std::vector<double> ratios;
  for (std::size_t i = 0; i < objects.size(); ++i) ratios.push_back(signals.ratio_of(i));
  return ratios;
}

}  // namespace synthoscope::simulator
