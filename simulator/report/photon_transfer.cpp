// SPDX-License-Identifier: MIT
#include "simulator/report/photon_transfer.hpp"
#include <algorithm>
#include <cmath>

namespace synthoscope::simulator {
namespace {

constexpr double kEnoughPixels = 800;

double square(double v) {
  return v * v;
}

}  // namespace

double TransferModel::variance(double photons) const {
  const double electrons = quantum_efficiency * photons + dark_electrons;
  const double signal = gain * multiplication * electrons;
  const double noise = square(multiplication) * excess * electrons +
                       square(read_noise) * (1 + square(read_noise_spread)) + square(row_noise);
  return square(gain) * noise * (1 + square(gain_spread)) + square(gain_spread * signal) +
         square(offset_spread) + 1.0 / 12;
}

TransferModelOrReason transfer_model(const DataSetReader& set, std::size_t channel) {
  const Json& camera = set.camera(channel);
  for (const char* map : {"offset_map", "gain_map", "read_noise_map", "dark_current_map"})
    if (camera.contains(map) && !camera.at(map).is_null())
      return {{}, "the camera takes maps of its pixels from files"};
  const auto figure = [&](const char* key, double otherwise) {
    return set.number("camera", key, channel).value_or(otherwise);
  };
  if (figure("binning", 1) != 1) return {{}, "the camera bins its pixels"};
  for (const char* other : {"hot_pixels", "dead_pixels", "dark_current_spread"})
    if (figure(other, 0) > 0) return {{}, "pixels differ in dark current, or some are dead"};
  for (const char* other : {"dead_time_ns", "one_bit_frames", "afterpulse_probability"})
    if (figure(other, 0) > 0)
      return {
          {},
          "counters with dead time, frames of one bit or afterpulses are not a Poisson process"};
  TransferModel model;
  model.quantum_efficiency = figure("quantum_efficiency", 1);
  model.dark_electrons =
      figure("dark_current_electrons_per_second", 0) * figure("exposure_seconds", 1) +
      figure("clock_induced_charge_electrons", 0);
  model.gain = figure("gain_dn_per_electron", 1);
  model.multiplication = figure("em_gain", 1);
  model.excess = 2 - 1 / model.multiplication;
  model.read_noise = figure("read_noise_electrons", 0);
  model.read_noise_spread = figure("read_noise_spread", 0);
  model.row_noise = figure("row_noise_electrons", 0);
  model.gain_spread = std::hypot(figure("gain_spread", 0), figure("column_gain_spread", 0));
  model.offset_spread =
      std::hypot(figure("offset_spread_dn", 0), figure("column_offset_spread_dn", 0),
                 figure("row_offset_spread_dn", 0));
  return {model, ""};
}

std::vector<TransferBin> trusted(const std::vector<TransferBin>& bins) {
  std::vector<TransferBin> enough;
  std::copy_if(bins.begin(), bins.end(), std::back_inserter(enough), [](const TransferBin& bin) {
    return bin.pixels >= kEnoughPixels && bin.clipped == 0;
  });
  return enough;
}

std::optional<double> variance_ratio(const std::vector<TransferBin>& bins,
                                     const TransferModel& model) {
  std::vector<double> ratios;
  for (const auto& bin : bins)
    ratios.push_back(bin.variance() / model.variance(bin.mean_photons()));
  if (ratios.empty()) return std::nullopt;
  const auto middle = ratios.begin() + std::ssize(ratios) / 2;
  std::nth_element(ratios.begin(), middle, ratios.end());
  return *middle;
}

}  // namespace synthoscope::simulator
