// SPDX-License-Identifier: MIT
#include "imageio/provenance.hpp"
#include <fmt/format.h>
#include <tiffio.h>
#include <algorithm>
#include "core/assert.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/version.hpp"
#include "imageio/atomic_file.hpp"
#include "imageio/content_hash.hpp"
#include "imageio/folder_files.hpp"
#include "imageio/hdf5_library.hpp"
#include "imageio/image_name.hpp"

namespace synthoscope::imageio {
namespace {

Json parsed(const std::string& text, const char* what) {
  auto json = try_parse_json(text);
  if (!json) throw InvalidSpec(fmt::format("record the run: its {} is no JSON: {}", what, text));
  return *std::move(json);
}

/// "LIBTIFF, Version 4.5.0\n..." -> "4.5.0".
std::string tiff_version() {
  const std::string text = TIFFGetVersion();
  const auto line = text.substr(0, text.find('\n'));
  return line.substr(line.rfind(' ') + 1);
}

}  // namespace

void RunRecord::add_axes(const std::filesystem::path& given, const ImageInfo& info) {
  std::string text = info.axes_text();
  if (info.images.size() > 1)
    text += fmt::format("; image {} of {}", info.image, info.images.size());
  axes.emplace_back(given, std::move(text));
}

void RunRecord::add_image(const std::filesystem::path& given, const ImageInfo& info) {
  for (auto& file : files_of(given, info)) inputs.push_back(std::move(file));
  add_axes(given, info);
}

std::filesystem::path record_path(const std::filesystem::path& output) {
  auto path = file_of(output);
  return path += ".json";
}

void read_inputs(RunRecord& record) {
  Json inputs = Json::array();
  for (const auto& path : record.inputs) {
    const auto file = file_of(path);
    inputs.push_back({{"path", path.string()},
                      {"bytes", bytes_in(file)},
                      {"xxh64", hash_file(file, record.stop)}});
    const auto axes =
        std::ranges::find(record.axes, path, &std::pair<std::filesystem::path, std::string>::first);
    if (axes != record.axes.end()) inputs.back()["axes"] = axes->second;
  }
  record.inputs_json = text_of(inputs);
}

std::string print_record(const RunRecord& record) {
  SYNTHOSCOPE_ASSERT(record.inputs.empty() || !record.inputs_json.empty(), ==, true);
  Json json;
  json["program"] = "synthoscope";
  json["version"] = kVersion;
  json["command_line"] = record.command_line;
  json["inputs"] =
      record.inputs.empty() ? Json::array() : parsed(record.inputs_json, "list of inputs");
  if (!record.request_json.empty()) json["request"] = parsed(record.request_json, "request");
  if (!record.asked_json.empty()) json["asked"] = parsed(record.asked_json, "asked");
  if (!record.plan_json.empty()) json["plan"] = parsed(record.plan_json, "plan");
  json["seconds"] = record.seconds;
  for (const auto& [stage, seconds] : record.stage_seconds) json["stages"][stage] = seconds;
  json["libraries"]["libtiff"] = tiff_version();
  json["libraries"]["hdf5"] = hdf5_version();
  for (const auto& [library, version] : record.libraries) json["libraries"][library] = version;
  if (!record.warnings.empty()) json["warnings"] = record.warnings;
  return indented_text_of(json) + '\n';
}

void write_record(const std::filesystem::path& output, const RunRecord& record, bool overwrite) {
  write_records({&output, 1}, record, overwrite);
}

void write_records(std::span<const std::filesystem::path> outputs, const RunRecord& record,
                   bool overwrite) {
  const std::string text = print_record(record);
  for (const auto& output : outputs) write_file_atomically(record_path(output), text, overwrite);
}

}  // namespace synthoscope::imageio
