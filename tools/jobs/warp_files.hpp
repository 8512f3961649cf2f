// SPDX-License-Identifier: MIT
// tools/jobs/warp_files.hpp — files that say how an image is bent: landmarks, and fields of
// displacements.
#pragma once
#include <array>
#include <filesystem>
#include <vector>
#include "core/run/host_buffer.hpp"
#include "core/run/run_context.hpp"
#include "imageio/open.hpp"
#include "kernels/coordinates/warp.hpp"

namespace synthoscope::tools {

/// Lines of y,x in the result and in the image, or of z,y,x in each; those that are empty or begin
/// with a letter or # are skipped.
/// @throws InvalidInput, IoError
std::vector<kernels::Landmark> read_landmarks(const std::filesystem::path& path);

/// Displacements along z, y and x of a result of `extent`, counted; nothing along z where the file
/// has two channels.
/// @throws InvalidInput, IoError, PlanError
std::array<HostBuffer<float>, 3> read_displacements(const std::filesystem::path& path,
                                                    const imageio::OpenOptions& options,
                                                    const Extent3& extent,
                                                    const RunContext& context);

}  // namespace synthoscope::tools
