// SPDX-License-Identifier: MIT
#include "textures/answers/compare.hpp"
#include <fmt/format.h>
#include "textures/images/image_set.hpp"

namespace synthoscope::textures {

TwoSets two_sets(const std::filesystem::path& a, const std::filesystem::path& b) {
  TwoSets sets{images_in(a), 0};
  sets.of_a = std::ssize(sets.images);
  for (auto& path : images_in(b)) sets.images.push_back(std::move(path));
  return sets;
}

Compared compare(const TextureModel& model, const TwoSets& sets, const ComparisonSpec& spec,
                 const imageio::OpenOptions& open, ImageRunner& runner, const RunContext& context) {
  TextureSpec texture = model.spec;
  if (spec.patch) texture.patch = spec.patch;
  const Measured measured = measure(sets.images, texture, model.dictionary, open, runner, context);
  warn_of_pitch_differences(model, measured, context.log);

  const auto made = distances_of(measured, sets.of_a, texture.distance, context);
  const SetDistances& distances = made.distances;
  Compared compared{compare_sets(distances, spec.permutations, spec.seed, context.stop), {}};
  if (!compared.found.by_images && measured.textures.size() > sets.images.size())
    context.log.warn(
        fmt::format("a set has fewer than {} images, so patches are permuted one by one as if all "
                    "patches of one image were independent; p is then too small",
                    kMinImages));
  compared.textures_of_a = distances.of_a;
  compared.textures_of_b = distances.count() - distances.of_a;
  compared.images = compared_images(distances, compared.found, std::ssize(sets.images));
  return compared;
}

MeasuredDistances distances_of(const Measured& measured, std::int64_t images_of_a,
                               kernels::HistogramDistance how, const RunContext& context) {
  const auto count = static_cast<std::int64_t>(measured.textures.size());
  MeasuredDistances made;
  // compare_sets adds them up by images, or by textures: as many sums at most
  made.held = context.memory.reserve(2 * count * count * std::int64_t{sizeof(double)},
                                     "distances between textures");
  made.distances.between.resize(static_cast<std::size_t>(count * count));
  for (const Texture& texture : measured.textures) {
    made.distances.image.push_back(texture.image);
    made.distances.of_a += texture.image < images_of_a;
  }
  context.pool.for_each(count, [&](std::int64_t i) {
    context.stop.check();
    for (std::int64_t j = 0; j < count; ++j)
      made.distances.between[static_cast<std::size_t>(i * count + j)] =
          kernels::distance(how, measured.histogram(i), measured.histogram(j));
  });
  return made;
}

std::vector<ComparedImage> compared_images(const SetDistances& distances,
                                           const SetComparison& found, std::int64_t count) {
  struct Sums {
    double distance[2] = {};  // to its own set and to the other
    double others[2] = {}, nearest_of_own = 0;
  };
  std::vector<ComparedImage> images(static_cast<std::size_t>(count));
  std::vector<Sums> sums(images.size());
  const auto image_of = [&](std::int64_t texture) {
    return static_cast<std::size_t>(distances.image[static_cast<std::size_t>(texture)]);
  };
  const auto is_of_a = [&](std::int64_t texture) { return texture < distances.of_a; };
  for (std::int64_t i = 0; i < distances.count(); ++i) {
    ComparedImage& image = images[image_of(i)];
    Sums& sum = sums[image_of(i)];
    image.is_of_a = is_of_a(i);
    ++image.textures;
    const std::int64_t nearest = found.nearest[static_cast<std::size_t>(i)];
    sum.nearest_of_own += is_of_a(nearest) == is_of_a(i);
    for (std::int64_t j = 0; j < distances.count(); ++j) {
      if (found.by_images ? image_of(i) == image_of(j) : i == j) continue;
      const std::size_t of_other = is_of_a(i) != is_of_a(j);
      sum.distance[of_other] += distances.at(i, j);
      ++sum.others[of_other];
    }
  }
  for (std::size_t i = 0; i < images.size(); ++i) {
    images[i].to_own = sums[i].distance[0] / sums[i].others[0];
    images[i].to_other = sums[i].distance[1] / sums[i].others[1];
    images[i].nearest_of_own = sums[i].nearest_of_own / static_cast<double>(images[i].textures);
  }
  return images;
}

}  // namespace synthoscope::textures
