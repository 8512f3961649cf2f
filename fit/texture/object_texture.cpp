// SPDX-License-Identifier: MIT
#include "fit/texture/object_texture.hpp"
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <span>
#include "core/base/assert.hpp"
#include "fit/texture/object_sections.hpp"
#include "kernels/filters/named_filters.hpp"

namespace synthoscope::fit {
namespace {

constexpr double kInsideShare = 0.33;  ///< of the largest depth
constexpr double kLeastInside = 40;    ///< pixels
constexpr int kThicknessTerms = 6;     ///< of the polynomial

/// Weights at whole pixels, of which three deviations lie to each side.
std::vector<double> texture_weights(double deviation) {
  constexpr double truncate = 3;
  return kernels::gaussian_weights(deviation, truncate);
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
    const std::vector<double> weights = texture_weights(rule.scales[scale]);
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
  for (const std::int64_t z : object.main_planes())
    add_section(section_of(image, object, z, rule.scales.front()), rule, result);
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
  std::vector<double> finer = texture_weights(rule.scales[0]);
  const double of_noise = variance_of_band({1}, finer);
  for (std::size_t band = 0; band < rule.bands(); ++band) {
    std::vector<double> coarser = texture_weights(rule.scales[band + 1]);
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
