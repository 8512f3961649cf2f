// SPDX-License-Identifier: MIT
#include "simulator/made_set.hpp"
#include <fmt/format.h>
#include "core/error.hpp"
#include "core/version.hpp"
#include "simulator/data_set.hpp"
#include "simulator/scene_file.hpp"
#include "simulator/set_standing.hpp"

namespace synthoscope::simulator {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& folder, const std::string& problem) {
  throw InvalidInput(
      fmt::format("read data set {}: {}; simulate it again", folder.string(), problem));
}

bool is_list_of_tables(const Json& value) {
  return value.is_array() && !value.empty() && value.front().is_object();
}

/// Lines of the keys that have a value: JSON writes numbers, switches, arrays and text as TOML
/// does.
std::string lines_of(const Json& table, const std::string& before = "") {
  std::string text;
  for (const auto& [key, value] : table.items())
    if (!value.is_null() && !value.is_object() && !is_list_of_tables(value))
      text += fmt::format("{}{} = {}\n", before, key, text_of(value));
  return text;
}

/// A scene as scene.json has it, as the file that it would be read from.
std::string toml_of_record(const Json& scene) {
  std::string text = lines_of(scene);
  for (const auto& [name, table] : scene.items())
    if (table.is_object()) text += fmt::format("[{}]\n{}", name, lines_of(table));
  if (!scene.contains("channel")) return text;
  for (const Json& channel : scene.at("channel")) {
    text += "[[channel]]\n" + lines_of(channel);
    for (const auto& [name, table] : channel.items())
      if (table.is_object()) text += lines_of(table, name + ".");
  }
  return text;
}

SimulateOptions options_in(const Json& record, const fs::path& folder) {
  const Json& files = record.at("files");
  SimulateOptions options;
  options.directory = folder;
  options.layout = named_in(kTruthLayoutNames, files.at("layout").get<std::string>()).value();
  options.compression =
      named_in(imageio::kCompressionNames, files.at("compression").get<std::string>()).value();
  if (files.contains("flavor"))
    options.flavor =
        named_in(imageio::kTiffFlavorNames, files.at("flavor").get<std::string>()).value();
  else
    options.format = imageio::FileFormat::hdf5;
  if (files.contains("chunks"))
    options.chunks =
        Extent3{files.at("chunks").at(0), files.at("chunks").at(1), files.at("chunks").at(2)};
  if (files.contains("frames"))
    options.frames = FrameRange{files.at("frames").at(0), files.at("frames").at(1)};
  const bool has_one = files.contains("channels") && files.at("channels").size() == 1;
  if (has_one) options.channel = files.at("channels").at(0).get<std::string>();
  return options;
}

}  // namespace

std::string problem_of_set(const fs::path& folder) {
  const auto record = try_parse_json(text_in(folder / kSceneRecord));
  const Json::json_pointer place{"/files/bytes"};
  if (!record || !record->is_object() || !record->contains(place))
    return fmt::format("it holds no {} of a data set that is whole", kSceneRecord);
  for (const auto& [file, bytes] : record->at(place).items()) {
    if (!may_be_simulated(file)) return fmt::format("its {} names {}", kSceneRecord, file);
    std::error_code failure;
    if (!fs::is_regular_file(folder / file, failure)) return fmt::format("its {} is missing", file);
    const Json is = fs::file_size(folder / file, failure);
    if (failure || is != bytes)
      return fmt::format("its {} has {} bytes, and {} were written", file, text_of(is),
                         text_of(bytes));
  }
  return {};
}

MadeSet read_made_set(const fs::path& folder) {
  if (const auto problem = problem_of_set(folder); !problem.empty()) refuse(folder, problem);
  MadeSet set;
  set.record = parse_json(text_in(folder / kSceneRecord));
  try {
    if (set.record.at("version") != kVersion)
      refuse(folder, fmt::format("version {} made it, and this is {}",
                                 set.record.at("version").get<std::string>(), kVersion));
    set.scene = parse_scene(toml_of_record(set.record.at("scene")), kSceneRecord);
    set.options = options_in(set.record, folder);
    if (parse_json(to_json(set.scene)) != set.record.at("scene"))
      refuse(folder, fmt::format("its {} is not what a scene says", kSceneRecord));
  } catch (const Json::exception&) {
    refuse(folder, fmt::format("its {} is not what a simulation writes", kSceneRecord));
  } catch (const std::bad_optional_access&) {
    refuse(folder, fmt::format("its {} is not what a simulation writes", kSceneRecord));
  } catch (const InvalidSpec& problem) {
    refuse(folder, problem.what());
  }
  set.record["files"].erase("frames");
  set.record["files"].erase("bytes");
  return set;
}

}  // namespace synthoscope::simulator
