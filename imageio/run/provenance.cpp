// SPDX-License-Identifier: MIT
#include "imageio/run/provenance.hpp"
#include <fmt/format.h>
#include <tiffio.h>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/version.hpp"
#include "imageio/hdf5/library.hpp"
#include "imageio/image/name.hpp"
#include "imageio/output/atomic_file.hpp"
#include "imageio/output/partial_file.hpp"

namespace synthoscope::imageio {
namespace {

Json parsed(const std::string& text, const char* what) {
  auto json = try_parse_json(text);
  if (!json) throw InvalidSpec(fmt::format("record the run: its {} is not JSON: {}", what, text));
  return *std::move(json);
}

/// "LIBTIFF, Version 4.5.0\n..." -> "4.5.0".
std::string tiff_version() {
  const std::string text = TIFFGetVersion();
  const auto line = text.substr(0, text.find('\n'));
  return line.substr(line.rfind(' ') + 1);
}

Json json_of(const InputRecord& input) {
  Json json{{"path", input.path.string()}, {"bytes", input.bytes}};
  if (!input.xxh64.empty()) json["xxh64"] = input.xxh64;
  if (!input.xxh3_tree.empty()) json["xxh3_tree"] = input.xxh3_tree;
  if (!input.axes.empty()) json["axes"] = input.axes;
  return json;
}

}  // namespace

std::filesystem::path record_path(const std::filesystem::path& output) {
  auto path = file_of(output);
  return path += ".json";
}

std::string print_record(const RunRecord& record) {
  Json json;
  json["program"] = "synthoscope";
  json["version"] = kVersion;
  json["command_line"] = record.command_line;
  json["inputs"] = Json::array();
  for (const InputRecord& input : record.inputs) json["inputs"].push_back(json_of(input));
  if (!record.request_json.empty()) json["request"] = parsed(record.request_json, "request");
  if (!record.asked_json.empty()) json["asked"] = parsed(record.asked_json, "asked");
  if (!record.plan_json.empty()) json["plan"] = parsed(record.plan_json, "plan");
  if (!record.found_json.empty()) json["found"] = parsed(record.found_json, "finding");
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
  for (const auto& output : outputs) {
    const auto path = record_path(output);
    if (!overwrite && std::filesystem::exists(std::filesystem::symlink_status(path)))
      throw NameTaken(
          fmt::format("write {}: another program created it during the run, and it is not "
                      "replaced; {} is complete, but has no record; move that file, and run the "
                      "command again with --overwrite to get a record",
                      path.string(), output.string()));
    write_file_atomically(path, text, overwrite);
  }
}

}  // namespace synthoscope::imageio
