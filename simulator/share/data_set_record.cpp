// SPDX-License-Identifier: MIT
#include "simulator/share/data_set_record.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/base/version.hpp"
#include "simulator/data_set/data_set.hpp"
#include "simulator/data_set/scene_record.hpp"
#include "simulator/imaging/references.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/scene/file/recorded_scene.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/share/data_set_state.hpp"

namespace synthoscope::simulator {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& folder, const std::string& problem) {
  throw InvalidInput(
      fmt::format("read data set {}: {}; simulate it again", folder.string(), problem));
}

FrameRange frames_in(const Json& record) {
  const FrameRange frames{record.at(0), record.at(1)};
  if (frames.first < 0 || frames.last < frames.first)
    throw InvalidSpec(
        fmt::format("its {} names the frames {}-{}", kSceneRecord, frames.first, frames.last));
  return frames;
}

SimulateOptions options_in(const Json& record, const fs::path& folder) {
  const Json& files = record.at("files");
  SimulateOptions options;
  options.directory = folder;
  options.layout = named_in(kTruthLayoutNames, files.at("layout").get<std::string>()).value();
  options.compression =
      named_in(imageio::kCompressionNames, files.at("compression").get<std::string>()).value();
  if (files.contains("format"))
    options.format =
        named_in(imageio::kFileFormatNames, files.at("format").get<std::string>()).value();
  else if (files.contains("flavor"))
    options.flavor =
        named_in(imageio::kTiffFlavorNames, files.at("flavor").get<std::string>()).value();
  else
    options.format = imageio::FileFormat::hdf5;
  if (files.contains("chunks"))
    options.chunks =
        Extent3{files.at("chunks").at(0), files.at("chunks").at(1), files.at("chunks").at(2)};
  options.join_channels = files.value("joined", false);
  options.keep_photons = files.value("photons", true);
  if (files.contains("frames")) options.frames = frames_in(files.at("frames"));
  const bool has_one = files.contains("channels") && files.at("channels").size() == 1;
  if (has_one) options.channel = files.at("channels").at(0).get<std::string>();
  return options;
}

/// Returns as many references as the record of a blur names PSFs.
References references_in(const Json& blur) {
  References references;
  references.all.resize(blur.contains("references") ? blur.at("references").size() : 1);
  return references;
}

/// Returns every file of a set.
std::vector<std::string> files_of(const DataSetRecord& set) {
  std::vector<References> references;
  const Json& blur = set.record.at("blur");
  for (const Channel& channel : channels_of(set.scene, set.options.channel))
    references.push_back(references_in(channel.name.empty() ? blur : blur.at(channel.name)));
  const fftconv::Plan none;  // file names do not depend on it
  std::vector<ImageBlur> blurs;
  for (const References& of_image : references) blurs.push_back({none, of_image});
  return layout_of(set.scene, set.options, blurs).files();
}

/// Returns scene.json without what differs between parts of a set, and without what is known only
/// when all files are made.
Json without_files(Json record) {
  record["files"].erase("frames");
  static_cast<void>(taken_facts(record));
  return record;
}

/// Returns what is wrong with the files of a record; empty if nothing is. Older versions recorded
/// no hashes.
std::string problem_of_files(const fs::path& folder, Json record, FileCheck check) {
  const bool has_hashes = record.at("files").contains("xxh64");
  const FileFacts facts = taken_facts(record);
  for (const auto& [file, bytes] : facts.bytes.items()) {
    if (!may_be_simulated(file)) return fmt::format("its {} names {}", kSceneRecord, file);
    auto problem =
        problem_of_file(folder, file, facts, has_hashes ? check : FileCheck::sizes, nullptr);
    if (!problem.empty()) return problem;
  }
  return {};
}

bool is_of_this_version(const Json& record) {
  return record.contains("version") && record.at("version") == kVersion;
}

/// Reads a record of this version. @returns what is wrong with it; empty if nothing is
std::string read_record(const Json& record, const fs::path& folder, DataSetRecord& set) {
  const auto not_ours = fmt::format("its {} is not what a simulation writes", kSceneRecord);
  try {
    set.scene = parse_scene(toml_of_record(record.at("scene")), kSceneRecord);
    set.options = options_in(record, folder);
    require_holdable(set.scene, set.options);
    if (record_of(set.scene).at("scene") != record.at("scene"))
      return fmt::format("its {} is not what a scene holds", kSceneRecord);
    set.record = without_files(record);
    for (const std::string& file : files_of(set))
      if (file != kSceneRecord && !record.at("files").at("bytes").contains(file))
        return fmt::format("its {} does not give the size of {}", kSceneRecord, file);
  } catch (const Json::exception&) {
    return not_ours;
  } catch (const std::bad_optional_access&) {
    return not_ours;
  } catch (const InvalidSpec& problem) {
    return problem.what();
  }
  return {};
}

}  // namespace

std::string problem_of_data_set(const fs::path& folder, FileCheck check) {
  const auto record = try_parse_json(text_in(folder / kSceneRecord));
  const Json::json_pointer place{"/files/bytes"};
  const bool has_sizes = record && record->is_object() && record->contains(place) &&
                         record->at(place).is_object() && !record->at(place).empty();
  if (!has_sizes) return fmt::format("it holds no {} of a complete data set", kSceneRecord);
  if (auto problem = problem_of_files(folder, *record, check); !problem.empty()) return problem;
  DataSetRecord set;
  return is_of_this_version(*record) ? read_record(*record, folder, set) : "";
}

std::optional<Json> record_of_set(const fs::path& folder, FileCheck check) {
  if (!problem_of_data_set(folder, check).empty()) return std::nullopt;
  return without_files(parse_json(text_in(folder / kSceneRecord)));
}

DataSetRecord read_data_set_record(const fs::path& folder) {
  if (const auto problem = problem_of_data_set(folder, FileCheck::content); !problem.empty())
    refuse(folder, problem);
  const Json record = parse_json(text_in(folder / kSceneRecord));
  if (!is_of_this_version(record))
    refuse(folder, fmt::format("version {} made it, and this is {}",
                               text_of(record.value("version", Json{})), kVersion));
  DataSetRecord set;
  if (const auto problem = read_record(record, folder, set); !problem.empty())
    refuse(folder, problem);
  return set;
}

}  // namespace synthoscope::simulator
