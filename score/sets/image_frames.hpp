// SPDX-License-Identifier: MIT
// score/sets/image_frames.hpp — the images of a truth or a result, one for each frame.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include "imageio/run/counted_image.hpp"
#include "simulator/report/data_set_reader.hpp"

namespace synthoscope::score {

/// Images that are opened one at a time.
struct ImageFrames {
  std::filesystem::path path;  ///< of the file or folder that holds them
  std::int64_t count = 1;
  std::function<imageio::CountedImage(std::int64_t frame, const RunContext& context)> open;
};

/// Returns whether a folder holds a data set of `simulate`.
bool is_data_set(const std::filesystem::path& folder);

/// Returns the labels of the frames that were made of a data set.
ImageFrames labels_in(const simulator::DataSetReader& set);

/// Returns the place of a channel. @throws InvalidSpec  there is no such channel.
std::size_t require_channel(const simulator::DataSetReader& set, std::int64_t channel);

/// Returns the images of a channel of the same frames.
ImageFrames images_in(const simulator::DataSetReader& set, std::size_t channel = 0);

/// Returns the frames of a result: of a data set its labels; of a file all its frames; of a folder
/// of files one frame each, by the last number in their names if these are the numbers of all
/// frames from 0 or 1 on, otherwise in the order of their names. A folder for one frame is a single
/// image, such as a stack of planes, if it does not hold exactly one file.
/// @param frames   of the truth
/// @param options  frame and channel choose among those of a file
/// @throws InvalidSpec   it has another number of frames: names both numbers, or a missing frame.
/// @throws IoError, InvalidInput  as imageio::inspect_counted
ImageFrames result_frames(const std::filesystem::path& path, std::int64_t frames,
                          const imageio::OpenOptions& options, const RunContext& context);

/// Returns all frames of a file, or of a folder of files as above.
ImageFrames truth_frames(const std::filesystem::path& path, const imageio::OpenOptions& options,
                         const RunContext& context);

}  // namespace synthoscope::score
