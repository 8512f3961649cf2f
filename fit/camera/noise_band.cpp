// SPDX-License-Identifier: MIT
#include "fit/camera/noise_band.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include "fit/estimates/robust.hpp"

namespace synthoscope::fit {
namespace {

constexpr int kLastStart = 20;      ///< 2 % of the frequencies lie in the rings from there on
constexpr int kLastFlatStart = 18;  ///< a flat part of the spectrum begins there at the latest
constexpr double kFlat = 0.02;      ///< relative power above the rest that counts as flat
constexpr double kErrors = 3;       ///< standard errors
constexpr RingRange kEnd{kLastStart, kTileRings - 1};
constexpr RingRange kLongWaves{4, 11};
constexpr std::size_t kAlike = 15;  ///< tiles of similar light

double ring_mean(const NoiseTile& tile, RingRange range) {
  double sum = 0;
  int count = 0;
  for (int ring = range.first; ring <= range.last; ++ring) {
    const auto r = static_cast<std::size_t>(ring);
    sum += tile.power[r] * frequencies_of_rings()[r];
    count += frequencies_of_rings()[r];
  }
  return sum / std::max(count, 1);
}

/// The noise of each tile, as its light lets expect it: the median of the end of the spectrum of
/// tiles of similar light. Tiles that are chosen by it are not chosen for their own noise: the end
/// of their spectrum would then be low, and no spectrum flat.
std::vector<double> expected_noise(const std::vector<NoiseTile>& tiles,
                                   const std::vector<std::size_t>& by_light) {
  std::vector<double> noise(tiles.size());
  for (std::size_t begin = 0; begin < tiles.size(); begin += kAlike) {
    const std::size_t from = std::min(begin, tiles.size() - std::min(kAlike, tiles.size()));
    const std::size_t to = std::min(from + kAlike, tiles.size());
    std::vector<double> ends;
    for (std::size_t i = from; i < to; ++i)
      ends.push_back(power_from(tiles[by_light[i]], kLastFlatStart));
    const double middle = std::max(robust_median(ends), 1e-12);
    for (std::size_t i = begin; i < to; ++i) noise[by_light[i]] = middle;
  }
  return noise;
}

std::vector<std::size_t> tiles_by_light(const std::vector<NoiseTile>& tiles) {
  std::vector<std::size_t> order(tiles.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return tiles[a].mean < tiles[b].mean; });
  return order;
}

/// Sums of numbers of tiles, and their ratio.
class RatioOfSums {
 public:
  void add(double above, double below) {
    above_.push_back(above);
    below_.push_back(below);
  }

  /// @param least  of the mean below: less counts as that
  [[nodiscard]] RingRatio ratio(double least) const {
    const double n = static_cast<double>(above_.size());
    double sum_above = 0, sum_below = 0;
    for (const double value : above_) sum_above += value;
    for (const double value : below_) sum_below += value;
    sum_below = std::max(sum_below, least * n);
    RingRatio result;
    result.ratio = sum_above / sum_below;
    // The scatter of what each tile adds to it
    double square = 0;
    for (std::size_t i = 0; i < above_.size(); ++i)
      square += std::pow(above_[i] - result.ratio * below_[i], 2);
    result.error = std::sqrt(square * n / std::max(n - 1, 1.0)) / sum_below;
    return result;
  }

 private:
  std::vector<double> above_, below_;
};

/// The ring from which the spectrum is flat, in the half of the tiles whose light varies most:
/// light ends there in the others, too. One ring is left to light that is too weak to be seen.
int flat_from(const std::vector<NoiseTile>& tiles) {
  const auto noise = expected_noise(tiles, tiles_by_light(tiles));
  std::vector<std::size_t> varied(tiles.size());
  std::iota(varied.begin(), varied.end(), std::size_t{0});
  const auto unrest = [&](std::size_t i) { return ring_mean(tiles[i], kLongWaves) / noise[i]; };
  std::stable_sort(varied.begin(), varied.end(),
                   [&](std::size_t a, std::size_t b) { return unrest(a) > unrest(b); });
  varied.resize((varied.size() + 1) / 2);
  int first = kLastStart;
  for (int ring = kLastStart - 1; ring >= 3; --ring) {
    RatioOfSums of_ring;
    for (const std::size_t i : varied)
      of_ring.add(ring_mean(tiles[i], {ring, ring}) / noise[i],
                  power_from(tiles[i], ring + 1) / noise[i]);
    const RingRatio above_rest = of_ring.ratio(1e-3);
    if (above_rest.ratio > 1 + kFlat + kErrors * above_rest.error) break;
    first = ring;
  }
  return std::min(first + 1, kLastStart);
}

}  // namespace

