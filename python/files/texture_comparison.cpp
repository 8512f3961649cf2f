// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include "core/base/error.hpp"
#include "python/files/given_images.hpp"
#include "python/files/texture_models.hpp"
#include "textures/answers/compare.hpp"
#include "textures/models/train.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;
using textures::TextureModel;

/// Columns of a table: a row for each image.
nb::dict columns_of(const textures::TwoSets& sets,
                    const std::vector<textures::ComparedImage>& images) {
  nb::list names, set, textures, to_own, to_other, nearest;
  for (std::size_t i = 0; i < images.size(); ++i) {
    names.append(sets.images[i].string());
    set.append(images[i].is_of_a ? "a" : "b");
    textures.append(images[i].textures);
    to_own.append(images[i].to_own);
    to_other.append(images[i].to_other);
    nearest.append(images[i].nearest_of_own);
  }
  nb::dict columns;
  columns["image"] = names;
  columns["set"] = set;
  columns["textures"] = textures;
  columns["to_own"] = to_own;
  columns["to_other"] = to_other;
  columns["nearest_of_own"] = nearest;
  return columns;
}

nb::dict numbers_of(const textures::Compared& compared) {
  const textures::SetComparison& found = compared.found;
  nb::dict numbers;
  numbers["within_a"] = found.within_a;
  numbers["within_b"] = found.within_b;
  numbers["between"] = found.between;
  numbers["energy"] = found.energy;
  numbers["p_energy"] = found.p_energy;
  numbers["accuracy"] = found.accuracy;
  numbers["accuracy_by_chance"] = found.accuracy_by_chance;
  numbers["p_accuracy"] = found.p_accuracy;
  numbers["permutations"] = found.permutations;
  numbers["by_images"] = found.by_images;
  return numbers;
}

/// The numbers, the table of images, and the words where they were learned here.
nb::tuple compare(const std::string& a, const std::string& b, const TextureModel* model,
                  const textures::TrainingSpec& learning, std::int64_t permutations,
                  const AboutImages& about, const Resources& resources) {
  if (permutations < 1) throw InvalidSpec("permutations is less than 1; give 1 or more");
  std::optional<TextureModel> learned;
  textures::TwoSets sets;
  textures::Compared compared;
  resources.run([&](const RunContext& context) {
    sets = textures::two_sets(a, b);
    textures::HostRunner runner;
    const imageio::OpenOptions open = about.open_options();
    if (!model) learned = textures::learn_words(sets.images, learning, open, runner, context);
    compared = textures::compare(model ? *model : *learned, sets,
                                 {learning.texture.patch, permutations, learning.seed}, open,
                                 runner, context);
  });
  return nb::make_tuple(numbers_of(compared), columns_of(sets, compared.images),
                        std::move(learned));
}

}  // namespace

void add_texture_comparison(nb::module_& module) {
  module.def("compare_textures", compare, nb::arg("a"), nb::arg("b"), nb::arg("model").none(),
             nb::arg("learning"), nb::arg("permutations"), nb::arg("about"), nb::arg("resources"),
             "Compares two sets of images.");
}

}  // namespace synthoscope::python
