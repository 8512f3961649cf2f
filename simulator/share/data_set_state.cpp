// SPDX-License-Identifier: MIT
#include "simulator/share/data_set_state.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <span>
#include "core/base/assert.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/math/content_hash.hpp"
#include "imageio/input/folder_files.hpp"
#include "imageio/input/text_file.hpp"
#include "imageio/run/content_hash.hpp"
#include "simulator/data_set/data_set.hpp"
#include "simulator/data_set/scene_record.hpp"

namespace synthoscope::simulator {
namespace fs = std::filesystem;
namespace {

/// Returns the value at a place such as "/optics/na", in a few words.
std::string words_at(const Json& record, const Json::json_pointer& place) {
  if (!record.contains(place)) return "absent";
  const Json& value = record.at(place);
  return value.is_structured() ? "several" : text_of(value);
}

/// Returns the places in a record of the choices for the blur of each image.
std::vector<Json::json_pointer> places_of(const std::vector<std::string>& choices,
                                          const Json& record) {
  const Json::json_pointer blur{"/blur"}, names{"/files/channels"};
  std::vector<Json::json_pointer> blurs{blur};
  if (record.contains(names)) {
    blurs.clear();
    for (const Json& channel : record.at(names)) blurs.push_back(blur / channel.get<std::string>());
  }
  std::vector<Json::json_pointer> places;
  for (const auto& of_image : blurs)
    for (const std::string& choice : choices) places.push_back(of_image / choice);
  return places;
}

/// Copies the choices that `options` leave free from a record.
void take_choices(const Json& record, const SimulateOptions& options, Json& expected) {
  for (const auto& place : places_of(free_choices(options), expected))
    if (record.contains(place))
      expected[place] = record.at(place);
    else if (expected.contains(place))
      expected.at(place.parent_pointer()).erase(place.back());
}

}  // namespace

std::string text_in(const fs::path& path) {
  std::error_code none;
  return fs::exists(path, none) ? imageio::read_text(path, imageio::kMaxRecordBytes)
                                : std::string{};
}

FileFacts taken_facts(Json& record) {
  FileFacts facts;
  if (record.is_object()) record.erase("dose");
  const auto files = record.find("files");
  if (files == record.end() || !files->is_object()) return facts;
  const auto take = [&](const char* key, Json& fact) {
    if (files->contains(key) && files->at(key).is_object()) fact = files->at(key);
    files->erase(key);
  };
  take("bytes", facts.bytes);
  take("xxh64", facts.xxh64);
  return facts;
}

std::string problem_of_file(const fs::path& folder, const std::string& file, const FileFacts& facts,
                            FileCheck check, const StopFlag* stop) {
  if (!facts.bytes.contains(file))
    return fmt::format("its {} does not give the size of {}", kSceneRecord, file);
  std::error_code failure;
  const auto kind = fs::status(folder / file, failure).type();
  if (kind != fs::file_type::regular && kind != fs::file_type::directory)
    return fmt::format("its {} is missing", file);
  const Json bytes = imageio::bytes_in(folder / file);
  if (bytes != facts.bytes.at(file))
    return fmt::format("its {} has {} bytes, and {} were written", file, text_of(bytes),
                       text_of(facts.bytes.at(file)));
  if (check == FileCheck::sizes) return {};
  if (!facts.xxh64.contains(file))
    return fmt::format("its {} does not give the content of {}", kSceneRecord, file);
  const Json hash = imageio::hash_file(folder / file, stop);
  return hash == facts.xxh64.at(file) ? "" : fmt::format("its {} is not what was written", file);
}

std::vector<std::string> free_choices(const SimulateOptions& options) {
  std::vector<std::string> choices;
  if (!options.plans.empty()) return choices;
  if (options.any_place) choices.emplace_back("where");
  if (options.strategy == fftconv::Strategy::automatic) choices.emplace_back("strategy");
  if (options.parts == 0) choices.emplace_back("transform");
  if (!options.fft) choices.emplace_back("fft");
  return choices;
}

std::string digest_of(Json record, const std::vector<std::string>& choices) {
  for (const auto& place : places_of(choices, record))
    if (record.contains(place)) record.at(place.parent_pointer()).erase(place.back());
  const std::string text = text_of(record);
  ContentHash hash;
  hash.update(std::as_bytes(std::span{text}));
  return fmt::format("{:016x}", hash.value());
}

ExpectedSet expected_set(const SceneSpec& scene, const SimulateOptions& options,
                         const std::vector<fftconv::Plan>& plans, SceneInputs& inputs,
                         TaskPool& pool) {
  std::vector<References> references;
  for (const Channel& channel : channels_of(scene, options.channel))
    references.push_back(references_of(channel.scene, pool));
  SYNTHOSCOPE_ASSERT(plans.size(), ==, references.size());
  std::vector<ImageBlur> blurs;
  for (std::size_t i = 0; i < plans.size(); ++i) blurs.push_back({plans[i], references[i]});
  return {scene_record(scene, options, blurs, inputs.record(scene, options.channel)),
          layout_of(scene, options, blurs)};
}

DataSetState data_set_state_of(const SceneSpec& scene, const SimulateOptions& options,
                               const std::vector<fftconv::Plan>& plans, SceneInputs& inputs,
                               TaskPool& pool, FileCheck check) {
  using Kind = DataSetState::Kind;
  const fs::path& folder = options.directory;
  std::error_code failure;
  if (!fs::exists(fs::symlink_status(folder, failure))) return {};
  auto record = try_parse_json(text_in(folder / kSceneRecord));
  if (!record || !record->is_object())
    return {Kind::other, fmt::format("it holds no {}", kSceneRecord)};
  const FileFacts facts = taken_facts(*record);
  auto [expected, layout] = expected_set(scene, options, plans, inputs, pool);
  const bool is_blurred_alike =
      record->contains("blur") && record->at("blur") == expected.at("blur");
  take_choices(*record, options, expected);
  if (*record != expected) return {Kind::other, difference_of(*record, expected)};
  for (const auto& file : layout.files()) {
    if (file == kSceneRecord) continue;  // it was read above
    const auto problem = problem_of_file(folder, file, facts, check, &inputs.stop());
    if (!problem.empty()) return {Kind::other, problem};
  }
  return {Kind::finished, "", is_blurred_alike};
}

std::string difference_of(const Json& was, const Json& is) {
  const auto text = Json::diff(was, is).front().at("path").get<std::string>();
  constexpr std::string_view kInputs = "/inputs/";
  if (text.starts_with(kInputs)) {
    const auto end = text.find('/', kInputs.size());
    return fmt::format("{} was another file", text.substr(kInputs.size(), end - kInputs.size()));
  }
  std::string name = text.substr(std::min<std::size_t>(1, text.size()));
  std::replace(name.begin(), name.end(), '/', '.');
  const Json::json_pointer place{text};
  return fmt::format("{} was {} and is {} now", name, words_at(was, place), words_at(is, place));
}

void refuse_other(const std::string& attempt, const DataSetState& state) {
  throw InvalidSpec(
      fmt::format("{} is not what would be made now: {}; use the same settings as then, choose "
                  "another folder with -o or give --overwrite to make it again",
                  attempt, state.difference));
}

std::optional<std::int64_t> recorded_seed(const fs::path& file) {
  const auto record = try_parse_json(text_in(file));
  if (!record || !record->is_object()) return std::nullopt;
  const Json& holder = record->contains("scene") ? record->at("scene") : *record;
  if (!holder.is_object() || !holder.contains("seed")) return std::nullopt;
  return try_whole_of(holder.at("seed"));
}

std::optional<std::int64_t> seed_to_resume(const std::optional<std::int64_t>& given,
                                           const fs::path& file, Log& log) {
  if (given) return given;
  const auto seed = recorded_seed(file);
  if (seed) log.note(fmt::format("uses the seed {} that {} records", *seed, file.string()));
  return seed;
}

}  // namespace synthoscope::simulator
