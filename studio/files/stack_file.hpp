// SPDX-License-Identifier: MIT
// studio/files/stack_file.hpp — a stack of a preview as a file.
#pragma once
#include <string>
#include "studio/session/live_preview.hpp"

namespace synthoscope::studio {

/// Returns the bytes of an OME-TIFF with the voxels of a stack, its voxel size, and the name and
/// the wavelength of its channel.
/// @param name  "labels", "light", "photons", "image" or "psf"
std::string ome_tiff_of(const PublishedStack& stack, const std::string& name);

}  // namespace synthoscope::studio
