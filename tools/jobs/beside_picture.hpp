// SPDX-License-Identifier: MIT
// tools/jobs/beside_picture.hpp — a picture of an image and of its deconvolved light, side by side.
#pragma once
#include <filesystem>
#include "core/run/run_context.hpp"
#include "jobs/deconvolve/deconvolve_job.hpp"

namespace synthoscope::tools {

/// Checks before any work that the picture can be written.
/// @param is_one_of_several  the folder of the results may not exist yet
/// @throws InvalidSpec  it does not end in .png, several images would share it, or it exists and
///                      the job neither replaces nor resumes anything.
/// @throws IoError      its folder does not exist.
void require_picture(const std::filesystem::path& picture, const jobs::DeconvolveJob& job,
                     bool is_one_of_several);

/// Draws the largest values of the image and of the result along each axis, each in its own range
/// of brightness. Reads both files of `job`, whose result is finished. Does nothing if a job that
/// is resumed has made the picture already.
/// @throws PlanError  the memory has no room for it.  @throws as open_counted and write_png
void draw_beside(const jobs::DeconvolveJob& job, const std::filesystem::path& picture,
                 const RunContext& context);

}  // namespace synthoscope::tools
