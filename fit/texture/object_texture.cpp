// SPDX-License-Identifier: MIT
#include "fit/texture/object_texture.hpp"
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include "core/base/assert.hpp"
#include "fit/estimates/robust.hpp"
#include "score/surfaces/distance_transform.hpp"

namespace synthoscope::fit {
namespace {

constexpr double kMainSection = 0.7;  ///< area of a plane through the middle over the largest
constexpr std::size_t kMostSections = 5;
constexpr double kInsideShare = 0.33;               ///< of the largest depth
constexpr double kLeastInside = 40;                 ///< pixels
constexpr double kAroundNear = 4, kAroundFar = 14;  ///< of surroundings, in the first scale
constexpr std::size_t kFewestPixelsAround = 20;
constexpr int kThicknessTerms = 6;  ///< of the polynomial
constexpr double kEndOfGaussian = 3;

/// The pixels of an object: planes, and a box in each.
struct ObjectBox {
  std::uint32_t label = 0;
  Index3 first{}, last{};
  std::vector<double> areas;  ///< pixels in each plane from the first

  [[nodiscard]] std::vector<std::int64_t> main_planes() const {
    const double most = *std::max_element(areas.begin(), areas.end());
    std::vector<std::int64_t> planes, chosen;
    for (std::size_t i = 0; i < areas.size(); ++i)
      if (areas[i] >= kMainSection * most) planes.push_back(first.z + static_cast<std::int64_t>(i));
    const std::size_t count = std::min(planes.size(), kMostSections);
    for (std::size_t i = 0; i < count; ++i)
      chosen.push_back(planes[(2 * i + 1) * planes.size() / (2 * count)]);
    return chosen;
  }
};

std::vector<ObjectBox> object_boxes(const LabelledImage& image) {
  const Extent3& extent = image.grid.extent;
  const auto labels = image.labels.view();
  std::vector<ObjectBox> all;
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t y = 0; y < extent.y; ++y)
      for (std::int64_t x = 0; x < extent.x; ++x) {
        const std::uint32_t label = labels(z, y, x);
        if (label == 0) continue;
        if (label >= all.size()) all.resize(label + std::size_t{1});
        ObjectBox& one = all[label];
        if (one.label == 0) one = {label, {z, y, x}, {z, y, x}, {}};
        one.first = {std::min(one.first.z, z), std::min(one.first.y, y), std::min(one.first.x, x)};
        one.last = {std::max(one.last.z, z), std::max(one.last.y, y), std::max(one.last.x, x)};
        one.areas.resize(static_cast<std::size_t>(z - one.first.z + 1));
        ++one.areas.back();
      }
  std::erase_if(all, [&](const ObjectBox& one) {
    return one.label == 0 || one.first.y == 0 || one.first.x == 0 || one.last.y + 1 == extent.y ||
           one.last.x + 1 == extent.x;
  });
  return all;
}

/// One plane of an object and of what is around it.
struct Section {
  std::int64_t rows = 0, columns = 0;
  std::vector<double> counts, depth, from_labels;  ///< distances in pixels, 0 outside and inside

  [[nodiscard]] std::size_t size() const { return counts.size(); }
  [[nodiscard]] double deepest() const { return *std::max_element(depth.begin(), depth.end()); }
};

/// Distances in pixels to the nearest pixel with the mark 0.
void take_roots_of_distances(std::vector<double>& marks, std::int64_t rows, std::int64_t columns) {
  score::squared_distances(marks, {1, rows, columns}, {1, 1, 1});
  for (double& value : marks) value = std::sqrt(value);
}

Section section_of(const LabelledImage& image, const ObjectBox& object, std::int64_t z,
                   std::int64_t around) {
  const Extent3& extent = image.grid.extent;
  const std::int64_t y0 = std::max<std::int64_t>(object.first.y - around, 0),
                     y1 = std::min(object.last.y + around + 1, extent.y),
                     x0 = std::max<std::int64_t>(object.first.x - around, 0),
                     x1 = std::min(object.last.x + around + 1, extent.x);
  Section section{y1 - y0, x1 - x0, {}, {}, {}};
  const bool has_counts = image.has_counts();
  constexpr double kUnmarked = std::numeric_limits<double>::infinity();
  for (std::int64_t y = y0; y < y1; ++y)
    for (std::int64_t x = x0; x < x1; ++x) {
      const std::uint32_t label = image.labels.view()(z, y, x);
      section.counts.push_back(has_counts ? static_cast<double>(image.counts.view()(z, y, x)) : 0);
      section.depth.push_back(label == object.label ? kUnmarked : 0);
      section.from_labels.push_back(label == 0 ? kUnmarked : 0);
    }
  take_roots_of_distances(section.depth, section.rows, section.columns);
  take_roots_of_distances(section.from_labels, section.rows, section.columns);
  return section;
}

/// The level of unlabelled pixels near the object; the lowest decile of all where labels are dense.
double level_around(const Section& section, double scale) {
  for (const double nearest : {kAroundNear * scale, kAroundNear * scale / 2, 0.5}) {
    std::vector<double> around;
    for (std::size_t i = 0; i < section.size(); ++i)
      if (section.from_labels[i] >= nearest && section.from_labels[i] <= kAroundFar * scale)
        around.push_back(section.counts[i]);
    if (around.size() >= kFewestPixelsAround) return mean_of_middle_half(std::move(around));
  }
  std::vector<double> all = section.counts;
  const auto low = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 10);
  std::nth_element(all.begin(), low, all.end());
  return *low;
}

