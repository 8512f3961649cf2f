// SPDX-License-Identifier: MIT
#include "fit/texture/texture_distance.hpp"
#include <algorithm>
#include <optional>
#include <vector>
#include "core/base/error.hpp"
#include "fit/images/memory_image.hpp"
#include "textures/patches/patch_statistics.hpp"
#include "textures/two_sample/image_distances.hpp"

namespace synthoscope::fit {
namespace {

constexpr std::int64_t kPatchSides[] = {32, 24, textures::kLeastPatchSide};
constexpr std::size_t kEnoughPatches = 30;

std::vector<textures::ImageToMeasure> to_measure(const LabelledImages& images) {
  std::vector<textures::ImageToMeasure> all;
  for (const LabelledImage& image : images) all.push_back(image_to_measure(image));
  return all;
}

std::size_t patches_in(const textures::MeasuredSet& set) {
  std::size_t sum = 0;
  for (const auto& image : set.images) sum += image.patches();
  return sum;
}

/// Nothing if an image has too few patches, or no objects.
std::optional<textures::MeasuredSet> measured_set(const LabelledImages& images,
                                                  const textures::MeasureSpec& spec,
                                                  bool use_labels, const RunContext& context) {
  try {
    return measure_images(to_measure(images), spec, use_labels, context);
  } catch (const InvalidSpec&) {
    return std::nullopt;
  } catch (const InvalidInput&) {
    return std::nullopt;
  }
}

textures::ImageList list_of(const textures::MeasuredSet& set) {
  textures::ImageList list;
  for (const auto& image : set.images) list.push_back(&image);
  return list;
}

}  // namespace

TextureDistance::TextureDistance(const LabelledImages& real, const RunContext& context)
    : use_labels_{real.front().has_labels()}, context_{context} {
  using textures::PatchPlace;
  std::size_t most = 0;
  for (const PatchPlace where : {PatchPlace::inside, PatchPlace::all})
    for (const std::int64_t side : kPatchSides) {
      if (most >= kEnoughPatches) return;
      textures::MeasureSpec spec;
      spec.patch.side = side;
      spec.patch.where = where;
      auto found = measured_set(real, spec, use_labels_, context);
      if (!found || patches_in(*found) <= most) continue;
      most = patches_in(*found);
      spec_ = spec;
      real_ = std::move(*found);
    }
  if (most == 0)
    throw InvalidSpec(
        "fit the texture: no image has objects with room for patches of 16 pixels; leave the stage "
        "texture out, or give finer images");
}

double TextureDistance::to(const LabelledImages& simulated) const {
  const auto found = measured_set(simulated, spec_, use_labels_, context_);
  if (!found) return 1;
  textures::ImageList all = list_of(real_);
  std::vector<char> is_real(all.size(), 1);
  const textures::ImageList twins = list_of(*found);
  all.insert(all.end(), twins.begin(), twins.end());
  is_real.resize(all.size(), 0);
  return energy_distance(image_distances(standardised(all, list_of(real_))), is_real);
}

std::size_t TextureDistance::patches() const {
  return patches_in(real_);
}

}  // namespace synthoscope::fit
