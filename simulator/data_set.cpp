// SPDX-License-Identifier: MIT
#include "simulator/data_set.hpp"
#include <fmt/format.h>
#include "core/json.hpp"
#include "core/version.hpp"
#include "imageio/atomic_file.hpp"
#include "imageio/open.hpp"
#include "simulator/scene_file.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::string_view kImages[] = {"labels", "photons", "image", "psf"};
constexpr std::string_view kTexts[] = {"objects.csv", "scene.json", "preview.png"};

constexpr std::string_view kEndings[] = {".ome.tif", ".tif", ".h5"};

std::string_view ending_of(const SimulateOptions& options) {
  if (options.format == imageio::FileFormat::hdf5) return ".h5";
  return options.flavor == imageio::TiffFlavor::ome ? ".ome.tif" : ".tif";
}

imageio::ImageSpec spec_of(const Extent3& extent, PixelType type, const Grid& grid,
                           const SimulateOptions& options) {
  imageio::ImageSpec spec;
  spec.extent = extent;
  spec.type = type;
  spec.z_um = grid.pitch.z_um;
  spec.y_um = grid.pitch.y_um;
  spec.x_um = grid.pitch.x_um;
  spec.format = options.format;
  spec.flavor = options.flavor;
  spec.chunks = options.chunks;
  return spec;
}

/// Every name that a simulation can have written, in any format.
std::vector<std::string> all_files() {
  std::vector<std::string> files{kTexts, std::end(kTexts)};
  for (const auto ending : kEndings)
    for (const auto image : kImages) {
      files.push_back(fmt::format("{}{}", image, ending));
      if (ending == ".h5") files.push_back(files.back() + ".chunks");
    }
  return files;
}

Json recorded(const SceneSpec& scene) {
  Json record;
  record["program"] = "synthoscope";
  record["version"] = kVersion;
  record["scene"] = parse_json(to_json(scene));
  return record;
}

Json zyx(std::int64_t z, std::int64_t y, std::int64_t x) {
  return Json::array({z, y, x});
}

}  // namespace

void DataSet::require_free(const SimulateOptions& options) {
  DataSetFolder::require_free(options.directory, options.overwrite, all_files());
}

DataSet::DataSet(const SceneSpec& scene, const SimulateOptions& options, const RunContext& context)
    : options_{options},
      context_{context},
      grid_{scene.grid},
      camera_grid_{binned(scene.grid, scene.camera.binning)},
      provenance_{text_of(recorded(scene))},
      folder_{options.directory, options.overwrite, all_files()} {}

std::string DataSet::image_file(std::string_view name) const {
  return fmt::format("{}{}", name, ending_of(options_));
}

std::int64_t DataSet::buffer_bytes(const Grid& grid, PixelType type, const SimulateOptions& options,
                                   TaskPool& pool) {
  auto spec = spec_of(grid.extent, type, grid, options);
  spec.compression = options.compression;
  spec.pool = &pool;
  return options.format == imageio::FileFormat::hdf5 ? imageio::buffered_bytes(spec) : 0;
}

std::unique_ptr<Sink> DataSet::create_stack(std::string_view name, PixelType type) const {
  const Grid& grid = name == "image" ? camera_grid_ : grid_;
  auto spec = spec_of(grid.extent, type, grid, options_);
  spec.compression = options_.compression;
  if (options_.format == imageio::FileFormat::hdf5) spec.pool = &context_.pool;
  spec.stop = &context_.stop;
  spec.provenance = provenance_;
  return imageio::create_image(path_of(image_file(name)), spec);
}

std::unique_ptr<Source> DataSet::open_stack(std::string_view name) const {
  imageio::OpenOptions nothing_kept;
  nothing_kept.cache_bytes = 0;  // who reads a stack again meets a chunk once
  return std::move(imageio::open_image(path_of(image_file(name)), nothing_kept).source);
}

std::unique_ptr<Sink> DataSet::create_psf(const Extent3& extent, const Index3& centre) const {
  auto spec = spec_of(extent, PixelType::float32, grid_, options_);
  spec.chunks.reset();
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
  return indented_text_of(record) + "\n";
}

}  // namespace synthoscope::simulator
