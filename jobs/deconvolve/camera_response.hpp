// SPDX-License-Identifier: MIT
// jobs/deconvolve/camera_response.hpp — a camera of a scene, as a deconvolution uses it.
#pragma once
#include "deconvolution/image/recorded_light.hpp"
#include "simulator/detector/camera_spec.hpp"

namespace synthoscope::jobs {

/// Returns the response that all pixels have in common; differences between pixels are left out.
///
/// A register that multiplies electrons doubles the variance of their number. Half as many, each
/// with twice the gain, have the mean and the variance that are recorded.
/// @source Robbins, Hadwen, IEEE Trans. Electron Devices 50 (2003) 1227,
///         doi:10.1109/TED.2003.813462 (excess noise)
deconvolution::CameraResponse response_of(const simulator::CameraSpec& camera);

}  // namespace synthoscope::jobs
