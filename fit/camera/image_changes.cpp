// SPDX-License-Identifier: MIT
#include "fit/camera/image_changes.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace synthoscope::fit {
namespace {

constexpr int kBlock = 8;               ///< pixels of a block of JPEG
constexpr double kBlockDeviations = 5;  ///< of the steps at borders of blocks, along both axes
constexpr int kFewestOdd = 5;           ///< doubled levels of a comb
constexpr double kOddShare = 0.05;      ///< of the tested levels
constexpr int kFewestMissing = 3;       ///< levels of a comb
constexpr double kMissingShare = 0.01;  ///< of the tested levels
/// Equal neighbours are so often as frequent as any other small difference, of fine and of coarse
/// levels, which have up to these shares of equal neighbours.
constexpr double kEqualNeighbours = 2, kEqualCoarse = 2.5;
constexpr double kFewEqual = 0.15, kManyEqual = 0.3;
constexpr double kFewestEqual = 100;             ///< pairs
constexpr double kWhitest = 0.8, kBluest = 1.3;  ///< ratios of power that are taken as white
constexpr double kNoiseErrors = 4;               ///< standard errors of such a ratio
constexpr double kNoNoise = 0.1;                 ///< noise beyond rounding, relative to rounding
constexpr RingRange kShortest{19, kTileRings - 1}, kLong{3, 6}, kMiddle{8, 10};

double middle_of_values(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Mean absolute difference of neighbouring columns of a plane, or of rows.
std::vector<double> mean_steps(HostView3<const float> counts, std::int64_t z, bool along_x) {
  const Extent3 extent = counts.extent();
  const std::int64_t length = along_x ? extent.x : extent.y, rows = along_x ? extent.y : extent.x;
  std::vector<double> steps(static_cast<std::size_t>(std::max<std::int64_t>(length - 1, 0)));
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t i = 0; i + 1 < length; ++i) {
      const float here = along_x ? counts(z, row, i) : counts(z, i, row);
      const float next = along_x ? counts(z, row, i + 1) : counts(z, i + 1, row);
      steps[static_cast<std::size_t>(i)] +=
          std::abs(static_cast<double>(next) - static_cast<double>(here)) /
          static_cast<double>(rows);
    }
  return steps;
}

/// How far the steps at every eighth border lie above the others, in standard errors, for the most
/// unusual of the eight places.
double block_deviations(const std::vector<double>& steps) {
  if (steps.size() < 8 * kBlock) return 0;
  std::array<std::vector<double>, kBlock> by_place;
  std::vector<double> all;
  for (std::size_t i = 2; i + 2 < steps.size(); ++i) {
    const double near = (steps[i - 2] + steps[i - 1] + steps[i + 1] + steps[i + 2]) / 4;
    all.push_back(std::log((steps[i] + 1e-9) / (near + 1e-9)));
    by_place[i % kBlock].push_back(all.back());
  }
  const double middle = middle_of_values(all);
  std::vector<double> off;
  for (const double value : all) off.push_back(std::abs(value - middle));
  // 1.4826: deviation from the median absolute one; 1.2533: the error of a median beside a mean
  const double deviation = 1.4826 * middle_of_values(off) * 1.2533 + 1e-9;
  double most = 0;
  for (const auto& values : by_place)
    most = std::max(most, (middle_of_values(values) - middle) / deviation *
                              std::sqrt(static_cast<double>(values.size())));
  return most;
}

bool has_blocks(const LabelledImage& image) {
  const std::int64_t z = image.grid.extent.z / 2;
  return block_deviations(mean_steps(image.counts.view(), z, true)) > kBlockDeviations &&
         block_deviations(mean_steps(image.counts.view(), z, false)) > kBlockDeviations;
}

/// How often neighbours along x are equal, over the most frequent other difference of up to 12
/// levels; 0 if that is usual, or levels are so coarse that noise makes neighbours equal.
double excess_of_equal(const LabelledImage& image, const GreyLevels& levels) {
  constexpr std::size_t kDifferences = 13;
  std::array<double, kDifferences> counts{};
  const auto view = image.counts.view();
  const std::int64_t z = image.grid.extent.z / 2;
  const TileLimits limits = levels.limits();
  double pairs = 0;
  for (std::int64_t y = 0; y < image.grid.extent.y; ++y)
    for (std::int64_t x = 0; x + 1 < image.grid.extent.x; ++x) {
      const auto a = static_cast<double>(view(z, y, x)), b = static_cast<double>(view(z, y, x + 1));
      if (std::min(a, b) <= limits.low || std::max(a, b) >= limits.high) continue;
      ++pairs;
      const auto apart = static_cast<std::size_t>(std::abs(a - b) / levels.step);
      if (apart < kDifferences) counts[apart] += apart == 0 ? 2 : 1;  // both signs
    }
  const double equal = counts[0] / 2;
  if (equal < kFewestEqual || equal > kManyEqual * pairs) return 0;
  const double excess =
      counts[0] / std::max(*std::max_element(counts.begin() + 1, counts.end()), 1.0);
  // Coarse levels alone make neighbours equal, too
  return excess > (equal < kFewEqual * pairs ? kEqualNeighbours : kEqualCoarse) ? excess : 0;
}

std::optional<std::string> comb_in(const LabelledImage& image, const GreyLevels& levels) {
  const bool misses =
      levels.missing >= kFewestMissing && levels.missing > kMissingShare * levels.tested;
  const bool doubles = levels.doubled >= kFewestOdd && levels.doubled > kOddShare * levels.tested;
  if (!misses && !doubles) return std::nullopt;
  return fmt::format(
      "the contrast of {} was stretched: of {} grey levels {} are absent and {} occur far more "
      "often than their neighbours; give the image as the camera recorded it",
      image.name, levels.tested, levels.missing, levels.doubled);
}

/// The brighter half of the tiles, and of these the third whose light varies least.
std::vector<const NoiseTile*> bright_and_calm(const std::vector<NoiseTile>& tiles) {
  auto bright = pointers_to(tiles);
  std::stable_sort(bright.begin(), bright.end(),
                   [](const NoiseTile* a, const NoiseTile* b) { return a->mean > b->mean; });
  bright.resize((bright.size() + 1) / 2);
  return calm_tiles(bright, std::max<std::size_t>(bright.size() / 3, 8));
}

/// The fifth of the tiles with the least power in waves of middle length: these are not looked at
/// afterwards, so that the choice favours no result.
std::vector<const NoiseTile*> flat_tiles(const std::vector<NoiseTile>& tiles) {
  auto all = pointers_to(tiles);
  const auto middle = [](const NoiseTile* tile) {
    double sum = 0;
    for (int ring = kMiddle.first; ring <= kMiddle.last; ++ring)
      sum += tile->power[static_cast<std::size_t>(ring)];
    return sum;
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const NoiseTile* a, const NoiseTile* b) { return middle(a) < middle(b); });
  all.resize(std::max<std::size_t>(all.size() / 5, std::min<std::size_t>(all.size(), 8)));
  return all;
}

