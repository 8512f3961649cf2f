// SPDX-License-Identifier: MIT
#include "textures/models/measure.hpp"
#include <fmt/format.h>
#include "kernels/visual_words/nearest_word.hpp"
#include "kernels/visual_words/word_map.hpp"
#include "textures/models/word_counter.hpp"

namespace synthoscope::textures {

kernels::FeatureSpec features_for(const kernels::FeatureSpec& wanted,
                                  const imageio::ImageInfo& image) {
  kernels::FeatureSpec features = wanted;
  if (image.z_um && image.x_um) features.filters.depth_ratio = *image.z_um / *image.x_um;
  return features;
}

TextureSpec ready(TextureSpec spec) {
  spec.features.filters = with_fields(spec.features.filters);
  return spec;
}

Measurable::Measurable(const imageio::CountedImage& image, const Box3& part,
                       const TextureSpec& spec, const RunContext& context)
    : context_{context},
      // The image is kept by the caller
      source_{std::shared_ptr<Source>{std::shared_ptr<void>{}, image.source.get()}, part},
      features_{features_for(spec.features, image.info)},
      gain_{kernels::feature_gain(spec.features, deviation_of(source_, image.info, context))} {}

void Measurable::run(const kernels::ChosenBank& bank, Sink& sink, ImageRunner& runner) {
  NoProgress unseen;
  runner.run(*bank.operation, source_, sink,
             bank.host_seconds * static_cast<double>(volume(extent())),
             with_progress(unseen, context_));
}

void Measurable::make_features(Sink& sink, ImageRunner& runner) {
  run(kernels::make_texture_features({.image = extent()}, features_, gain_), sink, runner);
}

void Measurable::make_words(const kernels::Dictionary& dictionary, Sink& sink,
                            ImageRunner& runner) {
  const Reservation held = context_.memory.reserve(
      kernels::NearestWord::held_bytes(dictionary.size(), dictionary.features), "words");
  kernels::WordMapSpec spec;
  spec.features = features_;
  run(kernels::make_word_map({.image = extent()}, spec, gain_, dictionary), sink, runner);
}

Measured measure(const std::vector<UnopenedImage>& images, const TextureSpec& asked,
                 const kernels::Dictionary& dictionary, ImageRunner& runner,
                 const RunContext& context) {
  const TextureSpec spec = ready(asked);

  // Count what the histograms will hold
  Measured measured;
  std::int64_t textures = 0;
  for (const auto& [name, info, open] : images) {
    const Patches patches{info.extent, spec.patch};
    const std::int64_t length =
        kernels::histogram_length(patches.size(), dictionary.size(), spec.levels);
    if (textures > 0 && length != measured.histogram_length)
      throw InvalidSpec(
          fmt::format("measure the texture of {}: its pyramid has {} values and the pyramid of {} "
                      "has {}; give only planes or only volumes, or --planes middle",
                      name, length, images.front().name, measured.histogram_length));
    measured.histogram_length = length;
    textures += patches.count();
  }
  measured.held =
      context.memory.reserve(textures * (measured.histogram_length * std::int64_t{sizeof(float)} +
                                         std::int64_t{sizeof(Texture)}),
                             "histograms of words");
  measured.textures.reserve(static_cast<std::size_t>(textures));
  measured.histograms.reserve(static_cast<std::size_t>(textures * measured.histogram_length));

  context.progress.begin("count words", static_cast<std::int64_t>(images.size()));
  for (std::size_t i = 0; i < images.size(); ++i) {
    context.stop.check();
    const auto image = opened(images[i], context);
    const Patches patches{image.info.extent, spec.patch};
    for (std::int64_t p = 0; p < patches.count(); ++p) {
      context.stop.check();
      const Box3 patch = patches[p];
      Measurable texture{image, patch, spec, context};
      WordCounter counter{patch.size, dictionary.size(), spec.levels, context.memory};
      texture.make_words(dictionary, counter, runner);
      const std::vector<float> histogram = counter.counts().histogram();
      measured.textures.push_back({static_cast<std::int64_t>(i), patch});
      measured.histograms.insert(measured.histograms.end(), histogram.begin(), histogram.end());
    }
    measured.images.push_back(image.info);
    context.progress.advance(1);
  }
  return measured;
}

Measured measure(const std::vector<std::filesystem::path>& images, const TextureSpec& spec,
                 const kernels::Dictionary& dictionary, const imageio::OpenOptions& open,
                 ImageRunner& runner, const RunContext& context) {
  return measure(unopened(images, spec.planes, open), spec, dictionary, runner, context);
}

void warn_of_pitch_differences(const TextureModel& model, const Measured& measured, Log& log) {
  for (const auto& image : measured.images)
    if (const auto warning = pitch_difference(model, image); !warning.empty()) log.warn(warning);
}

void require_comparable(const TextureModel& model, const Measured& measured) {
  if (model.histogram_length != measured.histogram_length)
    throw InvalidSpec(fmt::format(
        "compare textures with those of a model: histograms have {} values, but histograms of the "
        "model have {}; give planes or volumes, as it was trained with",
        measured.histogram_length, model.histogram_length));
}

}  // namespace synthoscope::textures
