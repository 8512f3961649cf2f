// SPDX-License-Identifier: MIT
#include "python/files/texture_models.hpp"
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <memory>
#include <utility>
#include "core/stream/memory_stream.hpp"
#include "imageio/run/new_output.hpp"
#include "imageio/run/run_files.hpp"
#include "kernels/visual_words/word_map.hpp"
#include "python/files/given_images.hpp"
#include "python/session/arrays.hpp"
#include "textures/answers/verdict.hpp"
#include "textures/models/measure.hpp"
#include "textures/models/model_file.hpp"
#include "textures/models/train.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;
using textures::TextureModel;

/// An array that keeps its values alive.
template <class T>
nb::ndarray<nb::numpy, T> array_of(std::vector<T> values, std::vector<std::size_t> shape) {
  auto* const kept = new std::vector<T>(std::move(values));
  const nb::capsule owner{kept,
                          [](void* made) noexcept { delete static_cast<std::vector<T>*>(made); }};
  return {kept->data(), shape.size(), shape.data(), owner};
}

TextureModel train(const std::string& folder, const textures::TrainingSpec& spec,
                   const AboutImages& about, const Resources& resources) {
  TextureModel model;
  resources.run([&](const RunContext& context) {
    textures::HostRunner runner;
    model = textures::train(textures::classes_in(folder), spec, about.open_options(), runner,
                            context)
                .model;  // the caller's from here on
  });
  return model;
}

TextureModel read(const std::string& path, const Resources& resources) {
  TextureModel model;
  resources.run(
      [&](const RunContext& context) { model = textures::read_model(path, context).model; });
  return model;
}

void write(const TextureModel& model, const std::string& path, bool overwrite) {
  const nb::gil_scoped_release unlocked;
  imageio::RunFiles files;
  files.add_output_file("model", path);
  files.check();
  imageio::require_new_output(path, overwrite);
  MemoryBudget memory{usual_allowance().memory_bytes};
  textures::write_model(path, model, overwrite, memory);
}

nb::tuple told(const TextureModel& model, const textures::NearestOfClass& nearest) {
  const auto texture = static_cast<std::size_t>(nearest.texture);
  const auto image = static_cast<std::size_t>(model.textures[texture].image);
  return nb::make_tuple(model.classes[static_cast<std::size_t>(nearest.of_class)], nearest.distance,
                        model.images[image]);
}

/// name, known class, ranking of (class, distance, image), margin, votes of each class, patches
nb::tuple told(const TextureModel& model, const textures::Verdict& verdict) {
  const textures::Classified& best = verdict.best();
  nb::list ranking;
  for (const auto& nearest : best.ranking) ranking.append(told(model, nearest));
  nb::dict votes;
  const auto counted = verdict.votes_by_class(model.classes.size());
  for (std::size_t i = 0; i < counted.size(); ++i)
    if (counted[i] > 0) votes[model.classes[i].c_str()] = counted[i];
  return nb::make_tuple(verdict.image, verdict.known, ranking, best.margin(), votes,
                        verdict.textures.size());
}

nb::list told(const TextureModel& model, const textures::Verdicts& verdicts) {
  nb::list all;
  for (const textures::Verdict& verdict : verdicts.images) all.append(told(model, verdict));
  return all;
}

nb::list classify(const TextureModel& model, const nb::list& images, const AboutImages& about,
                  const Resources& resources) {
  const auto given = given_images(images);
  Session session{resources.workers, resources.memory, resources.progress};  // outlives verdicts
  textures::Verdicts verdicts;
  session.run([&](const RunContext& context) {
    textures::HostRunner runner;
    verdicts = textures::judge(model, unopened(given, model.spec.planes, about), runner, context);
  });
  return told(model, verdicts);
}

nb::list classify_classes(const TextureModel& model, const std::string& folder,
                          const AboutImages& about, const Resources& resources) {
  Session session{resources.workers, resources.memory, resources.progress};
  textures::Verdicts verdicts;
  session.run([&](const RunContext& context) {
    textures::HostRunner runner;
    verdicts =
        textures::judge(model, textures::classes_in(folder), about.open_options(), runner, context);
  });
  return told(model, verdicts);
}

