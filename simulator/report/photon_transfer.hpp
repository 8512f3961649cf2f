// SPDX-License-Identifier: MIT
// simulator/report/photon_transfer.hpp — the noise of a camera at a given mean, by its figures.
#pragma once
#include <optional>
#include <vector>
#include "simulator/report/data_set_reader.hpp"
#include "simulator/report/survey.hpp"

namespace synthoscope::simulator {

/// Mean and variance of the counts of pixels that get the same light, over all pixels of a camera
/// whose gain, offset and read noise differ from pixel to pixel:
///
///     e = QE photons + dark + clock-induced charge,   s = K g e,
///     variance = K^2 (g^2 F^2 e + read^2 (1 + spread^2) + row^2) (1 + gain spread^2)
///              + (gain spread s)^2 + offset spread^2 + 1/12,   F^2 = 2 - 1/g for emccd, else 1
///
/// @source EMVA Standard 1288, release 4.0, section 2, with the multiplication of em_register.hpp.
struct TransferModel {
  double quantum_efficiency = 1, dark_electrons = 0;
  double gain = 1, multiplication = 1, excess = 1;  ///< K, g, F^2
  double read_noise = 0, read_noise_spread = 0, row_noise = 0;
  double gain_spread = 0, offset_spread = 0;  ///< of pixels, columns and rows together

  [[nodiscard]] double variance(double photons) const;
};

/// A model, or the reason why there is none: "the camera bins its pixels".
struct TransferModelOrReason {
  std::optional<TransferModel> model;
  std::string why_none;
};

/// Returns the model of the camera in scene.json; none if it bins pixels, has pixels unlike the
/// others, counts photons with dead time, one-bit frames or afterpulses, or takes its maps from
/// files, whose figures scene.json does not hold.
TransferModelOrReason transfer_model(const DataSetReader& set, std::size_t channel = 0);

/// Returns bins with enough pixels for a variance within 10 % (2 sqrt(2 / n)), none of them
/// clipped.
std::vector<TransferBin> trusted(const std::vector<TransferBin>& bins);

/// Returns the median over `bins` of the measured variance over the model's; null without bins.
std::optional<double> variance_ratio(const std::vector<TransferBin>& bins,
                                     const TransferModel& model);

}  // namespace synthoscope::simulator
