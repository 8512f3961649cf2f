// SPDX-License-Identifier: MIT
#include "fit/light/object_light.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include "fit/estimates/robust.hpp"
#include "score/surfaces/distance_transform.hpp"
#include "textures/patches/plane_patches.hpp"

namespace synthoscope::fit {
namespace {

constexpr double kFewestVoxels = 9;
constexpr std::size_t kFewestAround = 20;
constexpr double kRingNear = 2, kRingNearest = 1, kRingFar = 6;  ///< widths of the PSF
constexpr double kMainPlane = 0.7;  ///< area of a plane through the middle over the largest
constexpr double kInsideWidths = 2, kInsideDepth = 0.4, kMiddleDepth = 0.75;
constexpr std::size_t kMostAround = 20000;  ///< pixels of surroundings that are looked at

/// Where an object lies, and its sums.
struct LightSums {
  Index3 first{}, last{};
  double voxels = 0, z_sum = 0, y_sum = 0, x_sum = 0, counts = 0;
  std::vector<double> areas;  ///< voxels in each plane from the first
};

std::vector<LightSums> label_sums_of(const LabelledImage& image) {
  const Extent3& extent = image.grid.extent;
  const std::uint32_t most =
      *std::max_element(image.labels.voxels.begin(), image.labels.voxels.end());
  std::vector<LightSums> all(most + std::size_t{1});
  const auto labels = image.labels.view();
  const auto counts = image.counts.view();
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t y = 0; y < extent.y; ++y)
      for (std::int64_t x = 0; x < extent.x; ++x) {
        const std::uint32_t label = labels(z, y, x);
        if (label == 0) continue;
        LightSums& one = all[label];
        if (one.voxels == 0) one.first = one.last = {z, y, x};
        one.first = {std::min(one.first.z, z), std::min(one.first.y, y), std::min(one.first.x, x)};
        one.last = {std::max(one.last.z, z), std::max(one.last.y, y), std::max(one.last.x, x)};
        ++one.voxels;
        one.z_sum += static_cast<double>(z) + 0.5;
        one.y_sum += static_cast<double>(y) + 0.5;
        one.x_sum += static_cast<double>(x) + 0.5;
        one.counts += static_cast<double>(counts(z, y, x));
        one.areas.resize(static_cast<std::size_t>(z - one.first.z + 1));
        ++one.areas.back();
      }
  return all;
}

/// The counts of unlabelled pixels around an object.
double surroundings_of(const LabelledImage& image, std::span<const double> squared_widths,
                       const LightSums& object, double level, const LightRule& rule) {
  const Extent3& extent = image.grid.extent;
  const auto reach = [&](double pitch_um) {
    return static_cast<std::int64_t>(std::ceil(kRingFar * rule.lateral_um / pitch_um));
  };
  const std::int64_t down = reach(image.grid.pitch.y_um), right = reach(image.grid.pitch.x_um);
  const std::int64_t y0 = std::max<std::int64_t>(object.first.y - down, 0),
                     y1 = std::min(object.last.y + down + 1, extent.y),
                     x0 = std::max<std::int64_t>(object.first.x - right, 0),
                     x1 = std::min(object.last.x + right + 1, extent.x);
  const std::int64_t pixels = (object.last.z - object.first.z + 1) * (y1 - y0) * (x1 - x0);
  const std::int64_t step =
      1 + pixels / (8 * static_cast<std::int64_t>(kMostAround));  // of planes, of large objects
  for (const double nearest : {kRingNear, kRingNearest}) {
    std::vector<double> around;
    for (std::int64_t z = object.first.z; z <= object.last.z; z += step)
      for (std::int64_t y = y0; y < y1; ++y)
        for (std::int64_t x = x0; x < x1; ++x) {
          const auto place = static_cast<std::size_t>((z * extent.y + y) * extent.x + x);
          const double square = squared_widths[place];
          if (square >= nearest * nearest && square <= kRingFar * kRingFar)
            around.push_back(static_cast<double>(image.counts.voxels[place]));
        }
    if (around.size() >= kFewestAround) return mean_of_middle_half(std::move(around));
  }
  return level;
}

/// Returns the depth of labelled voxels below the border of their object in their plane.
std::vector<double> depths_um(const LabelledImage& image) {
  const Extent3& extent = image.grid.extent;
  const auto labels = image.labels.view();
  std::vector<double> field(image.labels.voxels.size());
  std::size_t place = 0;
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t y = 0; y < extent.y; ++y)
      for (std::int64_t x = 0; x < extent.x; ++x, ++place) {
        const std::uint32_t label = labels(z, y, x);
        const bool is_border = (y > 0 && labels(z, y - 1, x) != label) ||
                               (y + 1 < extent.y && labels(z, y + 1, x) != label) ||
                               (x > 0 && labels(z, y, x - 1) != label) ||
                               (x + 1 < extent.x && labels(z, y, x + 1) != label);
        field[place] = is_border ? 0 : std::numeric_limits<double>::infinity();
      }
  // Planes far apart do not see each other
  const double apart_um = 1e3 * static_cast<double>(extent.y + extent.x) *
                          (image.grid.pitch.y_um + image.grid.pitch.x_um);
  score::squared_distances(field, extent, {apart_um, image.grid.pitch.y_um, image.grid.pitch.x_um});
  const double half_pixel = (image.grid.pitch.y_um + image.grid.pitch.x_um) / 4;
  for (double& value : field) value = std::sqrt(value) + half_pixel;
  return field;
}

