// SPDX-License-Identifier: MIT
#include "simulator/detector/expected_counts.hpp"
#include <algorithm>
#include <cmath>

namespace synthoscope::simulator {
namespace {

/// Moments of what leaves a register of mean gain `gain` (em_register.hpp), or of counts with their
/// afterpulses.
CountMoments multiplied(const CountMoments& in, double gain) {
  return {gain * in.mean, gain * gain * in.variance + gain * (gain - 1) * in.mean};
}

CountMoments counted(const PhotonCounter& counter, double mean) {
  if (counter.one_bit_frames > 0) {
    const auto frames = static_cast<double>(counter.one_bit_frames);
    const double chance = -std::expm1(-mean / frames);
    return {frames * chance, frames * chance * (1 - chance)};
  }
  const double open = 1 / (1 + mean * counter.dead_part);  // share of the time that is not dead
  return {mean * open, mean * open * open * open};
}

}  // namespace

ExpectedCounts::ExpectedCounts(const CameraEpilogue& camera)
    : exposure_{camera.exposure()},
      maps_{camera.maps().offset_dn.data(), camera.maps().gain_dn_per_electron.data(),
            camera.maps().read_noise_electrons.data(),
            camera.maps().dark_current.empty() ? nullptr : camera.maps().dark_current.data()} {}

/// Electrons, or counts, of a pixel of the sensor at the end of the exposure.
CountMoments ExpectedCounts::collected(std::int64_t pixel, float photons) const {
  const double dark = dark_electrons(exposure_.electronics, maps_.dark_current, pixel);
  const double mean = mean_electrons(std::max(photons, 0.0F), exposure_.electronics, dark);
  const PhotonCounter& counter = exposure_.counter;
  return counter.is_used ? multiplied(counted(counter, mean), counter.afterpulse_gain)
                         : CountMoments{mean, mean};
}

/// Digital numbers, without the noise of rows. Counters have whole numbers: rounding adds nothing.
CountMoments ExpectedCounts::read_out(std::int64_t pixel, const CountMoments& electrons) const {
  const double gain = maps_.gain_dn_per_electron[pixel], read = maps_.read_noise_electrons[pixel];
  const double rounding = exposure_.counter.is_used ? 0 : 1.0 / 12;
  return {maps_.offset_dn[pixel] + gain * electrons.mean,
          gain * gain * (electrons.variance + read * read) + rounding};
}

CountMoments ExpectedCounts::of(std::int64_t y, std::int64_t x,
                                const PhotonPointer& photons) const {
  const Exposure& e = exposure_;
  const double row_noise = e.electronics.row_noise_electrons;
  CountMoments charge, sum;
  for (std::int64_t row = 0; row < e.binning; ++row) {
    double gains = 0;  // of the pixels that share the noise of a row
    for (std::int64_t column = 0; column < e.binning; ++column) {
      const std::int64_t pixel = (y * e.binning + row) * e.width + x * e.binning + column;
      const CountMoments one = collected(pixel, photons.first[row * photons.row + column]);
      charge = {charge.mean + one.mean, charge.variance + one.variance};
      if (e.adds_charge) continue;
      const CountMoments count = read_out(pixel, one);
      sum = {sum.mean + count.mean, sum.variance + count.variance};
      gains += maps_.gain_dn_per_electron[pixel];
    }
    sum.variance += gains * gains * row_noise * row_noise;
  }
  if (!e.adds_charge) return sum;
  const std::int64_t pixel = y * (e.width / e.binning) + x;
  CountMoments count = read_out(pixel, multiplied(charge, e.electronics.em_gain));
  const double common = maps_.gain_dn_per_electron[pixel] * row_noise;
  count.variance += common * common;
  return count;
}

double ExpectedCounts::range_used(std::int64_t y, std::int64_t x,
                                  const PhotonPointer& photons) const {
  constexpr double kUsableCounts = 0.9;
  const Exposure& e = exposure_;
  const PixelElectronics& electronics = e.electronics;
  double used = 0;
  CountMoments charge;
  for (std::int64_t row = 0; row < e.binning; ++row)
    for (std::int64_t column = 0; column < e.binning; ++column) {
      const std::int64_t pixel = (y * e.binning + row) * e.width + x * e.binning + column;
      const double mean = collected(pixel, photons.first[row * photons.row + column]).mean;
      charge.mean += mean;
      used = std::max(used, mean / electronics.full_well_electrons);
      if (e.counter.is_used)
        used = std::max(used,
                        mean / (kUsableCounts * e.counter.afterpulse_gain * e.counter.most_counts));
    }
  if (e.adds_charge)
    used = std::max(used, multiplied(charge, electronics.em_gain).mean /
                              electronics.register_full_well_electrons);
  return std::max(used, of(y, x, photons).mean / electronics.largest_dn);
}

}  // namespace synthoscope::simulator
