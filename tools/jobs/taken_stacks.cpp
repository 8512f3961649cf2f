// SPDX-License-Identifier: MIT
#include "tools/jobs/taken_stacks.hpp"
#include <fmt/format.h>
#include <algorithm>

namespace synthoscope::tools {

TakenStacks::TakenStacks(const std::filesystem::path& path, const imageio::OpenOptions& options,
                         const RunContext& context)
    : file_{path, options, context}, channel_{options.channel}, frame_{options.frame} {
  const imageio::ImageInfo& info = file_.info();
  if (channel_) imageio::chosen_stack(path, "channel", info.channels, channel_);
  if (frame_) imageio::chosen_stack(path, "frame", info.frames, frame_);
  for (std::int64_t number = 0; count() > 1 && number < count(); ++number)
    most_bytes_ = std::max(most_bytes_, file_.buffer_bytes(channel_of(number), frame_of(number)));
}

imageio::CountedImage TakenStacks::open(std::int64_t number, const RunContext& context) const {
  return file_.open(channel_of(number), frame_of(number), most_bytes_, context);
}

void TakenStacks::describe(imageio::ImageSpec& spec) const {
  const imageio::ImageInfo& info = file_.info();
  spec.channels = channels();
  spec.frames = frames();
  spec.extent.z *= count();
  if (spec.channels == 1) return;
  spec.channel.reset();
  if (std::ssize(info.channel_names) == info.channels) spec.channel_names = info.channel_names;
}

std::string TakenStacks::text(const Extent3& extent) const {
  if (count() == 1) return fmt::format("{}", extent);
  return fmt::format("{} of {}", imageio::print_stacks(channels(), frames()), extent);
}

}  // namespace synthoscope::tools
