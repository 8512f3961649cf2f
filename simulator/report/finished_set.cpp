// SPDX-License-Identifier: MIT
#include "simulator/report/finished_set.hpp"
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <utility>
#include "core/error.hpp"
#include "core/names.hpp"

namespace synthoscope::simulator {
namespace {

Json read_record(const std::filesystem::path& folder) {
  const auto file = folder / "scene.json";
  if (!std::filesystem::is_regular_file(file))
    throw InvalidInput(fmt::format(
        "read data set {}: it holds no scene.json; give a folder that simulate made, one set of a "
        "sweep",
        folder.string()));
  std::ifstream in{file};
  std::stringstream text;
  text << in.rdbuf();
  if (!in)
    throw IoError(fmt::format("read {}: it cannot be read; check its permissions", file.string()));
  const auto record = try_parse_json(text.str());
  if (!record || !record->is_object() || !record->contains("scene") || !record->contains("files"))
    throw InvalidInput(fmt::format(
        "read {}: it is no record of a simulation of this version; simulate the scene again",
        file.string()));
  return *record;
}

DataSetLayout layout_in(const Json& record, std::int64_t frames) {
  const Json& files = record.at("files");
  const auto layout = named_in(kTruthLayoutNames, files.value("layout", "native"));
  if (!layout)
    throw InvalidInput(fmt::format(
        "read scene.json: its layout is {}, which this version does not know; simulate the scene "
        "again",
        text_of(files.at("layout"))));
  return {*layout, frames, files.value("ending", ".ome.tif")};
}

}  // namespace

FinishedSet::FinishedSet(std::filesystem::path folder)
    : folder_{std::move(folder)},
      record_(read_record(folder_)),  // braces would make an array of it
      frames_{record_.at("scene").value("frames", std::int64_t{1})},
      layout_{layout_in(record_, frames_)} {}

std::optional<double> FinishedSet::number(const std::string& table, const std::string& key) const {
  const Json& scene = record_.at("scene");
  if (!scene.contains(table) || !scene.at(table).contains(key)) return std::nullopt;
  const Json& value = scene.at(table).at(key);
  if (!value.is_number()) return std::nullopt;
  return value.get<double>();
}

imageio::OpenImage FinishedSet::open(const std::string& file) const {
  return imageio::open_image(folder_ / file);
}

imageio::OpenImage FinishedSet::image(std::int64_t frame) const {
  return open(layout_.image(frame));
}

imageio::OpenImage FinishedSet::photons(std::int64_t frame) const {
  return open(layout_.photons(frame));
}

imageio::OpenImage FinishedSet::labels(std::int64_t frame) const {
  return open(layout_.labels(frame).front());
}

imageio::OpenImage FinishedSet::psf() const {
  return open(layout_.psf());
}

Grid grid_of(const imageio::OpenImage& stack) {
  const auto pitch = stack.info.voxel_size();
  if (!pitch)
    throw InvalidInput(fmt::format(
        "read {}: it does not say how far its voxels are apart; simulate the scene again",
        stack.info.path.string()));
  return {stack.info.extent, *pitch};
}

}  // namespace synthoscope::simulator
