// SPDX-License-Identifier: MIT
// studio/files/file_routes.hpp — files that the user gives the page, and gets from it.
#pragma once
#include <filesystem>
#include "core/run/memory_budget.hpp"
#include "studio/server/router.hpp"
#include "studio/session/live_preview.hpp"

namespace synthoscope::studio {

/// Adds
///
///     GET  /api/files                      files_json
///     POST /api/images/upload/NAME (file)  opens it: json_of(GivenImage)
///     POST /api/images {name}              the same for a file of the folder
///     POST /api/images/again {id, axes, image}  opens it with other letters for its axes, or
///                                          another image of its file
///     GET  /api/images/ID/CHANNEL/FRAME    the voxels that are shown, little endian, z, y, x
///     POST /api/images/save {id, name, overwrite}  saves an image that was received: {"name"}
///     POST /api/text {name, text}          {"text", "kind": "scene" or "camera"}; without a text,
///                                          of the file of this name in the folder
///     POST /api/use {toml, psf, pitch_nm}  the scene with the PSF of this file, whose voxel size
///     is
///                                          given if the file does not know it: as /api/set
///     POST /api/use {toml, camera, name}   the scene with the camera of this text: as /api/set
///     GET  /api/stacks/ID/NAME/NUMBER      a stack of a preview as OME-TIFF
///
/// @param folder   that files are listed, opened and saved in
/// @param memory   for images, @param preview  that is downloaded; both outlive the router
void add_file_routes(Router& router, const std::filesystem::path& folder, MemoryBudget& memory,
                     const LivePreview& preview);

}  // namespace synthoscope::studio
