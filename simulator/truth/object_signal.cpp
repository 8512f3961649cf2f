// SPDX-License-Identifier: MIT
#include "simulator/truth/object_signal.hpp"
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include "simulator/truth/labelled_rows.hpp"

namespace synthoscope::simulator {
namespace {

/// Sums are whole multiples of this, so that they are the same in any order.
constexpr double kUnit = 0x1p-20;

struct LabelSum {
  std::atomic<std::int64_t> ratio{0}, voxels{0};  ///< `ratio` in kUnit
};

/// Sums over the labelled voxels of an image.
class Signals {
 public:
  Signals(const ImageNoise& noise, std::int64_t width, const Index3& origin,
          const std::vector<std::uint16_t>& objects)
      : noise_{noise},
        origin_{origin},
        bin_{noise.camera.exposure().binning},
        width_{width},
        places_(kPossibleLabels, -1),
        sums_(objects.size()) {
    for (std::size_t i = 0; i < objects.size(); ++i)
      places_[objects[i]] = static_cast<std::int32_t>(i);
  }
  static std::int64_t bytes(std::int64_t objects) {
    return std::int64_t{kPossibleLabels * sizeof(std::int32_t)} +
           objects * std::int64_t{sizeof(LabelSum)};
  }

  /// Adds the rows of a band, which begins at row `first` of plane z.
  void add(std::int64_t z, std::int64_t first, std::int64_t rows, const LabelledRows& band) {
    PixelSignal signal{noise_};
    for (std::int64_t row = 0; row < rows; row += bin_)
      for (std::int64_t column = 0; column < width_; column += bin_)
        add_pixel({origin_.z + z, origin_.y + first + row, origin_.x + column},
                  band.photons() + row * width_ + column, band.labels() + row * width_ + column,
                  signal);
  }

  [[nodiscard]] double ratio_of(std::size_t object) const {
    const LabelSum& sum = sums_[object];
    const auto voxels = static_cast<double>(sum.voxels.load());
    return voxels > 0 ? static_cast<double>(sum.ratio.load()) * kUnit / voxels
                      : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  /// Adds the pixel that is read out and whose sensor pixels begin at `at`.
  void add_pixel(const Index3& at, const float* photons, const std::uint16_t* labels,
                 PixelSignal& signal) {
    bool is_labelled = false;
    for (std::int64_t i = 0; i < bin_ && !is_labelled; ++i)
      for (std::int64_t j = 0; j < bin_; ++j) is_labelled |= places_[labels[i * width_ + j]] >= 0;
    if (!is_labelled) return;
    const std::int64_t units = std::llround(signal.ratio(at, {photons, width_}) / kUnit);
    for (std::int64_t i = 0; i < bin_; ++i)
      for (std::int64_t j = 0; j < bin_; ++j)
        if (const std::int32_t place = places_[labels[i * width_ + j]]; place >= 0) {
          LabelSum& sum = sums_[static_cast<std::size_t>(place)];
          sum.ratio.fetch_add(units, std::memory_order_relaxed);
          sum.voxels.fetch_add(1, std::memory_order_relaxed);
        }
  }

  const ImageNoise& noise_;
  Index3 origin_;
  std::int64_t bin_, width_;
  std::vector<std::int32_t> places_;  ///< index in sums_ of each possible label; -1: none
  std::vector<LabelSum> sums_;
};

}  // namespace

std::int64_t object_snr_bytes(const Extent3& sensor, std::int64_t bin, std::int64_t objects,
                              int threads) {
  return Signals::bytes(objects) + threads * LabelledRows::bytes(sensor, bin);
}

std::vector<double> object_snr(Source& photons, Source& labels,
                               const std::vector<std::uint16_t>& objects, const ImageNoise& noise,
                               const RunContext& context, const Index3& origin) {
  const Extent3 e = photons.extent();
  const Reservation counted =
      context.memory.reserve(Signals::bytes(std::ssize(objects)), "signals of objects");
  Signals signals{noise, e.x, origin, objects};
  for_each_band(photons, labels, noise.camera.exposure().binning, context,
                [&](std::int64_t z, std::int64_t first, std::int64_t rows,
                    const LabelledRows& band) { signals.add(z, first, rows, band); });
  std::vector<double> ratios;
  for (std::size_t i = 0; i < objects.size(); ++i) ratios.push_back(signals.ratio_of(i));
  return ratios;
}

}  // namespace synthoscope::simulator
