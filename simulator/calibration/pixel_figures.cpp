// SPDX-License-Identifier: MIT
#include "simulator/calibration/pixel_figures.hpp"
#include <algorithm>
#include <cmath>
#include <numeric>
#include "simulator/calibration/pixel_statistics.hpp"

namespace synthoscope::simulator {

bool can_determine_dark_current(const std::vector<NamedStack>& darks) {
  const auto is_known = [](const NamedStack& dark) { return dark.exposure_seconds.has_value(); };
  const auto is_another = [&](const NamedStack& dark) {
    return dark.exposure_seconds != darks.front().exposure_seconds;
  };
  return std::all_of(darks.begin(), darks.end(), is_known) &&
         std::any_of(darks.begin(), darks.end(), is_another);
}

std::int64_t Levels::step() const {
  std::int64_t step = 0;
  for (const auto* levels : {&darks, &flats})
    for (const StackLevel& level : *levels) {
      step = std::gcd(step, level.step);
      step = std::gcd(step, static_cast<std::int64_t>(std::abs(level.first - dark().first)));
    }
  return std::max<std::int64_t>(step, 1);
}

DarkSignal dark_signal(const std::vector<NamedStack>& stacks, const Levels& levels) {
  DarkSignal signal;
  const StackLevel& reference = levels.dark();
  signal.offset = reference.mean;
  if (!can_determine_dark_current(stacks)) return signal;
  double frames = 0, mean = 0, squares = 0;
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    frames += static_cast<double>(levels.darks[i].frames);
    mean += static_cast<double>(levels.darks[i].frames) * *stacks[i].exposure_seconds;
  }
  mean /= frames;
  std::vector<double> slope(signal.offset.size(), 0.0), middle(signal.offset.size(), 0.0);
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    const auto weight = static_cast<double>(levels.darks[i].frames);
    const double from_mean = *stacks[i].exposure_seconds - mean;
    squares += weight * from_mean * from_mean;
    for (std::size_t p = 0; p < slope.size(); ++p) {
      const auto dn = static_cast<double>(levels.darks[i].mean[p]);
      slope[p] += weight * from_mean * dn;
      middle[p] += weight * dn / frames;
    }
  }
  signal.per_second.resize(slope.size());
  for (std::size_t p = 0; p < slope.size(); ++p) {
    signal.per_second[p] = static_cast<float>(slope[p] / squares);
    signal.offset[p] = static_cast<float>(middle[p] - slope[p] / squares * mean);
  }
  signal.per_second_noise = reference.variance_dn2 / squares;
  return signal;
}

std::vector<float> known_variances(const Levels& levels, const DarkSignal& dark, double slope) {
  const StackLevel& reference = levels.dark();
  const auto step = static_cast<double>(levels.step());
  const double rounding = step * step / 12;  // its variance, in DN^2
  std::vector<float> known(reference.mean.size(), static_cast<float>(rounding));
  if (dark.per_second.empty()) return known;
  for (std::size_t p = 0; p < known.size(); ++p) {
    const double charge =
        static_cast<double>(reference.mean[p]) - static_cast<double>(dark.offset[p]);
    known[p] = static_cast<float>(rounding + slope * charge);  // not cut at 0, so that its mean is
                                                               // right
  }
  return known;
}

Responses responses(const Levels& levels, const DarkSignal& dark,
                    const std::vector<NamedStack>& flats,
                    const std::vector<TransferPoint>& points) {
  std::vector<double> light(dark.offset.size(), 0.0);
  double total = 0, variance = 0, frames = 0;
  for (std::size_t i = 0; i < levels.flats.size(); ++i) {
    if (!points[i].left_out.empty()) continue;
    const auto weight = static_cast<double>(levels.flats[i].frames);
    const double dark_time = dark.per_second.empty() ? 0 : flats[i].exposure_seconds.value_or(0);
    for (std::size_t p = 0; p < light.size(); ++p) {
      const double charge = dark_time > 0 ? dark_time * static_cast<double>(dark.per_second[p]) : 0;
      light[p] += weight * (static_cast<double>(levels.flats[i].mean[p]) -
                            static_cast<double>(dark.offset[p]) - charge);
    }
    total += weight * points[i].signal_dn;
    variance += weight * points[i].variance_dn2;
    frames += weight;
  }
  const double dark_noise =
      levels.dark().variance_dn2 / static_cast<double>(levels.dark().frames) * frames * frames;
  Responses answers{std::vector<float>(light.size()), (variance + dark_noise) / (total * total)};
  std::transform(light.begin(), light.end(), answers.over_mean.begin(),
                 [&](double sum) { return static_cast<float>(sum / total); });
  divide_by_surface(answers.over_mean, levels.dark().height, levels.dark().width);
  // Dead pixels are part of the field's mean, and of its noise in the same way
  const double of_others = bulk_of(answers.over_mean, answers.noise).mean;
  for (float& answer : answers.over_mean)
    answer = static_cast<float>(static_cast<double>(answer) / of_others);
  return answers;
}

CameraMaps maps_of(const Calibration& found, const Levels& levels, const DarkSignal& dark,
                   const std::vector<float>& known, const Responses& answers) {
  const StackLevel& reference = levels.dark();
  const double gain = found.gain.value, charge = gain * found.camera.em_gain;
  CameraMaps maps;
  maps.height = reference.height;
  maps.width = reference.width;
  maps.offset_dn = dark.offset;
  for (float& offset : maps.offset_dn) offset = std::max(offset, 0.0F);
  maps.read_noise_electrons = reference.variance;
  for (std::size_t p = 0; p < known.size(); ++p) {
    const double own = static_cast<double>(reference.variance[p]) - static_cast<double>(known[p]);
    maps.read_noise_electrons[p] = static_cast<float>(std::sqrt(std::max(own, 0.0)) / gain);
  }
  maps.gain_dn_per_electron = answers.over_mean;
  for (float& value : maps.gain_dn_per_electron)
    value = static_cast<float>(std::max(static_cast<double>(value) * gain, 0.0));
  maps.dark_current = dark.per_second;
  for (float& value : maps.dark_current)
    value = static_cast<float>(std::max(static_cast<double>(value) / charge, 0.0));
  return maps;
}

}  // namespace synthoscope::simulator
