// SPDX-License-Identifier: MIT
#include "simulator/calibration/stack_level.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"

namespace synthoscope::simulator {
namespace {

/// One frame as float32, and the sum of its counts.
class Frame {
 public:
  explicit Frame(const Extent3& plane) : counts_{plane} {}

  void read(Source& stack, std::int64_t z, const std::string& name) {
    stack_read(stack, z);
    double sum = 0;
    for (const float count : counts_.voxels) sum += static_cast<double>(count);
    if (!std::isfinite(sum))
      throw InvalidInput(fmt::format(
          "calibrate: frame {} of {} holds counts that are not finite; leave it out", z, name));
    mean_ = sum / static_cast<double>(counts_.voxels.size());
  }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double operator[](std::size_t i) const {
    return static_cast<double>(counts_.voxels[i]);
  }
  [[nodiscard]] std::size_t size() const { return counts_.voxels.size(); }

 private:
  void stack_read(Source& stack, std::int64_t z) {
    const Box3 box = plane(stack.extent(), z);
    if (stack.pixel_type() == PixelType::float32) return stack.read(box, counts_.view());
    visit_pixel_type(stack.pixel_type(), [&](auto zero) {
      using Count = decltype(zero);
      Volume<Count> native{box.size};
      stack.read(box, native.view());
      std::transform(native.voxels.begin(), native.voxels.end(), counts_.voxels.begin(),
                     [](Count count) { return static_cast<float>(count); });
    });
  }
  Volume<float> counts_;
  double mean_ = 0;
};

/// Sums over frames, pixel by pixel.
struct Sums {
  explicit Sums(std::size_t pixels) : counts(pixels, 0.0), squares(pixels, 0.0) {}

  void add(const Frame& frame) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const double count = frame[i];
      counts[i] += count;
      if (count > largest) {
        largest = count;
        at_largest = 0;
      }
      if (step != 1) add_to_step(count);
      at_largest += count == largest;
      at_zero += count == 0;
    }
    dimmest = std::min(dimmest, frame.mean());
    brightest = std::max(brightest, frame.mean());
    total += frame.mean();
  }

  /// Updates the step, which for most cameras is 1 after a few counts.
  void add_to_step(double count) {
    constexpr double kMaxExact = 0x1p24;  // float32 holds whole numbers below
    if (count != std::floor(count) || std::abs(count) > kMaxExact) {
      step = 1;
    } else if (!has_first) {
      first = count;
      has_first = true;
    } else {
      step = std::gcd(step, static_cast<std::int64_t>(std::abs(count - first)));
    }
  }

  /// Adds a pair: half the square of a difference has the variance of one frame as its mean.
  void add_pair(const Frame& a, const Frame& b) {
    const double drift = b.mean() - a.mean();
    for (std::size_t i = 0; i < squares.size(); ++i) {
      const double difference = b[i] - a[i] - drift, half = difference * difference / 2;
      squares[i] += half;
      all += half;
      all_squares += half * half;
    }
  }

  std::vector<double> counts, squares;
  double total = 0, all = 0, all_squares = 0;
  double largest = -1e300, dimmest = 1e300, brightest = -1e300;
  std::int64_t at_largest = 0, at_zero = 0;
  double first = 0;  ///< count that others are compared with
  bool has_first = false;
  std::int64_t step = 0;
};

std::vector<float> divided(const std::vector<double>& sums, std::int64_t by) {
  std::vector<float> quotients(sums.size());
  std::transform(sums.begin(), sums.end(), quotients.begin(),
                 [&](double sum) { return static_cast<float>(sum / static_cast<double>(by)); });
  return quotients;
}

/// Returns a bound of the range of equal frames' means, in standard deviations of one mean: twice
/// sqrt(2 log n), the distance from their mean that n normal variables hardly exceed, plus one.
double range_of_noise(const StackLevel& level) {
  return 2 * std::sqrt(2 * std::log(static_cast<double>(level.frames))) + 1;
}

}  // namespace

std::int64_t level_bytes(std::int64_t pixels) {
  return pixels * std::int64_t{2 * sizeof(float)};
}

std::int64_t level_working_bytes(std::int64_t pixels) {
  // Two sums, two frames, and one frame as it is stored
  return pixels * std::int64_t{2 * sizeof(double) + 2 * sizeof(float) + sizeof(double)};
}

StackLevel survey_level(Source& stack, const std::string& name, const RunContext& context) {
  const Extent3 extent = stack.extent();
  if (extent.z < 2)
    throw InvalidInput(
        fmt::format("calibrate: {} has {} frame, but noise is measured between frames; give stacks "
                    "of two or more, along z, of the same light",
                    name, extent.z));
  const Extent3 plane{1, extent.y, extent.x};
  Frame first{plane}, second{plane};
  Sums sums{first.size()};
  context.progress.begin(fmt::format("read {}", name), extent.z);
  for (std::int64_t z = 0; z < extent.z; ++z) {
    context.stop.check();
    Frame& frame = z % 2 == 0 ? first : second;
    frame.read(stack, z, name);
    sums.add(frame);
    if (z % 2 == 1) sums.add_pair(first, second);
    context.progress.advance(1);
  }

  StackLevel level;
  level.frames = extent.z;
  level.pairs = extent.z / 2;
  level.height = extent.y;
  level.width = extent.x;
  const auto counts = static_cast<double>(volume(extent));
  const auto differences = static_cast<double>(level.pairs * level.pixels());
  // The drift of a pair is the mean over its pixels, which uses up one of their differences
  const auto free =
      static_cast<double>(level.pairs * std::max<std::int64_t>(level.pixels() - 1, 1));
  level.mean_dn = sums.total / static_cast<double>(level.frames);
  level.variance_dn2 = sums.all / free;
  const double spread =
      std::max(sums.all_squares / differences - std::pow(sums.all / differences, 2), 0.0);
  level.variance_error = std::sqrt(spread / differences);
  level.drift_dn =
      std::max(sums.brightest - sums.dimmest -
                   range_of_noise(level) *
                       std::sqrt(level.variance_dn2 / static_cast<double>(level.pixels())),
               0.0);
  level.largest = sums.largest;
  level.first = sums.first;
  level.step = sums.step;
  level.share_at_largest = static_cast<double>(sums.at_largest) / counts;
  level.share_at_zero = static_cast<double>(sums.at_zero) / counts;
  level.mean = divided(sums.counts, level.frames);
  level.variance = divided(sums.squares, level.pairs);
  return level;
}

}  // namespace synthoscope::simulator
