// SPDX-License-Identifier: MIT
// simulator/optics/measured_file.hpp — looks at the file of a measured PSF: its voxel size,
// background and centre.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include "core/run/stop.hpp"
#include "core/volume/box.hpp"
#include "fftconv/kernel/kernel.hpp"
#include "imageio/open.hpp"
#include "simulator/base/voxel_position.hpp"
#include "simulator/optics/pupil/optics_spec.hpp"

namespace synthoscope::simulator {

struct MeasuredFile {
  imageio::OpenImage image;
  VoxelSize pitch;
  fftconv::KernelSummary summary;  ///< after its background was taken off
  VoxelPosition centre;            ///< of the light, by optics.file_center
};

/// Opens and reads the file of `spec`, whose model is `file`: once or twice for its background,
/// once for its sum, once more for a centroid.
/// @throws InvalidSpec   neither the file nor the spec says how large voxels are.
/// @throws InvalidInput  NaN, infinity, or no light.
/// @throws IoError, InvalidInput  as imageio::open_image.
MeasuredFile open_measured(const OpticsSpec& spec, const StopFlag& stop);

/// Returns the light's centre in a kernel that has `summary`, to a fraction of a voxel.
///   peak      the top of a Gaussian through the largest voxel and its neighbours, along each axis;
///             if a camera saturated, through the voxels around the plateau
///   centroid  the centre of mass of all voxels above a tenth of the peak
///   middle    the middle of the file
VoxelPosition centre_of_light(FileCenter rule, Source& kernel,
                              const fftconv::KernelSummary& summary, const StopFlag& stop);

}  // namespace synthoscope::simulator
