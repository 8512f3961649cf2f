// SPDX-License-Identifier: MIT
// imageio/run/counted_image.hpp — what files hold beside the caller's voxels, counted by a budget.
#pragma once
#include <filesystem>
#include "core/run/run_context.hpp"
#include "imageio/create.hpp"
#include "imageio/open.hpp"

namespace synthoscope::imageio {

/// An image whose reading is counted: what it holds beside the caller's voxels.
struct CountedImage : OpenImage {
  Reservation held;
};

/// Opens an image and lets it keep chunks in an eighth of the memory at most.
/// @throws as open_image, and PlanError if the memory has no room for one chunk, strip or tile, or
/// for parsing.
CountedImage open_counted(const std::filesystem::path& path, OpenOptions options,
                          const RunContext& context);

/// As `inspect`; what parsing takes is counted. @throws as inspect, and PlanError
ImageInfo inspect_counted(const std::filesystem::path& path, OpenOptions options,
                          const RunContext& context);

/// Warns of every note of an image that a command uses, and says what its axes were taken for: as a
/// note if it has several channels or frames or if --axes named them, else as a detail.
void report_reading(const std::filesystem::path& path, const ImageInfo& info, Log& log);

/// Counts what writing a file holds beside the voxels. `spec` says which format it has.
/// @throws PlanError  the memory has no room for it.
Reservation reserve_writing(const ImageSpec& spec, const RunContext& context);

}  // namespace synthoscope::imageio
