// SPDX-License-Identifier: MIT
#include "fit/shapes/labels_as_bodies.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <unordered_map>
#include "core/base/error.hpp"
#include "fit/objects/measure_objects.hpp"
#include "imageio/create.hpp"
#include "simulator/phantom/geometry/population.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::fit {
namespace {

namespace fs = std::filesystem;

/// The number of each label, from 1 by ascending label.
std::unordered_map<std::uint32_t, std::uint16_t> numbers_of(const LabelledObjects& objects) {
  if (static_cast<std::int64_t>(objects.objects.size()) > simulator::kMaxObjects)
    throw InvalidInput(
        fmt::format("fit: {} has {} labels, and a scene has at most {} objects; "
                    "give a part of the image",
                    objects.image, objects.objects.size(), simulator::kMaxObjects));
  std::unordered_map<std::uint32_t, std::uint16_t> numbers;
  for (const LabelledObject& object : objects.objects)
    numbers.emplace(object.label, static_cast<std::uint16_t>(numbers.size() + 1));
  return numbers;
}

/// Writes a value for each voxel, plane by plane.
template <class T, class Value>
void write_image(const fs::path& path, const LabelledImage& image, bool are_labels, Value&& value) {
  imageio::ImageSpec spec;
  spec.extent = image.grid.extent;
  spec.type = pixel_type_of<T>();
  spec.z_um = image.grid.pitch.z_um;
  spec.y_um = image.grid.pitch.y_um;
  spec.x_um = image.grid.pitch.x_um;
  spec.labels = are_labels;
  spec.overwrite = true;
  const auto file = imageio::create_image(path, spec);
  Volume<T> plane_voxels{{1, spec.extent.y, spec.extent.x}};
  for (std::int64_t z = 0; z < spec.extent.z; ++z) {
    const std::uint32_t* const labels = image.labels.view().row(z, 0);
    for (std::size_t i = 0; i < plane_voxels.voxels.size(); ++i)
      plane_voxels.voxels[i] = value(labels[i]);
    file->write(plane(spec.extent, z), plane_voxels.view());
  }
  file->close();
}

float median_outside(const LabelledImage& image) {
  std::vector<float> values;
  for (std::size_t i = 0; i < image.labels.voxels.size(); ++i)
    if (image.labels.voxels[i] == 0) values.push_back(image.counts.voxels[i]);
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The light of each label above the background, 1 on average over all voxels of objects.
std::unordered_map<std::uint32_t, float> lights_of(const LabelledImage& image,
                                                   const LabelledObjects& objects) {
  const double background = median_outside(image);
  double sum = 0, voxels = 0;
  for (const LabelledObject& object : objects.objects) {
    sum += std::max(object.mean_counts - background, 0.0) * static_cast<double>(object.voxels);
    voxels += static_cast<double>(object.voxels);
  }
  std::unordered_map<std::uint32_t, float> lights;
  for (const LabelledObject& object : objects.objects) {
    const double light = std::max(object.mean_counts - background, 0.0);
    lights.emplace(object.label, sum > 0 ? static_cast<float>(light * voxels / sum) : 1.0F);
  }
  return lights;
}

/// Takes all objects of a scene away.
void leave_out_objects(simulator::SceneSpec& scene) {
  const double photons = scene.nuclei.photons_per_um3;
  static_cast<simulator::PhantomSpec&>(scene) = {};
  scene.nuclei.photons_per_um3 = photons;
  for (const simulator::SceneKey& key : simulator::scene_keys())
    for (const char* table :
         {"nuclei", "cells", "beads", "target", "volume", "tissue", "neuron", "adherent"})
      if (key.table == table) scene.given.erase(key.full_name());
}

void give_key(simulator::SceneSpec& scene, const char* key, const simulator::SceneValue& value) {
  simulator::give(scene, *simulator::find_key(key), value);
}

}  // namespace

simulator::SceneSpec with_files_beside(simulator::SceneSpec scene) {
  for (const char* name : {"volume.labels", "volume.intensity"}) {
    const simulator::SceneKey& key = *simulator::find_key(name);
    const simulator::SceneValue value = key.get(scene);
    if (const auto* path = std::get_if<std::string>(&value))
      give(scene, key, fs::path{*path}.filename().string());
  }
  return scene;
}

Findings labels_as_bodies(const StageTask& task, const fs::path& folder,
                          simulator::SceneSpec& scene) {
  const LabelledImage& image = task.real.front();
  if (!image.has_labels())
    throw InvalidInput(fmt::format(
        "fit: {} has no labels that could be bodies of its twin; give --labels", image.name));
  const LabelledObjects objects = measure_objects(image, task.twins.context());
  const auto numbers = numbers_of(objects);
  write_image<std::uint16_t>(folder / kBodiesFile, image, true,
                             [&](std::uint32_t label) -> std::uint16_t {
                               return label == 0 ? std::uint16_t{0} : numbers.at(label);
                             });
  leave_out_objects(scene);
  scene.grid = image.grid;
  scene.margin_um = {0, 0, 0};
  scene.given.erase("grid.margin_um");
  scene.masks = simulator::MaskKind::section;
  scene.given.erase("grid.masks");
  give_key(scene, "volume.labels", (folder / kBodiesFile).string());
  const double photons = scene.nuclei.photons_per_um3;
  if (image.has_counts()) {
    const auto lights = lights_of(image, objects);
    write_image<float>(folder / kBodyLightFile, image, false,
                       [&](std::uint32_t label) { return label == 0 ? 0.0F : lights.at(label); });
    const VoxelSize& pitch = image.grid.pitch;
    give_key(scene, "volume.intensity", (folder / kBodyLightFile).string());
    give_key(scene, "volume.photons_per_value", photons * pitch.z_um * pitch.y_um * pitch.x_um);
  } else {
    give_key(scene, "volume.photons_per_um3", photons);
  }
  Findings found;
  found.stage = Stage::shapes;
  found.untold.emplace_back(
      "The bodies of the twin are the labels themselves: each twin of this "
      "scene has the same masks, and its bodies are evenly stained.");
  if (image.is_plane())
    found.untold.push_back(fmt::format(
        "A plane does not tell how high bodies are: they are as high as its voxels, {:.3g} um.",
        image.grid.pitch.z_um));
  return found;
}

}  // namespace synthoscope::fit