/// Returns the mean count of a pixel and its neighbours in the plane that belong to the same
/// object: less noise, and no light of others.
double mean_of_neighbours(const LabelledImage& image, std::int64_t z, std::int64_t y,
                          std::int64_t x) {
  const Extent3& extent = image.grid.extent;
  const auto labels = image.labels.view();
  const std::uint32_t own = labels(z, y, x);
  double sum = 0, pixels = 0;
  for (std::int64_t v = std::max<std::int64_t>(y - 1, 0); v < std::min(y + 2, extent.y); ++v)
    for (std::int64_t u = std::max<std::int64_t>(x - 1, 0); u < std::min(x + 2, extent.x); ++u) {
      if (labels(z, v, u) != own) continue;
      sum += static_cast<double>(image.counts.view()(z, v, u));
      ++pixels;
    }
  return sum / pixels;
}

/// Returns the share of values above the threshold between dark and bright ones.
double share_of_bright(const std::vector<double>& values) {
  if (values.empty()) return 0;
  const double threshold = textures::otsu_threshold(values);
  const auto bright =
      std::count_if(values.begin(), values.end(), [&](double value) { return value > threshold; });
  return static_cast<double>(bright) / static_cast<double>(values.size());
}

void measure_zones(const LabelledImage& image, const std::vector<LightSums>& sums_of_labels,
                   const LightRule& rule, std::vector<LitObject>& objects,
                   const std::vector<std::size_t>& numbers) {
  const std::vector<double> depths = depths_um(image);
  const Extent3& extent = image.grid.extent;
  std::vector<double> deepest(sums_of_labels.size());
  std::vector<std::array<double, kZones>> sums(sums_of_labels.size()),
      pixels(sums_of_labels.size());
  std::vector<std::vector<double>> smooth(sums_of_labels.size());
  const auto visit = [&](auto&& each) {
    std::size_t place = 0;
    for (std::int64_t z = 0; z < extent.z; ++z)
      for (std::int64_t i = 0; i < extent.y * extent.x; ++i, ++place) {
        const std::uint32_t label = image.labels.voxels[place];
        if (label == 0) continue;
        const LightSums& one = sums_of_labels[label];
        const double largest = *std::max_element(one.areas.begin(), one.areas.end());
        if (one.areas[static_cast<std::size_t>(z - one.first.z)] >= kMainPlane * largest)
          each(label, place);
      }
  };
  visit([&](std::uint32_t label, std::size_t place) {
    if (std::isfinite(depths[place])) deepest[label] = std::max(deepest[label], depths[place]);
    const auto at = static_cast<std::int64_t>(place), row = at / extent.x;
    smooth[label].push_back(
        mean_of_neighbours(image, row / extent.y, row % extent.y, at % extent.x));
  });
  visit([&](std::uint32_t label, std::size_t place) {
    const double depth = depths[place], most = deepest[label];
    std::size_t zone = 0;
    if (depth <= rule.lateral_um)
      zone = static_cast<std::size_t>(Zone::border);
    else if (depth >= kInsideWidths * rule.lateral_um && depth <= kInsideDepth * most)
      zone = static_cast<std::size_t>(Zone::inside);
    else if (depth >= kMiddleDepth * most)
      zone = static_cast<std::size_t>(Zone::middle);
    if (zone == 0) return;
    sums[label][zone] += static_cast<double>(image.counts.voxels[place]);
    ++pixels[label][zone];
  });
  for (std::size_t i = 0; i < objects.size(); ++i) {
    LitObject& object = objects[i];
    object.has_zones = true;
    object.bright_share = share_of_bright(smooth[numbers[i]]);
    for (std::size_t zone = 1; zone < kZones; ++zone) {
      const double count = pixels[numbers[i]][zone];
      object.has_zones = object.has_zones && count > 0;
      if (count > 0) object.counts[zone] = sums[numbers[i]][zone] / count - object.surroundings;
    }
  }
}

}  // namespace

std::vector<LitObject> lit_objects(const LabelledImage& image,
                                   std::span<const double> squared_widths, double level,
                                   const LightRule& rule) {
  if (!image.has_labels()) return {};
  const simulator::Grid& grid = image.grid;
  const std::vector<LightSums> sums_of_labels = label_sums_of(image);
  const auto height = static_cast<double>(grid.extent.y),
             width = static_cast<double>(grid.extent.x);
  std::vector<LitObject> objects;
  std::vector<std::size_t> numbers;
  for (std::size_t label = 1; label < sums_of_labels.size(); ++label) {
    const LightSums& one = sums_of_labels[label];
    if (one.voxels < kFewestVoxels) continue;
    LitObject object;
    object.size_um3 = one.voxels * grid.pitch.z_um * grid.pitch.y_um * grid.pitch.x_um;
    object.z_um = one.z_sum / one.voxels * grid.pitch.z_um;
    const double down = one.y_sum / one.voxels - height / 2,
                 right = one.x_sum / one.voxels - width / 2;
    object.radial = 4 * (down * down + right * right) / (height * height + width * width);
    object.surroundings = surroundings_of(image, squared_widths, one, level, rule);
    object.counts[0] = one.counts / one.voxels - object.surroundings;
    objects.push_back(object);
    numbers.push_back(label);
  }
  if (rule.zones) measure_zones(image, sums_of_labels, rule, objects, numbers);
  return objects;
}

}  // namespace synthoscope::fit
