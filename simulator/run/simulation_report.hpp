// SPDX-License-Identifier: MIT
// simulator/run/simulation_report.hpp — what a simulation did.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "fftconv/executor.hpp"
#include "simulator/base/grid.hpp"
#include "simulator/detector/camera_report.hpp"
#include "simulator/light/energy.hpp"
#include "simulator/optics/psf.hpp"

namespace synthoscope::simulator {

/// How the images of a channel, or of a scene without channels, were taken.
struct ImagingReport {
  std::string channel;       ///< empty: the scene has none
  std::int64_t psfs = 1;     ///< several if they vary over the volume
  double psf_origin_um = 0;  ///< z that the centre plane of the first PSF shows
  CameraReport camera;
  fftconv::Plan plan;
  fftconv::RunReport blur;                                   ///< of all frames
  PsfNormalization normalization = PsfNormalization::plane;  ///< how the light was scaled
  std::optional<EnergyBalance> energy;    ///< absent if the executor did not read all of the light
  std::optional<double> median_snr = {};  ///< of all objects; absent if none has a voxel
  std::optional<double> dose = {};        ///< that was found for illumination.snr
};

/// What a simulation did.
struct SimulationReport {
  std::int64_t seed = 0;  ///< the scene's, or the one that was drawn
  Grid grid;              ///< of photons and labels
  std::int64_t frames = 0;
  std::int64_t objects = 0;  ///< in all frames
  std::int64_t objects_without_voxel = 0;
  std::vector<ImagingReport> images;  ///< channel by channel
  double seconds = 0;
  std::vector<std::pair<std::string, double>> stages;  ///< name, wall seconds
  std::vector<std::filesystem::path> files;            ///< under their final names
};

}  // namespace synthoscope::simulator