/// (z, y, x) of uint8 for up to 256 words, else of uint16.
nb::ndarray<nb::numpy> word_map(const TextureModel& model, const nb::list& image,
                                const AboutImages& about, const Resources& resources) {
  const auto given = given_images(image);
  const PixelType type = kernels::word_type(model.dictionary.size());
  std::unique_ptr<std::byte[]> words;  // not zeroed: all of them are written
  Extent3 extent;
  resources.run([&](const RunContext& context) {
    const auto images = unopened(given, model.spec.planes, about);
    const auto from = textures::opened(images.front(), context);
    extent = from.info.extent;
    words.reset(new std::byte[static_cast<std::size_t>(volume(extent) * size_of(type))]);
    if (const auto warning = pitch_difference(model, from.info); !warning.empty())
      context.log.warn(warning);
    const kernels::WordMapSpec spec{
        textures::features_for(textures::ready(model.spec).features, from.info), {}};
    const double gain = kernels::feature_gain(
        spec.features, textures::deviation_of(*from.source, from.info, context));
    const auto made = kernels::make_word_map({.image = extent}, spec, gain, model.dictionary);
    MemorySink sink{{words.get(), type, extent}};
    textures::HostRunner{}.run(*made.operation, *from.source, sink, 0, context);
  });
  const std::size_t shape[] = {static_cast<std::size_t>(extent.z),
                               static_cast<std::size_t>(extent.y),
                               static_cast<std::size_t>(extent.x)};
  std::byte* const first = words.release();
  const nb::capsule owner{first,
                          [](void* made) noexcept { delete[] static_cast<std::byte*>(made); }};
  return {first, 3, shape, owner, nullptr, dtype_of(type)};
}

/// (patches, length)
nb::ndarray<nb::numpy, float> histograms(const TextureModel& model, const nb::list& image,
                                         const AboutImages& about, const Resources& resources) {
  const auto given = given_images(image);
  std::vector<float> values;
  std::size_t patches = 0, length = 0;
  resources.run([&](const RunContext& context) {
    textures::HostRunner runner;
    const auto measured = textures::measure(unopened(given, model.spec.planes, about), model.spec,
                                            model.dictionary, runner, context);
    warn_of_pitch_differences(model, measured, context.log);
    values.assign(measured.histograms.begin(), measured.histograms.end());
    patches = measured.textures.size();
    length = static_cast<std::size_t>(measured.histogram_length);
  });
  return array_of(std::move(values), {patches, length});
}

/// Textures classified correctly, those that were tried, and images that are alone in their class.
std::tuple<std::int64_t, std::int64_t, std::int64_t> leave_one_out(const TextureModel& model,
                                                                   const Resources& resources) {
  textures::LeaveOneOutResult found;
  resources.run(
      [&](const RunContext& context) { found = textures::leave_one_out(model, context); });
  return {found.right, found.all, found.alone};
}

nb::ndarray<nb::numpy, float> centroids(const TextureModel& model) {
  return array_of(model.dictionary.centroids,
                  {static_cast<std::size_t>(model.dictionary.size()),
                   static_cast<std::size_t>(model.dictionary.features)});
}

nb::ndarray<nb::numpy, std::int64_t> sizes(const TextureModel& model) {
  return array_of(model.word_sizes, {model.word_sizes.size()});
}

nb::ndarray<nb::numpy, float> known_histograms(const TextureModel& model) {
  return array_of(model.histograms,
                  {model.textures.size(), static_cast<std::size_t>(model.histogram_length)});
}

