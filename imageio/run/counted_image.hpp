// SPDX-License-Identifier: MIT
// imageio/run/counted_image.hpp — memory of readers and writers, counted by a memory budget.
#pragma once
#include <filesystem>
#include "core/run/run_context.hpp"
#include "imageio/create.hpp"
#include "imageio/open.hpp"

namespace synthoscope::imageio {

/// An image and the reservation for what its reader holds in addition to the caller's voxels.
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

/// Reserves the memory that writing a file of `spec`'s format needs in addition to the voxels.
/// @throws PlanError  the budget is too small.
Reservation reserve_writing(const ImageSpec& spec, const RunContext& context);

}  // namespace synthoscope::imageio
