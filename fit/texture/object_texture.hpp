// SPDX-License-Identifier: MIT
// fit/texture/object_texture.hpp — the texture of each labelled object of an image.
#pragma once
#include <array>
#include <cstddef>
#include <vector>
#include "core/run/run_context.hpp"
#include "fit/images/labelled_image.hpp"

namespace synthoscope::fit {

/// How textures are measured: the same in real images and in their twins. Lengths in pixels.
struct TextureRule {
  /// Standard deviations of Gaussians, ascending, at least two. The first is as wide as the PSF:
  /// what it takes away is noise. The difference of two neighbours is a band.
  std::vector<double> scales;
  /// Variance of each band, of noise that has variance 1 in what the first Gaussian takes away.
  std::vector<double> noise_shares;

  [[nodiscard]] std::size_t bands() const { return scales.size() - 1; }
};

/// Returns the rule with these scales. @param scales  at least two, ascending, above 0
TextureRule texture_rule(std::vector<double> scales);

inline constexpr std::size_t kDepthRings = 4, kTextureQuantiles = 4;
/// Borders of the rings of an object, as shares of the largest depth below its border.
inline constexpr std::array<double, kDepthRings + 1> kRingBorders{0.15, 0.35, 0.55, 0.75, 1};
/// Quantiles of the smoothed inside.
inline constexpr std::array<double, kTextureQuantiles> kQuantileShares{0.05, 0.25, 0.75, 0.95};

/// Sums over the pixels of an object in planes near its largest section. Its inside is what lies
/// deeper than a third of the largest depth. Levels are relative to the mean of the inside, above
/// the surroundings. A polynomial of second degree in y and x is taken away from the inside before
/// bands and quantiles are measured: it holds the thickness of the object.
struct ObjectTexture {
  double level = 0;                                   ///< DN of the inside, above surroundings
  double pixels = 0;                                  ///< of the inside
  std::array<double, kDepthRings> rings{};            ///< sums of levels
  std::array<double, kDepthRings> in_rings{};         ///< numbers of pixels
  std::array<double, kTextureQuantiles> quantiles{};  ///< times pixels
  double noise = 0;                    ///< sum of squares of what the first Gaussian takes away
  std::vector<double> squares, cubes;  ///< sums of powers of each band
};

/// Returns the objects that have an inside, without those that the border of the field cuts, in the
/// order of their labels.
/// @pre image.has_labels() and has_counts()
std::vector<ObjectTexture> object_textures(const LabelledImage& image, const TextureRule& rule,
                                           const RunContext& context);

}  // namespace synthoscope::fit
