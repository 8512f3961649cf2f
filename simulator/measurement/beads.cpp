// SPDX-License-Identifier: MIT
#include "simulator/measurement/beads.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include "core/base/error.hpp"
#include "core/volume/box.hpp"
#include "simulator/measurement/bright_spots.hpp"
#include "simulator/measurement/gaussian_fit.hpp"
#include "simulator/measurement/widths.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kPartOfBrighter = 0.2, kPartOfBright = 0.1, kUnlike = 0.25;
constexpr std::size_t kMostBeads = 5000, kEnoughBeads = 5;

FittedGaussian start_at(const Volume<float>& stack, const BrightSpot& spot, const AlongAxes& sigma,
                        double level) {
  const Index3& at = spot.at;
  const double value = static_cast<double>(stack.view()(at.z, at.y, at.x));
  return {level,
          std::max({value - level, spot.height, 1e-9}),
          {static_cast<double>(at.z), static_cast<double>(at.y), static_cast<double>(at.x)},
          sigma};
}

/// Returns whether a fit can be a bead: it is wider than a pixel and exceeds the noise.
bool may_be_bead(const FittedGaussian& fit, const Extent3& stack, double noise) {
  constexpr double kNarrowest = 0.6, kNarrowestAlongZ = 0.4, kWidest = 20, kLeastSnr = 4;
  const bool is_narrow = fit.sigma[1] < kNarrowest || fit.sigma[2] < kNarrowest ||
                         (stack.z > 1 && fit.sigma[0] < kNarrowestAlongZ);
  const double widest = *std::max_element(fit.sigma.begin(), fit.sigma.end());
  return !is_narrow && widest < kWidest && fit.amplitude > kLeastSnr * noise;
}

/// Returns the median widths, as sigma in voxels, of the brightest beads.
AlongAxes typical_sigma(const Volume<float>& stack, const Darkness& dark,
                        const RunContext& context) {
  constexpr std::size_t kEnough = 20;
  const auto spots = bright_spots(stack, {1, 1, 1}, context);
  std::array<std::vector<double>, 3> found;
  for (std::size_t i = 0; i < spots.size() && found[0].size() < kEnough; ++i) {
    const auto bead = fit_gaussian(stack, start_at(stack, spots[i], spots[i].sigma, dark.level));
    if (bead && may_be_bead(*bead, stack.extent, dark.noise))
      for (std::size_t axis = 0; axis < 3; ++axis) found[axis].push_back(bead->sigma[axis]);
  }
  if (found[0].empty())
    throw InvalidInput(
        "find beads: no spot stands out from the noise; give a stack with brighter beads, whose "
        "images are wider than a voxel");
  return {upper_median(found[0]), upper_median(found[1]), upper_median(found[2])};
}

/// Returns whether a spot is a part of a brighter one: it lies in its cone of light and is dim.
bool belongs_to(const BrightSpot& spot, const BrightSpot& brighter, const AlongAxes& sigma,
                const VoxelSize& pitch) {
  constexpr double kSlope = 1.5;  // of the steepest rays of a lens
  if (spot.height > kPartOfBrighter * brighter.height) return false;
  const auto um = [](std::int64_t voxels, double one) { return static_cast<double>(voxels) * one; };
  const double z = um(spot.at.z - brighter.at.z, pitch.z_um);
  const double across = std::hypot(um(spot.at.y - brighter.at.y, pitch.y_um),
                                   um(spot.at.x - brighter.at.x, pitch.x_um));
  const double wide = kWidthOfSigma * std::max(sigma[1] * pitch.y_um, sigma[2] * pitch.x_um);
  return across < 3 * wide + kSlope * std::abs(z);
}

/// Returns the median height of the brightest spots.
double height_of_bright(const std::vector<BrightSpot>& spots) {
  constexpr std::size_t kBright = 20;
  return spots.empty() ? 0 : spots[std::min(spots.size(), kBright) / 2].height;
}

std::vector<BrightSpot> beads_among(const std::vector<BrightSpot>& spots, const AlongAxes& sigma,
                                    const VoxelSize& pitch) {
  std::vector<BrightSpot> beads;
  const double least = kPartOfBright * height_of_bright(spots);
  for (const BrightSpot& spot : spots) {
    if (spot.height < least) break;
    const bool is_part = std::any_of(beads.begin(), beads.end(), [&](const BrightSpot& brighter) {
      return belongs_to(spot, brighter, sigma, pitch);
    });
    if (is_part) continue;
    if (beads.size() == kMostBeads)
      throw InvalidInput(
          fmt::format("find beads: the stack has more than {} bright spots; give a part of it, or "
                      "an image of beads",
                      kMostBeads));
    beads.push_back(spot);
  }
  return beads;
}

