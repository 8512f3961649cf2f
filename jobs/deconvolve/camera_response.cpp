// SPDX-License-Identifier: MIT
#include "jobs/deconvolve/camera_response.hpp"

namespace synthoscope::jobs {

deconvolution::CameraResponse response_of(const simulator::CameraSpec& camera) {
  const double excess = camera.em_gain > 1 ? 2 : 1;
  const double dark = camera.dark_current_electrons_per_second * camera.exposure_seconds +
                      camera.clock_induced_charge_electrons;
  return {.offset = camera.offset_dn,
          .gain = camera.gain_dn_per_electron * camera.em_gain * excess,
          .per_photon = camera.quantum_efficiency / excess,
          .read_noise = camera.read_noise_electrons / (camera.em_gain * excess),
          .dark = dark / excess};
}

}  // namespace synthoscope::jobs
