// SPDX-License-Identifier: MIT
#include "textures/models/train.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/run/host_buffer.hpp"
#include "kernels/visual_words/k_means.hpp"
#include "textures/models/feature_samples.hpp"
#include "textures/models/measure.hpp"

namespace synthoscope::textures {
namespace {

/// An image before any of its voxels is read.
struct SampledImage {
  imageio::ImageInfo info;
  std::int64_t features = 0, samples = 0;
};

std::vector<SampledImage> look_at(const std::vector<std::filesystem::path>& images,
                                  const TrainingSpec& spec, const imageio::OpenOptions& open,
                                  const RunContext& context) {
  std::vector<SampledImage> looked;
  for (const auto& path : images) {
    SampledImage image{imageio::inspect_counted(path, open, context)};
    Extent3 extent = image.info.extent;
    if (spec.texture.planes == Planes::middle) extent.z = 1;
    const Patches patches{extent, spec.texture.patch};
    const Extent3& size = patches.size();
    image.features = kernels::feature_count(spec.texture.features, size);
    image.samples = std::min(volume(size), spec.samples_each) * patches.count();
    if (!looked.empty() && image.features != looked.front().features)
      throw InvalidSpec(fmt::format(
          "learn words: {} has {} features a voxel and {} has {}; give only planes or only "
          "volumes, or --planes middle",
          images.front().string(), looked.front().features, path.string(), image.features));
    looked.push_back(std::move(image));
  }
  return looked;
}

/// Returns the voxel size of the first image, on the axes where all others have the same.
Pitch common_pitch(const std::vector<SampledImage>& images) {
  Pitch common = pitch_of(images.front().info);
  const auto keep = [](std::optional<double>& mine, const std::optional<double>& other) {
    if (mine != other) mine.reset();
  };
  for (const SampledImage& image : images) {
    const Pitch pitch = pitch_of(image.info);
    keep(common.z_um, pitch.z_um);
    keep(common.y_um, pitch.y_um);
    keep(common.x_um, pitch.x_um);
  }
  return common;
}

/// Room was counted for the voxels that an image had when it was looked at.
void require_same(const imageio::ImageInfo& looked, const imageio::ImageInfo& opened) {
  if (looked.extent.y != opened.extent.y || looked.extent.x != opened.extent.x ||
      looked.extent.z < opened.extent.z)
    throw InvalidInput(fmt::format(
        "learn words: {} was {} and is now {}; run again when no program is writing to it",
        opened.path.string(), looked.extent, opened.extent));
}

void require_usable(const TrainingSpec& spec) {
  require_usable(spec.texture);
  if (spec.words < 1 || spec.words > kernels::kMaxWords)
    throw InvalidSpec(fmt::format("learn words: {} were requested; give 1 to {}", spec.words,
                                  kernels::kMaxWords));
  if (spec.samples_each < 1)
    throw InvalidSpec(
        fmt::format("learn words: {} samples of a texture; give 1 or more", spec.samples_each));
}

}  // namespace

TextureModel learn_words(const std::vector<std::filesystem::path>& images, const TrainingSpec& spec,
                         const imageio::OpenOptions& open, ImageRunner& runner,
                         const RunContext& context) {
  require_usable(spec);
  const auto looked = look_at(images, spec, open, context);
  TextureModel model;
  model.spec = spec.texture;
  model.pitch = common_pitch(looked);

  // Draw voxels in every image or patch and keep their features
  const std::int64_t features = looked.front().features;
  std::int64_t count = 0;
  for (const SampledImage& image : looked) count += image.samples;
  const HostBuffer<float> samples{context.memory, features * count, "features of samples"};
  const TextureSpec texture = ready(spec.texture);
  context.progress.begin("sample textures", static_cast<std::int64_t>(images.size()));
  std::int64_t at = 0;
  std::uint32_t textures = 0;
  for (std::size_t i = 0; i < images.size(); ++i) {
    context.stop.check();
    const auto image = open_grey(images[i], open, texture.planes, context);
    require_same(looked[i].info, image.info);
    const Patches patches{image.info.extent, texture.patch};
    for (std::int64_t p = 0; p < patches.count(); ++p) {
      const Box3 patch = patches[p];
      Measurable part{image, patch, texture, context};
      const Reservation held = context.memory.reserve(
          std::min(volume(patch.size), spec.samples_each) * std::int64_t{sizeof(std::int64_t)},
          "voxels to sample");
      const auto voxels = drawn_voxels(patch.size, spec.samples_each, spec.seed, textures++);
      FeaturePicker picker{patch.size, features, voxels, samples.data() + at, count};
      part.make_features(picker, runner);
      at += static_cast<std::int64_t>(voxels.size());
    }
    context.progress.advance(1);
  }

  // Words are the middles of their clusters
  kernels::KMeansSpec means;
  means.words = spec.words;
  means.most_iterations = spec.most_iterations;
  means.seed = spec.seed;
  auto found = kernels::k_means({samples.data(), count, count, features}, means, context);
  model.dictionary = std::move(found.dictionary);
  model.word_sizes = std::move(found.sizes);
  model.training = {spec.seed,     spec.samples_each, count,
                    found.inertia, found.iterations,  found.converged};
  return model;
}

Trained train(const ImageSet& set, const TrainingSpec& spec, const imageio::OpenOptions& open,
              ImageRunner& runner, const RunContext& context) {
  std::vector<std::filesystem::path> paths;
  for (const ClassifiedImage& image : set.images) paths.push_back(image.path);
  Trained trained{learn_words(paths, spec, open, runner, context), {}};
  TextureModel& model = trained.model;
  model.classes = set.classes;
  for (const ClassifiedImage& image : set.images) {
    model.images.push_back(image.path.string());
    model.image_class.push_back(image.of_class);
  }
  Measured measured = measure(paths, model.spec, model.dictionary, open, runner, context);
  model.textures = std::move(measured.textures);
  model.histogram_length = measured.histogram_length;
  model.histograms = std::move(measured.histograms);
  trained.held = std::move(measured.held);
  return trained;
}

}  // namespace synthoscope::textures
