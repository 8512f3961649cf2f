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

/// Opens an image. Its decoded chunks use at most a sixteenth of the memory budget, and its
/// decoders another sixteenth.
/// @throws as open_image, and PlanError if the memory has no room for one chunk, strip or tile, or
/// for parsing.
CountedImage open_counted(const std::filesystem::path& path, OpenOptions options,
                          const RunContext& context);

/// A file whose stacks are opened one after another. It is described once, and its memory is
/// counted as by open_counted.
class CountedStacks {
 public:
  /// @throws as inspect, and PlanError
  CountedStacks(std::filesystem::path path, OpenOptions options, const RunContext& context);

  [[nodiscard]] const ImageInfo& info() const { return stacks_.info; }
  /// Returns what the reader of a stack holds. Opens the stack, but reads none of its voxels.
  [[nodiscard]] std::int64_t buffer_bytes(std::int64_t channel, std::int64_t frame) const {
    return stacks_.open(channel, frame).buffer_bytes;
  }
  /// @param least_bytes  is reserved even if the reader of this stack holds less
  /// @throws as open_counted
  [[nodiscard]] CountedImage open(std::int64_t channel, std::int64_t frame,
                                  std::int64_t least_bytes, const RunContext& context) const;

 private:
  std::filesystem::path path_;
  ImageStacks stacks_;
};

/// As `inspect`, and counts the memory of parsing. @throws as inspect, and PlanError
ImageInfo inspect_counted(const std::filesystem::path& path, OpenOptions options,
                          const RunContext& context);

/// Logs how an image was read: its notes as warnings, and the meaning of its axes as a note if the
/// image has several channels or frames or if --axes named the axes, otherwise as a detail.
void report_reading(const std::filesystem::path& path, const ImageInfo& info, Log& log);

/// Reserves the memory that writing a file of `spec`'s format needs in addition to the voxels.
/// @throws PlanError  the budget is too small.
Reservation reserve_writing(const ImageSpec& spec, const RunContext& context);

}  // namespace synthoscope::imageio