double mean_from(const std::vector<const NoiseTile*>& tiles, int first) {
  double sum = 0;
  for (const NoiseTile* tile : tiles) sum += power_from(*tile, first);
  return sum / static_cast<double>(tiles.size());
}

}  // namespace

std::optional<std::string> change_of_pixels(const LabelledImage& image, const GreyLevels& levels,
                                            bool counts_light) {
  if (!levels.are_whole)
    return fmt::format(
        "the values of {} are not whole numbers, so it was averaged, filtered or scaled; give the "
        "counts that the camera recorded",
        image.name);
  if (auto comb = comb_in(image, levels)) return comb;
  if (has_blocks(image))
    return fmt::format(
        "{} has steps at every eighth pixel, as blocks of JPEG and copied pixels leave them; give "
        "the "
        "image as the camera recorded it, without lossy compression",
        image.name);
  if (const double excess = excess_of_equal(image, levels); excess > 0)
    return fmt::format(
        "neighbouring pixels of {} are equal {:.1f} times as often as noise makes them, so it was "
        "enlarged or filtered by a median; give the image as the camera recorded it",
        image.name, excess);
  if (levels.is_cut_below && levels.share_lowest > kMostCutBelow && !counts_light)
    return fmt::format(
        "{:.0f} % of the voxels of {} have its lowest value, {}, so its background was clipped; "
        "give the image as the camera recorded it, with at most {:.0f} %",
        100 * levels.share_lowest, image.name, levels.lowest, 100 * kMostCutBelow);
  if (levels.is_saturated && levels.share_highest > kMostSaturated)
    return fmt::format(
        "{:.0f} % of the voxels of {} are saturated at {}; record less light, so that at most "
        "{:.0f} % are",
        100 * levels.share_highest, image.name, levels.highest, 100 * kMostSaturated);
  return std::nullopt;
}

std::optional<std::string> change_of_noise(const std::vector<NoiseTile>& tiles,
                                           const NoiseBand& band, double rounding) {
  const auto bright = bright_and_calm(tiles);
  if (rounding > 0 && mean_from(bright, kShortest.first) < (1 + kNoNoise) * rounding)
    return "no noise is left but that of rounding to grey levels, also where there is light, so it "
           "was filtered or averaged away; give images as the camera recorded them";
  const RingRange before{std::clamp(band.first_ring, 12, 16), kShortest.first - 1};
  const RingRatio end = ring_ratio(bright, kShortest, before, rounding);
  if (end.ratio < kWhitest && end.ratio < 1 - kNoiseErrors * end.error)
    return fmt::format(
        "the power of the noise falls to {:.2f} towards the shortest waves, and a camera's noise "
        "is "
        "white: the images were filtered or interpolated, or their pixels are too coarse for "
        "structure and noise to be told apart; give them as the camera recorded them",
        end.ratio);
  const auto flat = flat_tiles(tiles);
  const RingRatio rise = ring_ratio(flat, before, kLong, rounding);
  if (rise.ratio > kBluest && rise.ratio - kNoiseErrors * rise.error > 1)
    return fmt::format(
        "the noise has {:.2f} times as much power in short waves as in long ones, and a camera's "
        "noise is white: the images were sharpened or deconvolved; give them as the camera "
        "recorded them",
        rise.ratio);
  return std::nullopt;
}

}  // namespace synthoscope::fit
