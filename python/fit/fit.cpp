// SPDX-License-Identifier: MIT
#include "python/fit/fit.hpp"
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <filesystem>
#include <utility>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "fit/images/read_images.hpp"
#include "fit/pages/fit_json.hpp"
#include "fit/pages/fit_page.hpp"
#include "fit/run/known_keys.hpp"
#include "fit/run/twin_files.hpp"
#include "jobs/machine/workspace.hpp"
#include "multigpu/make_executor.hpp"
#include "python/files/given_images.hpp"
#include "python/files/texture_models.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;
using textures::ImageToMeasure;

/// An image of a file or an array, and its labels.
ImageToMeasure image_to_fit(const GivenImage& image, const GivenImage* labels,
                            const std::string& array_name, const AboutImages& about) {
  const auto opener = [&](const GivenImage& one, bool are_labels) {
    imageio::OpenOptions options = are_labels ? imageio::OpenOptions{} : about.open_options();
    options.labels = are_labels;
    if (about.spacing_um) {
      const auto [z, y, x] = *about.spacing_um;
      options.voxel_size = VoxelSize{z, y, x};
    }
    return [one, options, about, array_name](const RunContext& context) {
      if (const auto* path = std::get_if<std::string>(&one))
        return imageio::open_counted(*path, options, context);
      return open_array(std::get<ConstVoxelView>(one), array_name, about);
    };
  };
  const auto* path = std::get_if<std::string>(&image);
  ImageToMeasure result{path ? *path : array_name, opener(image, false)};
  if (labels) result.open_labels = opener(*labels, true);
  return result;
}

std::vector<ImageToMeasure> images_to_fit(const std::vector<GivenImage>& images,
                                          const std::vector<GivenImage>& labels,
                                          const AboutImages& about) {
  if (images.empty()) throw InvalidSpec("fit: there are no images; give one or more");
  if (!labels.empty() && labels.size() != images.size())
    throw InvalidSpec("fit: the number of images is " + std::to_string(images.size()) +
                      " and that of label images is " + std::to_string(labels.size()) +
                      "; give one for each image, in the same order");
  std::vector<ImageToMeasure> all;
  for (std::size_t i = 0; i < images.size(); ++i)
    all.push_back(image_to_fit(images[i], labels.empty() ? nullptr : &labels[i],
                               "array " + std::to_string(i), about));
  return all;
}

nb::tuple fit_twin(const nb::list& images, const nb::list& labels, const AboutImages& about,
                   const simulator::SceneSpec& start, const std::vector<std::string>& known,
                   const std::optional<std::string>& camera, const std::optional<std::string>& psf,
                   const std::vector<std::string>& stages, double seconds, std::int64_t twins,
                   const Resources& resources) {
  const auto of_images = given_images(images), of_labels = given_images(labels);
  fit::TwinRequest request;
  request.seconds = seconds;
  request.twins = twins;
  request.fit.start = start;
  for (const auto& stage : stages) request.fit.stages.insert(fit::stage_named(stage));
  if (camera) fit::take_camera(request.fit, *camera);
  if (psf) fit::take_psf(request.fit, *psf);
  for (const auto& assignment : known) fit::take_key(request.fit, assignment);
  const auto given = images_to_fit(of_images, of_labels, about);
  std::vector<std::string> names;
  for (const auto& image : given)
    names.push_back(std::filesystem::path{image.name}.filename().string());
  fit::Twin twin;
  resources.run([&](const RunContext& context) {
    auto read = fit::read_images(given, start.grid.pitch.z_um, context);
    Stages unused;
    Stopwatch watch{unused};
    jobs::Workspace workspace{context, [] { return std::int64_t{0}; }, watch};
    const auto blur =
        multigpu::make_executor(workspace.machine({}), {}, std::filesystem::temp_directory_path());
    twin = fit::fit_twin(std::move(read), request, *blur, context);
  });
  return nb::make_tuple(twin.scene, text_of(json_of(twin)), scene_toml(twin, names),
                        camera_toml(twin, names), fit_page(twin, names));
}

}  // namespace

void add_fit(nb::module_& module) {
  module.def("fit_twin", fit_twin, nb::arg("images"), nb::arg("labels"), nb::arg("about"),
             nb::arg("start"), nb::arg("known"), nb::arg("camera").none(), nb::arg("psf").none(),
             nb::arg("stages"), nb::arg("seconds"), nb::arg("twins"), nb::arg("resources"),
             "Fits a scene to images; returns scene, JSON, scene.toml, camera.toml and report.");
}

}  // namespace synthoscope::python