std::vector<double> gaussian_weights(double deviation) {
  const auto reach = static_cast<std::int64_t>(std::ceil(kEndOfGaussian * deviation));
  std::vector<double> weights;
  double sum = 0;
  for (std::int64_t i = -reach; i <= reach; ++i) {
    const double t = static_cast<double>(i) / deviation;
    weights.push_back(std::exp(-t * t / 2));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// A weighted sum along each axis; nothing lies outside.
std::vector<double> gaussian_sums(const std::vector<double>& from, std::int64_t rows,
                                  std::int64_t columns, const std::vector<double>& weights) {
  const auto reach = static_cast<std::int64_t>(weights.size() / 2);
  std::vector<double> along_x(from.size()), result(from.size());
  const auto at = [&](std::int64_t y, std::int64_t x) {
    return static_cast<std::size_t>(y * columns + x);
  };
  for (std::int64_t y = 0; y < rows; ++y)
    for (std::int64_t x = 0; x < columns; ++x) {
      double sum = 0;
      for (std::int64_t i = std::max(-reach, -x); i <= std::min(reach, columns - 1 - x); ++i)
        sum += weights[static_cast<std::size_t>(i + reach)] * from[at(y, x + i)];
      along_x[at(y, x)] = sum;
    }
  for (std::int64_t y = 0; y < rows; ++y)
    for (std::int64_t i = std::max(-reach, -y); i <= std::min(reach, rows - 1 - y); ++i) {
      const double weight = weights[static_cast<std::size_t>(i + reach)];
      for (std::int64_t x = 0; x < columns; ++x) result[at(y, x)] += weight * along_x[at(y + i, x)];
    }
  return result;
}

using Terms = Eigen::Matrix<double, kThicknessTerms, 1>;

Terms thickness_terms(const Section& section, std::size_t i) {
  const auto place = static_cast<std::int64_t>(i);
  const double y = 2 * static_cast<double>(place / section.columns) /
                       static_cast<double>(section.rows) -
                   1,
               x = 2 * static_cast<double>(place % section.columns) /
                       static_cast<double>(section.columns) -
                   1;
  Terms terms;
  terms << 1, y, x, y * y, y * x, x * x;
  return terms;
}

/// Levels less the polynomial of second degree that fits best, inside; 0 elsewhere.
std::vector<double> without_thickness(const Section& section, const std::vector<double>& levels,
                                      const std::vector<std::size_t>& inside) {
  Eigen::Matrix<double, kThicknessTerms, kThicknessTerms> squares =
      Eigen::Matrix<double, kThicknessTerms, kThicknessTerms>::Zero();
  Terms products = Terms::Zero();
  for (const std::size_t i : inside) {
    const Terms terms = thickness_terms(section, i);
    squares += terms * terms.transpose();
    products += levels[i] * terms;
  }
  const Terms best = squares.ldlt().solve(products);
  std::vector<double> rest(levels.size());
  for (const std::size_t i : inside) rest[i] = levels[i] - best.dot(thickness_terms(section, i));
  return rest;
}

double level_quantile(std::vector<double>& values, double share) {
  const auto at =
      values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

void add_rings(const Section& section, const std::vector<double>& levels, double deepest,
               ObjectTexture& to) {
  for (std::size_t i = 0; i < section.size(); ++i) {
    const double share = section.depth[i] / deepest;
    if (share < kRingBorders[0]) continue;
    std::size_t ring = 0;
    while (ring + 1 < kDepthRings && share >= kRingBorders[ring + 1]) ++ring;
    to.rings[ring] += levels[i];
    to.in_rings[ring] += 1;
  }
}

/// Bands and quantiles of the inside. Gaussians see the inside alone: each is divided by how much
/// of it lies there.
void add_bands(const Section& section, const std::vector<double>& rest,
               const std::vector<std::size_t>& inside, const TextureRule& rule, ObjectTexture& to) {
  std::vector<double> mask(section.size());
  for (const std::size_t i : inside) mask[i] = 1;
  std::vector<double> finer = rest;
  for (std::size_t scale = 0; scale < rule.scales.size(); ++scale) {
    const std::vector<double> weights = gaussian_weights(rule.scales[scale]);
    std::vector<double> smooth = gaussian_sums(rest, section.rows, section.columns, weights);
    const auto share = gaussian_sums(mask, section.rows, section.columns, weights);
    double square = 0, cube = 0;
    for (const std::size_t i : inside) {
      smooth[i] /= share[i];
      const double band = finer[i] - smooth[i];
      square += band * band;
      cube += band * band * band;
    }
    if (scale == 0) {
      to.noise += square;
    } else {
      to.squares[scale - 1] += square;
      to.cubes[scale - 1] += cube;
    }
    if (scale == 0) {
      std::vector<double> values;
      for (const std::size_t i : inside) values.push_back(smooth[i]);
      for (std::size_t k = 0; k < kTextureQuantiles; ++k)
        to.quantiles[k] +=
            level_quantile(values, kQuantileShares[k]) * static_cast<double>(inside.size());
    }
    finer = std::move(smooth);
  }
}

void add_section(const Section& section, const TextureRule& rule, ObjectTexture& to) {
  const double deepest = section.deepest();
  std::vector<std::size_t> inside;
  double sum = 0;
  for (std::size_t i = 0; i < section.size(); ++i)
    if (section.depth[i] > kInsideShare * deepest) {
      inside.push_back(i);
      sum += section.counts[i];
    }
  const auto pixels = static_cast<double>(inside.size());
  if (pixels < kLeastInside) return;
  const double around = level_around(section, rule.scales.front());
  const double level = sum / pixels - around;
  if (level <= 0) return;
  std::vector<double> levels;
  for (const double counts : section.counts) levels.push_back((counts - around) / level);
  add_rings(section, levels, deepest, to);
  add_bands(section, without_thickness(section, levels, inside), inside, rule, to);
  to.level += level * pixels;
  to.pixels += pixels;
}

ObjectTexture object_texture(const LabelledImage& image, const ObjectBox& object,
                             const TextureRule& rule) {
  ObjectTexture result;
  result.squares.resize(rule.bands());
  result.cubes.resize(rule.bands());
  const auto around = static_cast<std::int64_t>(std::ceil(kAroundFar * rule.scales.front()));
  for (const std::int64_t z : object.main_planes())
    add_section(section_of(image, object, z, around), rule, result);
  if (result.pixels > 0) result.level /= result.pixels;
  return result;
}

/// The sum of squares of the differences of two kernels in two dimensions: variance of white noise
/// of variance 1. A kernel of no weights leaves all as it is.
double variance_of_band(const std::vector<double>& fine, const std::vector<double>& coarse) {
  const auto product = [](const std::vector<double>& a, const std::vector<double>& b) {
    const auto shift = (static_cast<std::ptrdiff_t>(b.size()) - std::ssize(a)) / 2;
    double sum = 0;
    for (std::ptrdiff_t i = 0; i < std::ssize(a); ++i)
      sum += a[static_cast<std::size_t>(i)] * b[static_cast<std::size_t>(i + shift)];
    return sum * sum;
  };
  return product(fine, fine) - 2 * product(fine, coarse) + product(coarse, coarse);
}

}  // namespace

TextureRule texture_rule(std::vector<double> scales) {
  SYNTHOSCOPE_ASSERT(scales.size(), >=, std::size_t{2});
  TextureRule rule{std::move(scales), {}};
  std::vector<double> finer = gaussian_weights(rule.scales[0]);
  const double of_noise = variance_of_band({1}, finer);
  for (std::size_t band = 0; band < rule.bands(); ++band) {
    std::vector<double> coarser = gaussian_weights(rule.scales[band + 1]);
    rule.noise_shares.push_back(variance_of_band(finer, coarser) / of_noise);
    finer = std::move(coarser);
  }
  return rule;
}

std::vector<ObjectTexture> object_textures(const LabelledImage& image, const TextureRule& rule,
                                           const RunContext& context) {
  const std::vector<ObjectBox> boxes = object_boxes(image);
  std::vector<ObjectTexture> all(boxes.size());
  context.pool.for_each(std::ssize(boxes), [&](std::int64_t i) {
    const auto place = static_cast<std::size_t>(i);
    all[place] = object_texture(image, boxes[place], rule);
  });
  std::erase_if(all, [](const ObjectTexture& one) { return one.pixels == 0; });
  return all;
}

}  // namespace synthoscope::fit