/// Everything of a model but its arrays.
nb::dict record_of(const TextureModel& model) {
  const textures::TextureSpec& spec = model.spec;
  nb::dict record;
  record["bank"] = std::string{name_of(spec.features.filters.bank)};
  record["standardize"] = spec.features.standardised;
  record["contrast_normalize"] = spec.features.contrast_normalised;
  record["planes"] = std::string{name_in(textures::kPlanesNames, spec.planes)};
  record["levels"] = spec.levels;
  record["distance"] = std::string{name_of(spec.distance)};
  record["patch"] = nb::none();
  if (const auto& patch = spec.patch; patch && patch->z > 0)
    record["patch"] = nb::make_tuple(patch->z, patch->y, patch->x);
  else if (patch)
    record["patch"] = nb::make_tuple(patch->y, patch->x);
  record["spacing_um"] = nb::make_tuple(model.pitch.z_um, model.pitch.y_um, model.pitch.x_um);
  record["classes"] = model.classes;
  record["images"] = model.images;
  record["seed"] = model.training.seed;
  record["samples"] = model.training.samples;
  record["inertia"] = model.training.inertia;
  record["iterations"] = model.training.iterations;
  record["converged"] = model.training.converged;
  return record;
}

/// The number of the image of each texture.
std::vector<std::int64_t> images_of_textures(const TextureModel& model) {
  std::vector<std::int64_t> images;
  for (const textures::Texture& texture : model.textures) images.push_back(texture.image);
  return images;
}

std::vector<std::string> images_in(const std::string& place) {
  std::vector<std::string> names;
  for (const auto& path : textures::images_in(std::filesystem::path{place}))
    names.push_back(path.string());
  return names;
}

std::pair<double, double> wilson_interval(std::int64_t right, std::int64_t all) {
  const textures::Share share = textures::share_of(right, all);
  return {share.low, share.high};
}

}  // namespace

void add_texture_models(nb::module_& module) {
  nb::class_<AboutImages>(module, "AboutImages",
                          "Channel and frame to read from files, and the voxel size of arrays.")
      .def(
          "__init__",
          [](AboutImages* self, std::optional<std::int64_t> channel,
             std::optional<std::int64_t> frame,
             const std::optional<std::tuple<double, double, double>>& spacing_um) {
            new (self) AboutImages{channel, frame, spacing_um};
          },
          nb::arg("channel").none(), nb::arg("frame").none(), nb::arg("spacing_um").none());
  nb::class_<Resources>(module, "Resources", "Threads, memory and progress callback of a call.")
      .def(
          "__init__",
          [](Resources* self, std::optional<int> workers, std::optional<std::string> memory,
             nb::object progress) {
            new (self) Resources{workers, std::move(memory), std::move(progress)};
          },
          nb::arg("workers").none(), nb::arg("memory").none(), nb::arg("progress").none());

  const auto images = nb::arg("images"), about = nb::arg("about");
  const auto resources = nb::arg("resources");
  constexpr auto owned = nb::rv_policy::automatic;  // arrays of their own, not the model's
  nb::class_<TextureModel>(module, "TextureModel",
                           "Visual words, and the textures described by them.")
      .def_static("train", train, nb::arg("folder"), nb::arg("learning"), about, resources)
      .def_static("read", read, nb::arg("path"), resources)
      .def("write", write, nb::arg("path"), nb::arg("overwrite"))
      .def("classify", classify, images, about, resources,
           "Returns a tuple per image: name, known class, ranking, margin, votes, patches.")
      .def("classify_classes", classify_classes, nb::arg("folder"), about, resources)
      .def("word_map", word_map, images, about, resources,
           "Returns the word of every voxel of one image.")
      .def("histograms", histograms, images, about, resources,
           "Returns an array (patches, length).")
      .def("leave_one_out", leave_one_out, resources,
           "Returns the textures classified correctly, those classified, and the images "
           "that are alone in their class.")
      .def("record", record_of)
      .def_prop_ro("centroids", centroids, owned)
      .def_prop_ro("sizes", sizes, owned)
      .def_prop_ro("known_histograms", known_histograms, owned)
      .def_prop_ro("images_of_textures", images_of_textures)
      .def_prop_ro("classes_of_images",
                   [](const TextureModel& model) { return model.image_class; });
  module.def("images_in", images_in, nb::arg("place"),
             "Lists an image, or the images of a folder.");
  module.def("wilson_interval", wilson_interval, nb::arg("right"), nb::arg("all"));
}

}  // namespace synthoscope::python
