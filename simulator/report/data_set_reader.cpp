// SPDX-License-Identifier: MIT
#include "simulator/report/data_set_reader.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <utility>
#include "core/base/error.hpp"
#include "core/base/names.hpp"
#include "imageio/input/text_file.hpp"
#include "simulator/scene/channels.hpp"

namespace synthoscope::simulator {
namespace {

bool is_whole(const Json& table, const char* key, std::int64_t low, std::int64_t high) {
  const auto value = table.find(key);
  return value != table.end() && value->is_number_integer() && *value >= low && *value <= high;
}

bool is_object(const Json& table, const std::string& key) {
  const auto value = table.find(key);
  return value != table.end() && value->is_object();
}

/// Returns the text of a key; empty if there is none.
std::string text_at(const Json& table, const char* key) {
  const auto value = table.find(key);
  return value != table.end() && value->is_string() ? value->get<std::string>() : "";
}

/// Returns whether the channels that files are named after are channels of the scene, with names
/// that are no paths, and with valid figures of cameras.
bool has_sound_channels(const Json& scene, const Json& files) {
  const bool has_channels = scene.contains("channel");
  if (has_channels != files.contains("channels")) return false;
  if (!has_channels) return true;
  const Json &described = scene.at("channel"), &imaged = files.at("channels");
  if (!described.is_array() || !imaged.is_array() || imaged.empty()) return false;
  std::vector<std::string> names;
  for (const Json& channel : described) {
    if (!channel.is_object()) return false;
    names.push_back(text_at(channel, "name"));
    if (!is_channel_name(names.back())) return false;
    if (is_object(channel, "camera") && channel.at("camera").contains("bit_depth") &&
        !is_whole(channel.at("camera"), "bit_depth", 1, 16))
      return false;
  }
  return std::all_of(imaged.begin(), imaged.end(), [&](const Json& name) {
    return name.is_string() &&
           std::find(names.begin(), names.end(), name.get<std::string>()) != names.end();
  });
}

bool has_sound_frames(const Json& scene, const Json& files) {
  if (!files.contains("frames")) return true;
  const Json& made = files.at("frames");
  return made.is_array() && made.size() == 2 && made[0].is_number_integer() &&
         made[1].is_number_integer() && made[0] >= 0 && made[0] <= made[1] &&
         made[1] < scene.at("frames");
}

/// Returns whether all that is read of scene.json has the types and ranges that simulate writes,
/// and file names stay within the folder.
bool is_record(const Json& record) {
  if (!record.is_object() || !is_object(record, "scene") || !is_object(record, "files"))
    return false;
  const Json &scene = record.at("scene"), &files = record.at("files");
  const std::string ending = text_at(files, "ending");
  return is_whole(scene, "frames", 1, 10000) && has_sound_frames(scene, files) &&
         is_object(scene, "camera") && is_whole(scene.at("camera"), "bit_depth", 1, 16) &&
         has_sound_channels(scene, files) && files.value("joined", Json(false)).is_boolean() &&
         files.value("photons", Json(true)).is_boolean() && !text_at(record, "version").empty() &&
         named_in(kTruthLayoutNames, text_at(files, "layout")) &&
         (ending == ".ome.tif" || ending == ".tif" || ending == ".h5" || ending == kOmeZarrEnding);
}

Json read_record(const std::filesystem::path& folder) {
  const auto file = folder / "scene.json";
  if (!std::filesystem::is_regular_file(file))
    throw InvalidInput(
        fmt::format("read data set {}: it holds no scene.json; give the folder of a data set; a "
                    "sweep has one for each of its data sets",
                    folder.string()));
  const auto record = try_parse_json(imageio::read_text(file, imageio::kMaxRecordBytes));
  if (!record || !is_record(*record))
    throw InvalidInput(fmt::format(
        "read {}: it is not a record of a simulation of this version; simulate the scene again",
        file.string()));
  return *record;
}

/// Returns whether the record is of a movie. Versions without movies recorded nothing about time.
bool tells_of_movie(const Json& record) {
  const Json& scene = record.at("scene");
  return is_object(scene, "time") && scene.at("time").contains("interval_seconds") &&
         scene.at("time").at("interval_seconds").is_number();
}

/// Returns whether the record is of a set with its light before the blur.
bool tells_of_light(const Json& record) {
  const Json& scene = record.at("scene");
  return is_object(scene, "output") && scene.at("output").value("light", Json(false)) == true;
}

/// Returns the frames that were made, by a valid record.
FrameRange made_in(const Json& record, std::int64_t frames) {
  const Json& files = record.at("files");
  if (!files.contains("frames")) return {0, frames - 1};
  return {whole_of(files.at("frames").at(0)), whole_of(files.at("frames").at(1))};
}

/// Returns the number of PSFs of each image: one per reference of the blur.
std::vector<std::size_t> psfs_in(const Json& record, const std::vector<std::string>& channels) {
  std::vector<std::size_t> psfs;
  for (const auto& name : channels) {
    const Json::json_pointer place{
        fmt::format("/blur{}{}/references", name.empty() ? "" : "/", name)};
    const bool is_there = record.contains(place) && record.at(place).is_array();
    psfs.push_back(is_there ? std::max<std::size_t>(1, record.at(place).size()) : 1);
  }
  return psfs;
}

DataSetLayout layout_in(const Json& record, std::int64_t frames,
                        const std::vector<std::string>& channels) {
  const Json& files = record.at("files");
  return {*named_in(kTruthLayoutNames, files.at("layout").get<std::string>()),
          frames,
          files.at("ending").get<std::string>(),
          {.movie = tells_of_movie(record),
           .joined = files.value("joined", false),
           .photons = files.value("photons", true),
           .light = tells_of_light(record)},
          channels.front().empty() ? std::vector<std::string>{} : channels,
          made_in(record, frames),
          psfs_in(record, channels)};
}

std::vector<std::string> channels_of_record(const Json& record) {
  const Json& files = record.at("files");
  if (!files.contains("channels")) return {""};
  return files.at("channels").get<std::vector<std::string>>();
}

/// Returns the scene of a channel, whose keys replace the scene's.
Json scene_of_channel(const Json& record, const std::string& name) {
  Json scene = record.at("scene");
  if (name.empty()) return scene;
  for (const Json& channel : record.at("scene").at("channel"))
    if (channel.at("name") == name)
      for (const auto& [table, keys] : channel.items())
        if (keys.is_object())
          for (const auto& [key, value] : keys.items()) scene[table][key] = value;
  return scene;
}

std::vector<Json> scenes_of(const Json& record, const std::vector<std::string>& channels) {
  std::vector<Json> scenes;
  for (const auto& name : channels) scenes.push_back(scene_of_channel(record, name));
  return scenes;
}

}  // namespace

DataSetReader::DataSetReader(std::filesystem::path folder)
    : folder_{std::move(folder)},
      record_(read_record(folder_)),  // braces would make it an array
      frames_{whole_of(record_.at("scene").at("frames"))},
      channels_{channels_of_record(record_)},
      scenes_(scenes_of(record_, channels_)),  // as above
      layout_{layout_in(record_, frames_, channels_)} {}

std::string DataSetReader::name() const {
  const auto path = std::filesystem::absolute(folder_).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

bool DataSetReader::is_movie() const {
  return tells_of_movie(record_);
}

std::int64_t DataSetReader::largest_count(std::size_t channel) const {
  return (std::int64_t{1} << whole_of(camera(channel).at("bit_depth"))) - 1;
}

std::optional<double> DataSetReader::number(const std::string& table, const std::string& key,
                                            std::size_t channel) const {
  const Json& scene = scenes_[channel];
  if (!is_object(scene, table) || !scene.at(table).contains(key)) return std::nullopt;
  const Json& value = scene.at(table).at(key);
  if (!value.is_number()) return std::nullopt;
  return value.get<double>();
}

imageio::CountedImage DataSetReader::open(const std::string& file,
                                          const RunContext& context) const {
  return imageio::open_counted(folder_ / file, {}, context);
}

imageio::CountedImage DataSetReader::image(std::int64_t frame, std::size_t channel,
                                           const RunContext& context) const {
  imageio::OpenOptions options;
  if (layout_.extras().joined) options.channel = static_cast<std::int64_t>(channel);
  return imageio::open_counted(folder_ / layout_.image(frame, channel), options, context);
}

imageio::CountedImage DataSetReader::photons(std::int64_t frame, std::size_t channel,
                                             const RunContext& context) const {
  if (!layout_.extras().photons)
    throw InvalidInput(
        fmt::format("read data set {}: it was made without its noise-free photons, which a report "
                    "compares with the image; simulate it again without --no-photons",
                    folder_.string()));
  return open(layout_.photons(frame, channel), context);
}

imageio::CountedImage DataSetReader::light(std::int64_t frame, std::size_t channel,
                                           const RunContext& context) const {
  if (!layout_.extras().light)
    throw InvalidInput(
        fmt::format("read data set {}: it holds no light before the blur; simulate it again with "
                    "output.light = true",
                    folder_.string()));
  return open(layout_.light(frame, channel), context);
}

imageio::CountedImage DataSetReader::labels(std::int64_t frame, const RunContext& context) const {
  return open(layout_.labels(frame).front(), context);
}

imageio::CountedImage DataSetReader::psf(std::size_t channel, const RunContext& context) const {
  return open(layout_.psf(channel), context);
}

Grid grid_of(const imageio::OpenImage& stack) {
  const auto pitch = stack.info.voxel_size();
  if (!pitch)
    throw InvalidInput(fmt::format(
        "read {}: it does not give the distance between its voxels; simulate the scene again",
        stack.info.path.string()));
  return {stack.info.extent, *pitch};
}

}  // namespace synthoscope::simulator
