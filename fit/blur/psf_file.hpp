// SPDX-License-Identifier: MIT
// fit/blur/psf_file.hpp — the PSF of a fitted scene as a file, for deconvolution and `convolve`.
#pragma once
#include <filesystem>
#include "core/run/run_context.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

/// Writes the PSF that a scene is blurred with, as `synthoscope psf SCENE` does: float32 on the
/// scene's grid, or a finer one with oversampling, with the position of its centre. Where the PSF
/// varies with depth or along a sheet, it is that of optics.depth_um, without the widening.
/// @param path  ending in .ome.tif
/// @throws InvalidSpec  the file exists and `overwrite` is false.
/// @throws IoError, PlanError, Interrupted, and as simulator::make_psf
void write_psf(const simulator::SceneSpec& scene, const std::filesystem::path& path, bool overwrite,
               const RunContext& context);

}  // namespace synthoscope::fit