/// Returns five widths along z and so many along y and x, but no more planes than the stack has
/// around most of its beads.
Extent3 window_for(const std::vector<ImagedBead>& beads, const AlongAxes& sigma, double across,
                   const Extent3& stack) {
  constexpr double kAlongZ = 2.5;
  const auto half = [](double widths, double one) {
    return static_cast<std::int64_t>(std::ceil(widths * kWidthOfSigma * one));
  };
  std::vector<double> planes;
  for (const ImagedBead& bead : beads)
    planes.push_back(std::min(bead.centre.z, static_cast<double>(stack.z - 1) - bead.centre.z));
  const auto most = static_cast<std::int64_t>(std::max(0.0, std::floor(upper_median(planes))));
  return {2 * std::min(half(kAlongZ, sigma[0]), most) + 1, 2 * half(across / 2, sigma[1]) + 1,
          2 * half(across / 2, sigma[2]) + 1};
}

/// Decides which beads can be averaged.
class Judge {
 public:
  Judge(const Volume<float>& stack, const VoxelSize& pitch, const FoundBeads& found,
        std::optional<double> saturated)
      : stack_{stack}, pitch_{pitches_of(pitch)}, found_{found}, saturated_{saturated} {}

  [[nodiscard]] std::string refusal_of(std::size_t i) const {
    const ImagedBead& bead = found_.beads[i];
    if (is_cut(bead)) return "cut by the border";
    if (is_saturated(bead)) return "saturated";
    for (std::size_t other = 0; other < found_.beads.size(); ++other)
      if (other != i && touches(bead, found_.beads[other]))
        return fmt::format("touches bead {}", other + 1);
    return unlike(bead);
  }

 private:
  [[nodiscard]] bool is_cut(const ImagedBead& bead) const {
    const auto leaves = [](double centre, std::int64_t window, std::int64_t count) {
      const auto half = static_cast<double>(window / 2);
      return std::round(centre) < half ||
             std::round(centre) + half > static_cast<double>(count - 1);
    };
    return leaves(bead.centre.z, found_.window.z, stack_.extent.z) ||
           leaves(bead.centre.y, found_.window.y, stack_.extent.y) ||
           leaves(bead.centre.x, found_.window.x, stack_.extent.x);
  }

  [[nodiscard]] bool is_saturated(const ImagedBead& bead) const {
    if (!saturated_) return false;
    const auto near = [](double centre, std::int64_t count) {
      const auto at = std::llround(centre);
      return std::pair{std::max<std::int64_t>(0, at - 2),
                       std::min<std::int64_t>(count - 1, at + 2)};
    };
    const auto z = near(bead.centre.z, stack_.extent.z), y = near(bead.centre.y, stack_.extent.y),
               x = near(bead.centre.x, stack_.extent.x);
    for (std::int64_t k = z.first; k <= z.second; ++k)
      for (std::int64_t j = y.first; j <= y.second; ++j)
        for (std::int64_t i = x.first; i <= x.second; ++i)
          if (static_cast<double>(stack_.view()(k, j, i)) >= *saturated_) return true;
    return false;
  }

  /// Whether light of `other` lies in the window of `bead`.
  [[nodiscard]] bool touches(const ImagedBead& bead, const ImagedBead& other) const {
    if (other.height < kPartOfBrighter * bead.height) return false;
    const auto reaches = [&](double from, double to, std::int64_t window, std::size_t axis) {
      const double width = found_.median_fwhm_um[axis] / pitch_[axis];
      return std::abs(from - to) <= static_cast<double>(window / 2) + width;
    };
    return reaches(bead.centre.z, other.centre.z, found_.window.z, 0) &&
           reaches(bead.centre.y, other.centre.y, found_.window.y, 1) &&
           reaches(bead.centre.x, other.centre.x, found_.window.x, 2);
  }

  [[nodiscard]] std::string unlike(const ImagedBead& bead) const {
    constexpr std::array<const char*, 3> kNames{"z", "y", "x"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (found_.median_fwhm_um[axis] == 0) continue;
      const double ratio = bead.fwhm_um[axis] / found_.median_fwhm_um[axis];
      if (std::abs(ratio - 1) > kUnlike)
        return fmt::format("{:.2g} times as wide along {} as most", ratio, kNames[axis]);
    }
    return {};
  }

  const Volume<float>& stack_;
  AlongAxes pitch_;
  const FoundBeads& found_;
  std::optional<double> saturated_;
};

