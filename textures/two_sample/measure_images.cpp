// SPDX-License-Identifier: MIT
#include "textures/two_sample/measure_images.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/base/error.hpp"
#include "textures/patches/patch_statistics.hpp"
#include "textures/patches/plane_reader.hpp"

namespace synthoscope::textures {
namespace {

constexpr std::size_t kShownPatches = 24;  ///< of all images together, for pictures
/// Bytes for each pixel of the plane that is measured: it, its normalised values, a sorted copy,
/// those inside and outside objects, its mask and the sums of it.
constexpr std::int64_t kPlaneBytes = 8 * std::int64_t{sizeof(double)};

void require_side(std::int64_t side) {
  if (side >= kLeastPatchSide && side <= kMostPatchSide) return;
  throw InvalidSpec(fmt::format("measure patches: their side is {}; give {} to {} pixels", side,
                                kLeastPatchSide, kMostPatchSide));
}

void require_room(const Extent3& extent, std::int64_t side, const std::string& name) {
  if (extent.y >= side && extent.x >= side) return;
  throw InvalidSpec(
      fmt::format("measure patches of {}: it has {} x {} pixels and patches have {} x {}; give "
                  "larger images or a smaller --patch, {} or more",
                  name, extent.y, extent.x, side, side, kLeastPatchSide));
}

/// Returns the size of square pixels, if the file says it.
std::optional<double> pixel_size_of(const imageio::ImageInfo& info, const std::string& name) {
  if (!info.y_um || !info.x_um) return {};
  if (std::abs(*info.y_um / *info.x_um - 1) > kPixelTolerance)
    throw InvalidSpec(fmt::format(
        "measure patches of {}: its pixels are {:g} x {:g} um; `synthoscope resample` makes them "
        "square",
        name, *info.y_um, *info.x_um));
  return *info.x_um;
}

void require_same_pixels(const std::optional<double>& here, const std::string& name,
                         std::optional<double>& common) {
  if (!here) return;
  if (!common) common = here;
  if (std::abs(*here / *common - 1) <= kPixelTolerance) return;
  throw InvalidSpec(
      fmt::format("compare {}: its pixels are {:g} um, and those of other images {:g} um; bring "
                  "all images to one pixel size with `synthoscope resample`",
                  name, *here, *common));
}

std::int64_t plane_to_measure(const imageio::CountedImage& image, const MeasureSpec& spec,
                              const std::string& name, const RunContext& context) {
  const std::int64_t planes = image.source->extent().z;
  if (!spec.plane) return sharpest_plane(*image.source, name, context);
  if (*spec.plane < planes) return *spec.plane;
  throw InvalidSpec(
      fmt::format("measure patches of {}: it has {} planes, and no plane {}; choose "
                  "0 to {}, or the sharpest",
                  name, planes, *spec.plane, planes - 1));
}

MeasuredImage measured_patches(const GreyPlane& plane, const ObjectMask& objects,
                               const PatchSpec& spec, const std::string& name,
                               std::size_t most_shown, const RunContext& context) {
  MeasuredImage image;
  image.name = name;
  image.side = spec.side;
  image.corners = patch_corners(plane, objects, spec);
  image.statistics.columns = kPatchStatisticCount;
  image.statistics.values.resize(image.patches() * kPatchStatisticCount);
  context.pool.for_each(std::ssize(image.corners), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    const PatchStatistics found = patch_statistics(patch_at(plane, image.corners[at], spec.side));
    std::copy(
        found.begin(), found.end(),
        image.statistics.values.begin() + static_cast<std::ptrdiff_t>(at * kPatchStatisticCount));
  });
  const std::size_t shown = std::min(most_shown, image.patches());
  for (std::size_t i = 0; i < shown; ++i)
    image.shown.push_back(
        patch_at(plane, image.corners[(2 * i + 1) * image.patches() / (2 * shown)], spec.side));
  return image;
}

MeasuredImage measured_image(const ImageToMeasure& given, const MeasureSpec& spec, bool use_labels,
                             std::size_t most_shown, std::optional<double>& pixel_um,
                             const RunContext& context) {
  const imageio::CountedImage image = given.open(context);
  const Extent3 extent = image.source->extent();
  require_room(extent, spec.patch.side, given.name);
  require_same_pixels(pixel_size_of(image.info, given.name), given.name, pixel_um);
  const Reservation held =
      context.memory.reserve(extent.y * extent.x * kPlaneBytes, "a plane and its patches");
  const std::int64_t z = plane_to_measure(image, spec, given.name, context);
  const GreyPlane plane = read_plane(*image.source, z, given.name, context);
  ObjectMask objects;
  if (use_labels) {
    const imageio::CountedImage labels = given.open_labels(context);
    objects = read_mask(*labels.source, z, extent, given.name, context);
  } else {
    objects = bright_objects(plane);
  }
  return measured_patches(normalised(plane, objects, given.name), objects, spec.patch, given.name,
                          most_shown, context);
}

}  // namespace

MeasuredSet measure_images(const std::vector<ImageToMeasure>& images, const MeasureSpec& spec,
                           bool use_labels, const RunContext& context) {
  require_side(spec.patch.side);
  MeasuredSet set;
  const std::int64_t of_patch = std::int64_t{kPatchStatisticCount * sizeof(double)};
  const std::size_t most_shown = (kShownPatches + images.size() - 1) / images.size();
  const std::int64_t of_pictures =
      static_cast<std::int64_t>(most_shown * sizeof(double)) * spec.patch.side * spec.patch.side;
  set.held =
      context.memory.reserve(std::ssize(images) * (spec.patch.most * (of_patch + 16) + of_pictures),
                             "statistics of patches");
  context.progress.begin("measure", std::ssize(images));
  for (const ImageToMeasure& given : images) {
    context.stop.check();
    MeasuredImage image =
        measured_image(given, spec, use_labels, most_shown, set.pixel_um, context);
    if (std::ssize(image.corners) < kLeastPatches)
      set.without.push_back(given.name);
    else
      set.images.push_back(std::move(image));
    context.progress.advance(1);
  }
  if (set.images.empty())
    throw InvalidSpec(fmt::format(
        "compare {}: no image has {} patches {}; give a smaller --patch, 16 or more, or --where "
        "all",
        set.without.front(), kLeastPatches,
        spec.patch.where == PatchPlace::all
            ? "at all"
            : fmt::format("{} of objects",
                          spec.patch.where == PatchPlace::inside ? "inside" : "at the edge")));
  return set;
}

}  // namespace synthoscope::textures
