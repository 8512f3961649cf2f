// SPDX-License-Identifier: MIT
// simulator/run/dose_series.hpp — one plane of a scene, recorded with several doses.
#pragma once
#include <optional>
#include <string>
#include <vector>
#include "fftconv/executor.hpp"
#include "simulator/pictures/slices.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::simulator {

/// A plane as one channel records it.
struct DosedPlane {
  std::string channel;        ///< empty: the scene has none
  double dose = 1;            ///< illumination.dose
  std::optional<double> snr;  ///< of the median object of the frame; absent if there is no object
  Slice counts;
};

/// Blurs the first frame once for each channel, and records the plane through the object nearest to
/// the middle with every dose; a dose or a ratio of the scene is not used. Holds photons in a
/// scratch file of the system's folder for temporary files. Writes nothing else.
/// @param channel  of a scene with channels: only this one
/// @returns channel by channel, in the order of the doses. The caller counts their memory after
///          this: 4 bytes for each pixel.
/// @throws as FrameMaker; PlanError  the memory has no room for the planes.
std::vector<DosedPlane> record_doses(const SceneSpec& scene, const std::vector<double>& doses,
                                     const std::optional<std::string>& channel,
                                     fftconv::Executor& blur, const RunContext& context);

}  // namespace synthoscope::simulator
