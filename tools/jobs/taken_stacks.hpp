// SPDX-License-Identifier: MIT
// tools/jobs/taken_stacks.hpp — the channels and frames of a file that a command takes: all, or
// those that --channel and --frame choose.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include "imageio/run/counted_image.hpp"

namespace synthoscope::tools {

/// Stacks of one file, which have the same extent and type and are opened one after another.
class TakenStacks {
 public:
  /// `options` may choose a channel, a frame, or both.
  /// @throws as open_counted, and InvalidSpec if there is no such channel or frame.
  TakenStacks(const std::filesystem::path& path, const imageio::OpenOptions& options,
              const RunContext& context);

  [[nodiscard]] std::int64_t channels() const { return channel_ ? 1 : file_.info().channels; }
  [[nodiscard]] std::int64_t frames() const { return frame_ ? 1 : file_.info().frames; }
  [[nodiscard]] std::int64_t count() const { return channels() * frames(); }

  /// Opens the stack `number` = frame * channels() + channel, counted among those that are taken.
  /// Reserves the memory of the largest, so that a plan for one holds for all.
  [[nodiscard]] imageio::CountedImage open(std::int64_t number, const RunContext& context) const;

  /// Sets how many channels and frames `spec` has, and the names of several channels. On entry
  /// `spec` is that of one stack; on return its extent is that of all.
  void describe(imageio::ImageSpec& spec) const;

  /// "2 channels and 3 frames of 5x33x47"; for one stack only its extent.
  [[nodiscard]] std::string text(const Extent3& extent) const;

 private:
  [[nodiscard]] std::int64_t channel_of(std::int64_t number) const {
    return channel_.value_or(number % channels());
  }
  [[nodiscard]] std::int64_t frame_of(std::int64_t number) const {
    return frame_.value_or(number / channels());
  }

  imageio::CountedStacks file_;
  std::optional<std::int64_t> channel_, frame_;  ///< the chosen ones
  std::int64_t most_bytes_ = 0;                  ///< that the reader of one of several holds
};

}  // namespace synthoscope::tools
