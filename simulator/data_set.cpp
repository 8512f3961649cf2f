// SPDX-License-Identifier: MIT
#include "simulator/data_set.hpp"
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include "core/version.hpp"
#include "imageio/atomic_file.hpp"
#include "simulator/scene_file.hpp"

namespace synthoscope::simulator {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kImages[] = {"labels", "photons", "image", "psf"};
constexpr std::string_view kTexts[] = {"objects.csv", "scene.json", "preview.png"};

std::string file_name(std::string_view image, imageio::TiffFlavor flavor) {
  return fmt::format("{}{}", image, flavor == imageio::TiffFlavor::ome ? ".ome.tif" : ".tif");
}

/// Every name that a simulation can have written, in any flavour.
std::vector<std::string> all_files() {
  std::vector<std::string> files{kTexts, std::end(kTexts)};
  for (const auto flavor : {imageio::TiffFlavor::ome, imageio::TiffFlavor::plain})
    for (const auto image : kImages) files.push_back(file_name(image, flavor));
  return files;
}

Json recorded(const SceneSpec& scene) {
  Json record;
  record["program"] = "synthoscope";
  record["version"] = kVersion;
  record["scene"] = Json::parse(to_json(scene));
  return record;
}

Json zyx(std::int64_t z, std::int64_t y, std::int64_t x) {
  return Json::array({z, y, x});
}

}  // namespace

void DataSet::require_free(const SimulateOptions& options) {
  DataSetFolder::require_free(options.directory, options.overwrite, all_files());
}

DataSet::DataSet(const SceneSpec& scene, const SimulateOptions& options)
    : options_{options},
      grid_{scene.grid},
      provenance_{recorded(scene).dump()},
      folder_{options.directory, options.overwrite, all_files()} {}

std::string DataSet::image_file(std::string_view name) const {
  return file_name(name, options_.flavor);
}

std::unique_ptr<Sink> DataSet::create_stack(std::string_view name, PixelType type) const {
  imageio::ImageSpec spec;
  spec.extent = grid_.extent;
  spec.type = type;
  spec.z_um = grid_.pitch.z_um;
  spec.y_um = grid_.pitch.y_um;
  spec.x_um = grid_.pitch.x_um;
  spec.flavor = options_.flavor;
  spec.compression = options_.compression;
  spec.provenance = provenance_;
  return imageio::create_image(path_of(image_file(name)), spec);
}

std::unique_ptr<Sink> DataSet::create_psf(const Extent3& extent, const Index3& centre) const {
  imageio::ImageSpec spec;
  spec.extent = extent;
  spec.z_um = grid_.pitch.z_um;
  spec.y_um = grid_.pitch.y_um;
  spec.x_um = grid_.pitch.x_um;
  spec.flavor = options_.flavor;
  spec.kernel_center = centre;
  spec.provenance = provenance_;
  return imageio::create_image(path_of(image_file("psf")), spec);
}

void DataSet::write_text(const std::string& file, std::string_view text) const {
  imageio::write_file_atomically(path_of(file), text, false);
}

std::vector<std::filesystem::path> DataSet::commit() {
  folder_.commit();
  std::vector<std::filesystem::path> files;
  for (const auto image : kImages) files.push_back(options_.directory / image_file(image));
  for (const auto text : kTexts) files.push_back(options_.directory / text);
  return files;
}

std::string scene_record(const SceneSpec& scene, const fftconv::Plan& plan) {
  Json record = recorded(scene);
  const auto& [kernel, center, transform] =
      std::tie(plan.problem.kernel, plan.problem.center, plan.transform);
  record["blur"] = {{"strategy", fftconv::name_of(plan.strategy)},
                    {"psf", zyx(kernel.z, kernel.y, kernel.x)},
                    {"psf_centre", zyx(center.z, center.y, center.x)},
                    {"transform", zyx(transform.z, transform.y, transform.x)}};
  return record.dump(2) + "\n";
}

}  // namespace synthoscope::simulator
