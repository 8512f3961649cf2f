// SPDX-License-Identifier: MIT
#include "score/likeness/images_of_place.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/error.hpp"
#include "imageio/formats.hpp"
#include "score/sets/image_frames.hpp"
#include "simulator/sweep/folder.hpp"
#include "textures/images/image_set.hpp"

namespace synthoscope::score {
namespace {

namespace fs = std::filesystem;
using textures::ImageToMeasure;

/// Returns the data sets of a sweep that were made, or those that lie in a folder, by name.
std::vector<fs::path> data_sets_in(const fs::path& folder) {
  std::vector<fs::path> sets;
  std::error_code failed;
  if (fs::exists(folder / simulator::kSweepRecord, failed)) {
    for (const std::string& set : simulator::recorded_sets(folder))
      if (is_data_set(folder / set)) sets.push_back(folder / set);
    if (sets.empty())
      throw InvalidSpec(fmt::format(
          "compare {}: none of the data sets of this sweep was made; make them with simulate "
          "--resume",
          folder.string()));
    return sets;
  }
  for (fs::directory_iterator at{folder, failed}, end; !failed && at != end; at.increment(failed))
    if (is_data_set(at->path())) sets.push_back(at->path());
  std::sort(sets.begin(), sets.end());
  return sets;
}

std::size_t channel_of(const simulator::DataSetReader& set, const imageio::OpenOptions& options) {
  if (!options.channel && set.channels().size() > 1)
    throw InvalidSpec(fmt::format("compare {}: it has {} channels; choose one with --channel",
                                  set.folder().string(), set.channels().size()));
  return require_channel(set, options.channel.value_or(0));
}

/// Returns the frames to take of `count`: all, or the chosen one.
std::pair<std::int64_t, std::int64_t> frames_to_take(std::int64_t count, const fs::path& place,
                                                     const imageio::OpenOptions& options) {
  if (!options.frame) return {0, count};
  if (*options.frame >= 0 && *options.frame < count) return {*options.frame, *options.frame + 1};
  throw InvalidSpec(fmt::format("compare {}: there is no frame {}; choose --frame 0 to {}",
                                place.string(), *options.frame, count - 1));
}

std::string name_of_frame(const fs::path& place, std::int64_t frame, std::int64_t count) {
  return count == 1 ? place.string() : fmt::format("{}, frame {}", place.string(), frame);
}

void add_data_set(const fs::path& folder, const imageio::OpenOptions& options,
                  std::vector<ImageToMeasure>& images) {
  const simulator::DataSetReader set{folder};
  const ImageFrames frames = images_in(set, channel_of(set, options));
  const ImageFrames labels = labels_in(set);
  const auto [first, end] = frames_to_take(frames.count, folder, options);
  for (std::int64_t frame = first; frame < end; ++frame)
    images.push_back(
        {name_of_frame(folder, frame, frames.count),
         [frames, frame](const RunContext& context) { return frames.open(frame, context); },
         [labels, frame](const RunContext& context) { return labels.open(frame, context); }});
}

void add_file(const fs::path& file, const imageio::OpenOptions& options, const RunContext& context,
              std::vector<ImageToMeasure>& images) {
  const ImageFrames frames = truth_frames(file, options, context);
  for (std::int64_t frame = 0; frame < frames.count; ++frame)
    images.push_back({name_of_frame(file, frame, frames.count),
                      [frames, frame](const RunContext& on) { return frames.open(frame, on); }});
}

void add_place(const fs::path& place, const imageio::OpenOptions& options,
               const RunContext& context, std::vector<ImageToMeasure>& images) {
  std::error_code failed;
  if (is_data_set(place)) return add_data_set(place, options, images);
  if (fs::is_directory(place, failed) && !imageio::format_with_extension_of(place)) {
    const std::vector<fs::path> sets = data_sets_in(place);
    for (const fs::path& set : sets) add_data_set(set, options, images);
    if (!sets.empty()) return;
    for (const fs::path& file : textures::images_in(place))
      add_file(file, options, context, images);
    return;
  }
  add_file(place, options, context, images);
}

}  // namespace

std::vector<ImageToMeasure> images_of_places(const std::vector<fs::path>& places,
                                             const imageio::OpenOptions& options,
                                             const RunContext& context) {
  std::vector<ImageToMeasure> images;
  for (const fs::path& place : places) add_place(place, options, context, images);
  return images;
}

void add_labels(const std::vector<fs::path>& places, const imageio::OpenOptions& options,
                const RunContext& context, std::vector<ImageToMeasure>& images) {
  if (places.empty()) return;
  imageio::OpenOptions of_labels = options;
  of_labels.labels = true;
  of_labels.channel = {};
  const std::vector<ImageToMeasure> labels = images_of_places(places, of_labels, context);
  if (labels.size() != images.size())
    throw InvalidSpec(
        fmt::format("compare {}: there are {} images and {} label images; give one label image for "
                    "each image, in the same order",
                    images.front().name, images.size(), labels.size()));
  for (std::size_t i = 0; i < images.size(); ++i)
    images[i].open_labels = labels[i].open_labels ? labels[i].open_labels : labels[i].open;
}

}  // namespace synthoscope::score
