// SPDX-License-Identifier: MIT
#include "score/likeness/compare_images.hpp"
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "python/files/given_images.hpp"
#include "python/files/texture_models.hpp"
#include "python/score/score.hpp"
#include "score/likeness/images_of_place.hpp"
#include "score/likeness/likeness_json.hpp"
#include "score/likeness/likeness_page.hpp"
#include "score/pages/sweep_table.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;
using textures::ImageToMeasure;

/// Images of files and of arrays, in order.
std::vector<ImageToMeasure> images_to_compare(const std::vector<GivenImage>& given,
                                              std::string_view what, bool are_labels,
                                              const AboutImages& about, const RunContext& context) {
  imageio::OpenOptions open = about.open_options();
  open.labels = are_labels;
  if (are_labels) open.channel = {};
  if (about.spacing_um) {
    const auto [z, y, x] = *about.spacing_um;
    open.voxel_size = VoxelSize{z, y, x};
  }
  std::vector<ImageToMeasure> images;
  for (const GivenImage& one : given) {
    if (const auto* path = std::get_if<std::string>(&one)) {
      for (auto& image : score::images_of_places({*path}, open, context))
        images.push_back(std::move(image));
      continue;
    }
    const ConstVoxelView voxels = std::get<ConstVoxelView>(one);
    const std::string name = std::string{what} + " array " + std::to_string(images.size());
    images.push_back({name, [voxels, name, about](const RunContext&) {
                        return open_array(voxels, name, about);
                      }});
  }
  return images;
}

void give_labels(const std::vector<ImageToMeasure>& labels, std::vector<ImageToMeasure>& images) {
  if (labels.empty()) return;
  if (labels.size() != images.size())
    throw InvalidSpec("compare: there are " + std::to_string(images.size()) + " images and " +
                      std::to_string(labels.size()) +
                      " label images; give one label image for each image, in the same order");
  for (std::size_t i = 0; i < images.size(); ++i)
    images[i].open_labels = labels[i].open_labels ? labels[i].open_labels : labels[i].open;
}

/// The same text as of the command, and a page.
nb::tuple compare_images(const nb::list& real, const nb::list& synthetic,
                         const nb::list& labels_real, const nb::list& labels_synthetic,
                         const AboutImages& about, std::int64_t patch, const std::string& where,
                         std::optional<std::int64_t> plane, std::int64_t permutations,
                         std::int64_t null_draws, std::uint64_t seed, const Resources& resources) {
  const auto of_real = given_images(real), of_synthetic = given_images(synthetic);
  const auto real_labels = given_images(labels_real);
  const auto synthetic_labels = given_images(labels_synthetic);
  const auto place = named_in(textures::kPatchPlaceNames, where);
  if (!place) throw InvalidSpec("compare: where is '" + where + "'; give inside, edge or all");
  if (of_real.empty() || of_synthetic.empty())
    throw InvalidSpec("compare: a set has no images; give one or more of each");
  if (permutations < 1 || null_draws < 1)
    throw InvalidSpec("compare: permutations or null is less than 1; give 1 or more");
  if (plane && *plane < 0) throw InvalidSpec("compare: plane is less than 0; give 0 or more");
  score::CompareSettings settings;
  settings.measure.patch.side = patch;
  settings.measure.patch.where = *place;
  settings.measure.plane = plane;
  settings.likeness.seed = seed;
  settings.likeness.permutations = permutations;
  settings.likeness.null_draws = null_draws;
  Json json;
  std::string page;
  resources.run([&](const RunContext& context) {
    auto reals = images_to_compare(of_real, "real", false, about, context);
    auto synthetics = images_to_compare(of_synthetic, "synthetic", false, about, context);
    give_labels(images_to_compare(real_labels, "labels", true, about, context), reals);
    give_labels(images_to_compare(synthetic_labels, "labels", true, about, context), synthetics);
    const bool needs_labels = !real_labels.empty() || !synthetic_labels.empty();
    const auto compared = score::compare_images(reals, synthetics, needs_labels, settings, context);
    json = json_of(compared);
    page = score::score_page("synthetic beside real images", score::likeness_sections(compared));
  });
  return nb::make_tuple(text_of(json), page);
}

}  // namespace

void add_compare_images(nb::module_& module) {
  module.def("compare_images", compare_images, nb::arg("real"), nb::arg("synthetic"),
             nb::arg("labels_real"), nb::arg("labels_synthetic"), nb::arg("about"),
             nb::arg("patch"), nb::arg("where"), nb::arg("plane").none(), nb::arg("permutations"),
             nb::arg("null"), nb::arg("seed"), nb::arg("resources"),
             "Compares real and synthetic images; returns JSON and a page.");
}

}  // namespace synthoscope::python
