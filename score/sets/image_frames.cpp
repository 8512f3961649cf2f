// SPDX-License-Identifier: MIT
#include "score/sets/image_frames.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "core/base/error.hpp"
#include "imageio/formats.hpp"

namespace synthoscope::score {
namespace {

namespace fs = std::filesystem;

/// Returns the images of a folder by name; names that begin with a dot are no images.
std::vector<fs::path> image_files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::directory_iterator at{folder, failed}, end; !failed && at != end; at.increment(failed))
    if (at->path().filename().string().front() != '.' &&
        imageio::format_with_extension_of(at->path()))
      files.push_back(at->path());
  if (failed)
    throw IoError(fmt::format("list {}: {}; give a folder that can be read", folder.string(),
                              failed.message()));
  std::sort(files.begin(), files.end());
  return files;
}

/// Returns the last number in a file's name before its extensions.
std::optional<std::int64_t> last_number(const fs::path& file) {
  const std::string name = file.filename().string();
  const std::string stem = name.substr(0, name.find('.'));
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const auto end = std::find_if(stem.rbegin(), stem.rend(), is_digit);
  const auto begin = std::find_if_not(end, stem.rend(), is_digit);
  const std::string digits{begin.base(), end.base()};
  if (digits.empty() || digits.size() > 9) return std::nullopt;
  return std::stoll(digits);
}

/// Returns the files by the numbers of their names; nothing if these are missing or not unique.
std::optional<std::map<std::int64_t, fs::path>> by_number(const std::vector<fs::path>& files) {
  std::map<std::int64_t, fs::path> numbered;
  for (const fs::path& file : files) {
    const auto number = last_number(file);
    if (!number || !numbered.emplace(*number, file).second) return std::nullopt;
  }
  return numbered;
}

/// Returns the first number that is missing, counted from 0 or from 1 if there is no 0.
std::int64_t first_missing(const std::map<std::int64_t, fs::path>& numbered) {
  std::int64_t next = numbered.contains(0) ? 0 : 1;
  while (numbered.contains(next)) ++next;
  return next;
}

/// Returns a file for each frame, in order.
std::vector<fs::path> frame_files(const fs::path& folder, std::optional<std::int64_t> frames) {
  std::vector<fs::path> files = image_files_in(folder);
  const auto numbered = by_number(files);
  if (frames && std::ssize(files) != *frames) {
    const std::string missing =
        numbered && std::ssize(files) < *frames
            ? fmt::format(", the first that is missing has number {}", first_missing(*numbered))
            : "";
    throw InvalidSpec(
        fmt::format("score {}: the truth has {} frames, and this folder holds {} images{}; give "
                    "one image for each frame",
                    folder.string(), *frames, files.size(), missing));
  }
  if (!numbered) return files;
  std::vector<fs::path> in_order;
  for (const auto& [number, file] : *numbered) in_order.push_back(file);
  return in_order;
}

ImageFrames frames_of_files(const fs::path& folder, std::vector<fs::path> files,
                            const imageio::OpenOptions& options) {
  const std::int64_t count = std::ssize(files);
  return {folder, count,
          [files = std::move(files), options](std::int64_t frame, const RunContext& context) {
            return imageio::open_counted(files.at(static_cast<std::size_t>(frame)), options,
                                         context);
          }};
}

ImageFrames frames_of_file(const fs::path& path, const imageio::OpenOptions& options,
                           const RunContext& context) {
  if (options.frame)
    return {path, 1, [path, options](std::int64_t, const RunContext& on) {
              return imageio::open_counted(path, options, on);
            }};
  const auto stacks = std::make_shared<imageio::CountedStacks>(path, options, context);
  const std::int64_t channel =
      imageio::chosen_stack(path, "channel", stacks->info().channels, options.channel);
  return {path, stacks->info().frames, [stacks, channel](std::int64_t frame, const RunContext& on) {
            return stacks->open(channel, frame, 0, on);
          }};
}

std::string named(std::int64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

bool is_data_set(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / "scene.json", ignored);
}

ImageFrames labels_in(const simulator::DataSetReader& set) {
  const std::int64_t first = set.made().first;
  return {set.folder(), set.made().count(),
          [set, first](std::int64_t frame, const RunContext& context) {
            return set.labels(first + frame, context);
          }};
}

std::size_t require_channel(const simulator::DataSetReader& set, std::int64_t channel) {
  if (channel >= 0 && channel < std::ssize(set.channels()))
    return static_cast<std::size_t>(channel);
  throw InvalidSpec(fmt::format("score {}: there is no channel {}; choose --channel 0 to {}",
                                set.folder().string(), channel, set.channels().size() - 1));
}

ImageFrames images_in(const simulator::DataSetReader& set, std::size_t channel) {
  const std::int64_t first = set.made().first;
  return {set.folder(), set.made().count(),
          [set, first, channel](std::int64_t frame, const RunContext& context) {
            return set.image(first + frame, channel, context);
          }};
}

ImageFrames truth_frames(const fs::path& path, const imageio::OpenOptions& options,
                         const RunContext& context) {
  if (!fs::is_directory(path) || imageio::format_with_extension_of(path))
    return frames_of_file(path, options, context);
  std::vector<fs::path> files = frame_files(path, std::nullopt);
  if (files.empty())
    throw InvalidSpec(
        fmt::format("score {}: the folder holds no images; give a data set, or a file or folder of "
                    "label images",
                    path.string()));
  return frames_of_files(path, std::move(files), options);
}

ImageFrames result_frames(const fs::path& path, std::int64_t frames,
                          const imageio::OpenOptions& options, const RunContext& context) {
  const auto require_all = [&](ImageFrames found) {
    if (found.count == frames) return found;
    throw InvalidSpec(fmt::format(
        "score {}: it has {}, and the truth has {}; give a result for every frame; --axes TYX says "
        "that planes are frames, and --frame N takes one",
        path.string(), named(found.count, "frame"), named(frames, "frame")));
  };
  if (is_data_set(path)) return require_all(labels_in(simulator::DataSetReader{path}));
  if (!fs::is_directory(path) || imageio::format_with_extension_of(path))
    return require_all(frames_of_file(path, options, context));
  if (frames > 1) return frames_of_files(path, frame_files(path, frames), options);
  std::vector<fs::path> files = image_files_in(path);
  if (files.size() == 1) return frames_of_files(path, std::move(files), options);
  return require_all(frames_of_file(path, options, context));
}

}  // namespace synthoscope::score
