// SPDX-License-Identifier: MIT
#include "score/likeness/compare_images.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/base/error.hpp"
#include "score/likeness/images_of_place.hpp"

namespace synthoscope::score {
namespace {

using textures::ImageToMeasure;
using textures::NullPlace;

std::vector<ImageToMeasure> images_with_labels(const ComparedPlaces& places,
                                               const imageio::OpenOptions& open,
                                               const RunContext& context) {
  std::vector<ImageToMeasure> images = images_of_places(places.images, open, context);
  add_labels(places.labels, open, context, images);
  return images;
}

bool all_have_labels(const std::vector<ImageToMeasure>& images) {
  return std::all_of(images.begin(), images.end(),
                     [](const ImageToMeasure& image) { return bool{image.open_labels}; });
}

/// Objects of both sets must be found in the same way. Labels that come with a data set are not
/// used if the other set has none; labels that were given are an error then.
bool chosen_labels(const std::vector<ImageToMeasure>& real,
                   const std::vector<ImageToMeasure>& synthetic, bool needs_labels) {
  const bool of_real = all_have_labels(real), of_synthetic = all_have_labels(synthetic);
  if (needs_labels && !(of_real && of_synthetic))
    throw InvalidSpec(fmt::format(
        "compare {}: the {} images have labels and the {} ones have none, so that objects would be "
        "found in two ways; give labels of the {} images as well, or no labels",
        real.front().name, of_real ? "real" : "synthetic", of_real ? "synthetic" : "real",
        of_real ? "synthetic" : "real"));
  return of_real && of_synthetic;
}

void warn_of_images_without(const textures::MeasuredSet& set, std::string_view which, Log& log) {
  if (set.without.empty()) return;
  log.warn(fmt::format(
      "{} {} image{} left out, because {} fewer than {} patches of this kind, such as {}",
      set.without.size(), which, set.without.size() == 1 ? " is" : "s are",
      set.without.size() == 1 ? "it has" : "they have", textures::kLeastPatches,
      set.without.front()));
}

void check_pixel_sizes(const textures::MeasuredSet& real, const textures::MeasuredSet& synthetic,
                       Log& log) {
  if (!real.pixel_um && !synthetic.pixel_um)
    return log.warn(
        "no image says how large its pixels are, and all are taken as equal; --voxel-um says it");
  if (!real.pixel_um || !synthetic.pixel_um)
    return log.warn(fmt::format(
        "the {} images do not say how large their pixels are, and are taken to have pixels as "
        "large as the {} ones; --voxel-um says it",
        real.pixel_um ? "synthetic" : "real", real.pixel_um ? "real" : "synthetic"));
  if (std::abs(*real.pixel_um / *synthetic.pixel_um - 1) > textures::kPixelTolerance)
    throw InvalidSpec(
        fmt::format("compare {}: real pixels are {:g} um and synthetic ones {:g} um; bring them to "
                    "one size with `synthoscope resample`",
                    real.images.front().name, *real.pixel_um, *synthetic.pixel_um));
}

/// Of both learners: above if one is above, open if one is open.
NullPlace place_of_learners(const textures::Likeness& found) {
  for (const NullPlace place : {NullPlace::above, NullPlace::open})
    if (found.logistic.place == place || found.forest.place == place) return place;
  return NullPlace::inside;
}

std::string why_open(const textures::Likeness& found) {
  if (!found.forest.value || !found.logistic.value)
    return "there are too few patches to learn from some of them and to test with others; give "
           "larger images, or smaller patches with --patch";
  return fmt::format(
      "{} synthetic image{} for the null, and it needs {} or more, and twice as many as real "
      "ones; simulate more with other seeds",
      found.synthetic_images, found.synthetic_images == 1 ? " is too few" : "s are too few",
      textures::kLeastSynthetic);
}

}  // namespace

ComparedImages compare_images(const std::vector<ImageToMeasure>& real,
                              const std::vector<ImageToMeasure>& synthetic, bool needs_labels,
                              const CompareSettings& settings, const RunContext& context) {
  const textures::MeasureSpec& measure = settings.measure;
  ComparedImages compared;
  compared.patch = measure.patch;
  compared.seed = settings.likeness.seed;
  compared.by_labels = chosen_labels(real, synthetic, needs_labels);
  compared.real = measure_images(real, measure, compared.by_labels, context);
  compared.synthetic = measure_images(synthetic, measure, compared.by_labels, context);
  check_pixel_sizes(compared.real, compared.synthetic, context.log);
  warn_of_images_without(compared.real, "real", context.log);
  warn_of_images_without(compared.synthetic, "synthetic", context.log);
  compared.likeness =
      compare_likeness(compared.real.images, compared.synthetic.images, settings.likeness, context);
  return compared;
}

ComparedImages compare_images(const CompareRequest& request, const RunContext& context) {
  const bool needs_labels = !request.real.labels.empty() || !request.synthetic.labels.empty();
  return compare_images(images_with_labels(request.real, request.open, context),
                        images_with_labels(request.synthetic, request.open, context), needs_labels,
                        request.settings, context);
}

std::string verdict_of(const ComparedImages& compared) {
  const textures::Likeness& found = compared.likeness;
  const NullPlace place = place_of_learners(found);
  std::string verdict;
  if (place == NullPlace::open) {
    verdict = fmt::format("Cannot conclude: {}.", why_open(found));
  } else {
    verdict = fmt::format(
        "The real image{} told apart from synthetic ones {} synthetic ones from each other: AUC "
        "{:.3f} and {:.3f}, the null ends at {:.3f} and {:.3f}.",
        found.real_images == 1 ? " is" : "s are",
        place == NullPlace::inside ? "no better than" : "better than", *found.logistic.value,
        *found.forest.value, found.logistic.high, found.forest.high);
  }
  if (found.test.least_p > 0.05)
    verdict += fmt::format(
        " p of the energy distance cannot be less than {:.2g} with so few images, whatever they "
        "show.",
        found.test.least_p);
  if (found.real_images == 1)
    verdict += " One real image stands for itself alone: others of its kind may differ.";
  return verdict;
}

}  // namespace synthoscope::score