/// Returns the count at which a camera saturated: the given one if the stack reaches it, or one
/// that is the largest of several neighbouring voxels.
std::optional<double> saturated_count(const Volume<float>& stack, std::optional<double> largest) {
  constexpr std::int64_t kPlateau = 4;
  const float most = *std::max_element(stack.voxels.begin(), stack.voxels.end());
  if (largest && static_cast<double>(most) >= *largest) return largest;
  std::int64_t beside = 0;
  const std::int64_t columns = stack.extent.x;
  for (std::size_t i = 1; i < stack.voxels.size(); ++i)
    beside += static_cast<std::int64_t>(i) % columns != 0 && stack.voxels[i] == most &&
              stack.voxels[i - 1] == most;
  if (beside < kPlateau) return std::nullopt;
  return static_cast<double>(most);
}

ImagedBead fitted_bead(const Volume<float>& stack, const VoxelSize& pitch, const BrightSpot& spot,
                       const AlongAxes& sigma, const Darkness& dark) {
  const FittedGaussian start = start_at(stack, spot, sigma, dark.level);
  const auto fit = fit_gaussian(stack, start);
  const FittedGaussian& light = fit ? *fit : start;
  ImagedBead bead{light.centre, light.amplitude, light.background};
  bead.height = spot.height;
  bead.snr = dark.noise > 0 ? light.amplitude / dark.noise : 0;
  const AlongAxes um = pitches_of(pitch);
  for (std::size_t axis = stack.extent.z == 1 ? 1 : 0; axis < 3; ++axis)
    bead.fwhm_um[axis] = kWidthOfSigma * light.sigma[axis] * um[axis];
  if (!fit) bead.refused = "no Gaussian fits";
  return bead;
}

/// Returns the medians over the brightest beads that fits describe, or the widths of `sigma`.
AlongAxes median_widths(const std::vector<ImagedBead>& beads, const VoxelSize& pitch,
                        const AlongAxes& sigma) {
  constexpr std::size_t kEnough = 40;
  const AlongAxes um = pitches_of(pitch);
  AlongAxes medians{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::vector<double> widths;
    for (const ImagedBead& bead : beads)
      if (bead.refused.empty() && widths.size() < kEnough) widths.push_back(bead.fwhm_um[axis]);
    medians[axis] = widths.empty() ? kWidthOfSigma * sigma[axis] * um[axis] : upper_median(widths);
  }
  return medians;
}

/// Writes down why beads are refused. All are judged before, so that refused ones still touch.
void judge(FoundBeads& found, const Judge& judge) {
  std::vector<std::string> refusals;
  for (std::size_t i = 0; i < found.beads.size(); ++i) refusals.push_back(judge.refusal_of(i));
  for (std::size_t i = 0; i < found.beads.size(); ++i)
    if (found.beads[i].refused.empty()) found.beads[i].refused = refusals[i];
}

}  // namespace

std::vector<ImagedBead> FoundBeads::kept() const {
  std::vector<ImagedBead> kept;
  std::copy_if(beads.begin(), beads.end(), std::back_inserter(kept),
               [](const ImagedBead& bead) { return bead.refused.empty(); });
  return kept;
}

FoundBeads find_beads(const Volume<float>& stack, const VoxelSize& pitch, const BeadSearch& search,
                      const RunContext& context) {
  constexpr double kSmoothing = 0.7;  // of the width of a bead: two that touch stay apart
  const Darkness dark = darkness_of(stack);
  const AlongAxes sigma = typical_sigma(stack, dark, context);
  const auto spots = bright_spots(
      stack, {kSmoothing * sigma[0], kSmoothing * sigma[1], kSmoothing * sigma[2]}, context);
  FoundBeads found;
  for (const BrightSpot& spot : beads_among(spots, sigma, pitch))
    found.beads.push_back(fitted_bead(stack, pitch, spot, sigma, dark));
  if (found.beads.empty())
    throw InvalidInput(
        "find beads: no spot stands out from the noise; give a stack with brighter beads");
  found.median_fwhm_um = median_widths(found.beads, pitch, sigma);
  const auto saturated = saturated_count(stack, search.largest_count);
  if (search.window) {
    found.window = *search.window;
    judge(found, Judge{stack, pitch, found, saturated});
    return found;
  }
  // A smaller window may leave out the light of neighbours
  FoundBeads best;
  for (const double widths : {7.0, 5.0, 4.0, 3.0}) {
    FoundBeads one = found;
    one.window = window_for(one.beads, sigma, widths, stack.extent);
    judge(one, Judge{stack, pitch, one, saturated});
    if (best.beads.empty() || one.kept().size() > best.kept().size()) best = std::move(one);
    if (best.kept().size() >= kEnoughBeads) break;
  }
  return best;
}

}  // namespace synthoscope::simulator
