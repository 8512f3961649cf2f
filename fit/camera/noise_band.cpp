// SPDX-License-Identifier: MIT
#include "fit/camera/noise_band.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace synthoscope::fit {
namespace {

constexpr int kLastStart = 20;      ///< 2 % of the frequencies lie in the rings from there on
constexpr int kLastFlatStart = 18;  ///< a flat part of the spectrum begins there at the latest
constexpr double kFlat = 0.05;      ///< relative power above the end that counts as flat
constexpr double kErrors = 3;       ///< standard errors
constexpr RingRange kEnd{kLastStart, kTileRings - 1};
constexpr RingRange kLongWaves{4, 11};

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

/// The ring from which the spectrum stays at its end's power, in the tiles whose light varies most:
/// light ends there in the others, too.
int flat_from(const std::vector<NoiseTile>& tiles) {
  auto varied = calm_tiles(pointers_to(tiles), tiles.size());
  varied.erase(varied.begin(), varied.begin() + static_cast<std::ptrdiff_t>(varied.size() / 2));
  int first = kLastStart;
  for (int ring = kLastStart - 1; ring >= 3; --ring) {
    const RingRatio above_end = ring_ratio(varied, {ring, ring}, kEnd, 0);
    if (above_end.ratio > 1 + kFlat + kErrors * above_end.error) break;
    first = ring;
  }
  return first;
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
  const double n = static_cast<double>(tiles.size());
  std::vector<double> a, b;
  double sum_a = 0, sum_b = 0;
  for (const NoiseTile* tile : tiles) {
    const double own = std::max(power_from(*tile, 12), 1e-12);
    a.push_back((ring_mean(*tile, above) - rounding) / own);
    b.push_back((ring_mean(*tile, below) - rounding) / own);
    sum_a += a.back();
    sum_b += b.back();
  }
  RingRatio result;
  const double least = 1e-3 * n;
  result.ratio = sum_a / std::max(sum_b, least);
  // Of a ratio of sums: the scatter of what each tile adds to it
  double square = 0;
  for (std::size_t i = 0; i < a.size(); ++i) square += std::pow(a[i] - result.ratio * b[i], 2);
  result.error = std::sqrt(square * n / std::max(n - 1, 1.0)) / std::max(sum_b, least);
  return result;
}

NoiseBand noise_band(const std::vector<NoiseTile>& tiles, double cutoff, bool optics_are_known) {
  const auto calm = calm_tiles(pointers_to(tiles), tiles.size() / 2);
  const int of_optics = static_cast<int>(std::ceil(std::min(cutoff, 10.0) * kNyquistRing)) + 1;
  const int of_spectrum = flat_from(tiles);
  NoiseBand band;
  band.first_ring = optics_are_known ? of_optics : std::max(of_optics, of_spectrum);
  band.from = band.first_ring > of_optics ? BandFrom::spectrum : BandFrom::optics;
  if (band.first_ring > kLastStart) {
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
    case BandFrom::end_of_spectrum:
      return fmt::format("at the end of the spectrum, beyond {:.2f} Nyquist frequencies", nyquists);
  }
  return {};
}

}  // namespace synthoscope::fit
