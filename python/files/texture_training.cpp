// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include "core/base/error.hpp"
#include "python/arrays/words.hpp"
#include "python/files/texture_models.hpp"
#include "python/session/named.hpp"
#include "textures/models/train.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;
using textures::TrainingSpec;

constexpr int kMaxIterations = 1'000'000;

Extent3 patch_of(const std::vector<std::int64_t>& sizes) {
  if (sizes.size() != 2 && sizes.size() != 3)
    throw InvalidSpec(fmt::format("patch has {} sizes; give (y, x) or (z, y, x)", sizes.size()));
  for (const std::int64_t size : sizes)
    if (size < 1)
      throw InvalidSpec(fmt::format("patch has the size {}; give 1 voxel or more", size));
  const auto from_last = [&](std::size_t axis) { return sizes[sizes.size() - 1 - axis]; };
  return {sizes.size() == 3 ? sizes.front() : 0, from_last(1), from_last(0)};
}

TrainingSpec training_of(std::int64_t words, std::int64_t samples, int iterations,
                         std::uint64_t seed, const HowMeasured& how, const std::string& planes,
                         const std::optional<std::vector<std::int64_t>>& patch, int levels,
                         const std::string& distance) {
  if (iterations < 1 || iterations > kMaxIterations)
    throw InvalidSpec(
        fmt::format("iterations is {}; give 1 to {} rounds", iterations, kMaxIterations));
  TrainingSpec spec;
  spec.words = words;
  spec.samples_each = samples;
  spec.most_iterations = iterations;
  spec.seed = seed;
  spec.texture.features = spec_of(how);
  spec.texture.planes = named(textures::kPlanesNames, "planes", planes);
  if (patch) spec.texture.patch = patch_of(*patch);
  spec.texture.levels = levels;
  spec.texture.distance = distance_of(distance);
  return spec;
}

}  // namespace

void add_texture_training(nb::module_& module) {
  nb::class_<TrainingSpec>(module, "TextureTraining",
                           "How words are learned and textures measured.")
      .def(
          "__init__",
          [](TrainingSpec* self, std::int64_t words, std::int64_t samples, int iterations,
             std::uint64_t seed, const std::string& bank, bool standardize, bool contrast_normalize,
             const std::string& planes, const std::optional<std::vector<std::int64_t>>& patch,
             int levels, const std::string& distance) {
            new (self) TrainingSpec{training_of(words, samples, iterations, seed,
                                                {bank, standardize, contrast_normalize, 1}, planes,
                                                patch, levels, distance)};
          },
          nb::kw_only(), nb::arg("words"), nb::arg("samples"), nb::arg("iterations"),
          nb::arg("seed"), nb::arg("bank"), nb::arg("standardize"), nb::arg("contrast_normalize"),
          nb::arg("planes"), nb::arg("patch").none(), nb::arg("levels"), nb::arg("distance"));
}

}  // namespace synthoscope::python