std::vector<const NoiseTile*> pointers_to(const std::vector<NoiseTile>& tiles) {
  std::vector<const NoiseTile*> all;
  for (const NoiseTile& tile : tiles) all.push_back(&tile);
  return all;
}

std::vector<const NoiseTile*> calm_tiles(std::vector<const NoiseTile*> from, std::size_t count) {
  const auto unrest = [](const NoiseTile* tile) {
    return ring_mean(*tile, kLongWaves) / std::max(ring_mean(*tile, {18, kEnd.last}), 1e-12);
  };
  std::stable_sort(from.begin(), from.end(),
                   [&](const NoiseTile* a, const NoiseTile* b) { return unrest(a) < unrest(b); });
  from.resize(std::min(from.size(), std::max<std::size_t>(count, 1)));
  return from;
}

RingRatio ring_ratio(const std::vector<const NoiseTile*>& tiles, RingRange above, RingRange below,
                     double rounding) {
  RatioOfSums sums;
  for (const NoiseTile* tile : tiles) {
    const double own = std::max(power_from(*tile, 12), 1e-12);
    sums.add((ring_mean(*tile, above) - rounding) / own,
             (ring_mean(*tile, below) - rounding) / own);
  }
  return sums.ratio(1e-3);
}

RingRatio varied_over_calm(const std::vector<NoiseTile>& tiles, int first) {
  const auto order = tiles_by_light(tiles);
  const RingRange long_waves{kLongWaves.first, std::min(kLongWaves.last, first - 1)};
  RatioOfSums sums;
  for (std::size_t i = 0; i + 1 < order.size(); i += 2) {
    const NoiseTile *varied = &tiles[order[i]], *calm = &tiles[order[i + 1]];
    if (ring_mean(*varied, long_waves) < ring_mean(*calm, long_waves)) std::swap(varied, calm);
    const double own = std::max(power_from(*varied, first) + power_from(*calm, first), 1e-12);
    sums.add(power_from(*varied, first) / own, power_from(*calm, first) / own);
  }
  return sums.ratio(1e-3);
}

NoiseBand noise_band(const std::vector<NoiseTile>& tiles, double cutoff, bool optics_are_known) {
  const auto calm = calm_tiles(pointers_to(tiles), tiles.size() / 2);
  const int of_optics = static_cast<int>(std::ceil(std::min(cutoff, 10.0) * kNyquistRing)) + 1;
  const int of_spectrum = flat_from(tiles);
  NoiseBand band;
  if (optics_are_known && of_optics <= kLastStart) {
    band.first_ring = of_optics;
  } else if (!optics_are_known && of_spectrum <= kLastFlatStart) {
    band.first_ring = of_optics <= kLastFlatStart ? std::max(of_optics, of_spectrum) : of_spectrum;
    band.from = band.first_ring > of_optics || of_optics > kLastFlatStart ? BandFrom::spectrum
                                                                          : BandFrom::optics;
    const RingRatio of_light = varied_over_calm(tiles, band.first_ring);
    band.may_hold_light = (of_optics > kLastFlatStart && of_spectrum > kNyquistRing) ||
                          of_light.ratio > 1 + kErrors * of_light.error;
  } else {
    band.from = of_spectrum <= kLastFlatStart ? BandFrom::spectrum : BandFrom::end_of_spectrum;
    band.first_ring = std::min(std::max(of_spectrum, kNyquistRing), kLastStart);
    band.may_hold_light = true;
  }
  band.share = static_cast<double>(frequencies_from(band.first_ring)) / (kTileSide * kTileSide);
  band.fall = ring_ratio(calm, {std::min(band.first_ring, 17), 18}, {19, kEnd.last}, 0).ratio;
  return band;
}

std::string NoiseBand::how() const {
  const double nyquists = static_cast<double>(first_ring) / kNyquistRing;
  switch (from) {
    case BandFrom::optics:
      return fmt::format("beyond the optical cut-off, at {:.2f} Nyquist frequencies", nyquists);
    case BandFrom::spectrum:
      return fmt::format("where the spectrum is flat, beyond {:.2f} Nyquist frequencies", nyquists);
    case BandFrom::support_of_stack:
      return "in waves of blocks of planes that the optics pass in no direction (3-D support)";
    case BandFrom::end_of_spectrum:
      return fmt::format("at the end of the spectrum, beyond {:.2f} Nyquist frequencies", nyquists);
  }
  return {};
}

}  // namespace synthoscope::fit
