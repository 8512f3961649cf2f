// SPDX-License-Identifier: MIT
#include "simulator/measurement/bead_size.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "core/base/error.hpp"
#include "kernels/filters/filter.hpp"
#include "simulator/measurement/filtered.hpp"
#include "simulator/measurement/psf_core.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kFrequencies = 32;  ///< along each axis, from -1/2 to 1/2 cycles per voxel

/// Returns the spectrum of a ball of diameter 1 and light 1 at `cycles` per diameter.
double spectrum_of_ball(double cycles) {
  const double q = std::numbers::pi * cycles;
  if (q < 1e-3) return 1 - q * q / 10;
  return 3 * (std::sin(q) - q * std::cos(q)) / (q * q * q);
}

/// The inverse of a ball's spectrum where the image exceeds its noise, and 1 elsewhere. Wiener's
/// share of signal in all power weights the two. The spectrum of the lens is assumed to be a
/// Gaussian of the width of the image's spectrum.
class InverseBall {
 public:
  InverseBall(const Volume<float>& image, const VoxelSize& pitch, const AlongAxes& fwhm_um,
              double noise, double diameter_um)
      : diameter_um_{diameter_um} {
    double light = 1;  // of a peak of 1, in voxels
    for (std::size_t axis = 0; axis < 3; ++axis) {
      sigma_[axis] = fwhm_um[axis] / kWidthOfSigma;
      if (sigma_[axis] > 0)
        light *= std::sqrt(2 * std::numbers::pi) * sigma_[axis] / pitches_of(pitch)[axis];
    }
    noise_ = noise * noise * static_cast<double>(volume(image.extent)) / (light * light);
  }

  /// @param cycles  per um along z, y and x
  [[nodiscard]] double at(const AlongAxes& cycles) const {
    double exponent = 0, square = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double angle = 2 * std::numbers::pi * cycles[axis] * sigma_[axis];
      exponent += angle * angle / 2;
      square += cycles[axis] * cycles[axis];
    }
    const double ball = spectrum_of_ball(std::sqrt(square) * diameter_um_);
    const double power = ball * ball * std::exp(-2 * exponent);
    const double trusted = power / (power + std::max(noise_, kLeastNoise));
    return 1 + (1 / ball - 1) * trusted;
  }

 private:
  static constexpr double kLeastNoise = 1e-5;

  double diameter_um_, noise_ = 0;  ///< noise: power relative to the light of the image
  AlongAxes sigma_{};
};

/// Returns cos(2 pi f i / kFrequencies) for all i and f.
std::vector<double> cosines_of_frequencies() {
  std::vector<double> all;
  for (std::int64_t i = 0; i < kFrequencies; ++i)
    all.push_back(std::cos(2 * std::numbers::pi * static_cast<double>(i) / kFrequencies));
  return all;
}

/// Returns the filter as a stencil: it is even along every axis.
kernels::Stencil inverse_stencil(const Extent3& radius, const VoxelSize& pitch,
                                 const InverseBall& inverse_ball) {
  constexpr std::int64_t kHalf = kFrequencies / 2;
  const auto cycles_per_um = [](std::int64_t f, double um) {
    return static_cast<double>(f) / static_cast<double>(kFrequencies) / um;
  };
  const std::vector<double> cosine = cosines_of_frequencies();
  const auto at = [&](std::int64_t f, std::int64_t i) {
    const std::int64_t turn = ((f * i) % kFrequencies + kFrequencies) % kFrequencies;
    return cosine[static_cast<std::size_t>(turn)];
  };
  const Extent3 size{2 * radius.z + 1, 2 * radius.y + 1, 2 * radius.x + 1};
  const bool is_flat = radius.z == 0;
  std::vector<double> weights(static_cast<std::size_t>(volume(size)));
  for (std::int64_t fz = is_flat ? 0 : -kHalf; fz < (is_flat ? 1 : kHalf); ++fz)
    for (std::int64_t fy = -kHalf; fy < kHalf; ++fy)
      for (std::int64_t fx = -kHalf; fx < kHalf; ++fx) {
        const double inverse =
            inverse_ball.at({cycles_per_um(fz, pitch.z_um), cycles_per_um(fy, pitch.y_um),
                             cycles_per_um(fx, pitch.x_um)});
        std::size_t weight = 0;
        for (std::int64_t z = -radius.z; z <= radius.z; ++z)
          for (std::int64_t y = -radius.y; y <= radius.y; ++y)
            for (std::int64_t x = -radius.x; x <= radius.x; ++x)
              weights[weight++] += inverse * at(fz, z) * at(fy, y) * at(fx, x);
      }
  double sum = 0;
  for (const double weight : weights) sum += weight;
  for (double& weight : weights) weight /= sum;
  return kernels::correlation_stencil(size, std::move(weights));
}

VoxelPosition middle_voxel(const Extent3& e) {
  return {static_cast<double>(e.z / 2), static_cast<double>(e.y / 2), static_cast<double>(e.x / 2)};
}

}  // namespace

void remove_bead_size(Volume<float>& image, const VoxelSize& pitch, const AlongAxes& fwhm_um,
                      double noise, double diameter_um, const RunContext& context) {
  constexpr double kMostVoxels = 8;
  const double finest = std::min({pitch.y_um, pitch.x_um, pitch.z_um});
  if (diameter_um > kMostVoxels * finest)
    throw InvalidSpec(
        fmt::format("take the size of the beads out: {:g} um are more than {:g} voxels of {:.4g} "
                    "um; beads as large hide the PSF: use smaller ones, or give no --bead-um",
                    diameter_um, kMostVoxels, finest));
  const auto radius = [&](double um) {
    return std::min<std::int64_t>(kFrequencies / 2 - 1,
                                  4 + static_cast<std::int64_t>(std::ceil(diameter_um / um)));
  };
  const bool is_flat = image.extent.z == 1;
  const Extent3 reach{is_flat ? 0 : radius(pitch.z_um), radius(pitch.y_um), radius(pitch.x_um)};
  const auto filter = kernels::make_filter(
      {image.extent, Boundary::nearest},
      inverse_stencil(reach, pitch, InverseBall{image, pitch, fwhm_um, noise, diameter_um}),
      kernels::FilterStrategy::shared);
  AlongAxes width{}, bead{};  // in voxels
  for (std::size_t axis = is_flat ? 1 : 0; axis < 3; ++axis) {
    width[axis] = fwhm_um[axis] / pitches_of(pitch)[axis];
    bead[axis] = diameter_um / pitches_of(pitch)[axis];
  }
  // Where a core describes the image, take the bead out of it; filter what it leaves
  const CoreImage of_bead{bead}, of_point;
  const auto fit = fit_core(image, middle_voxel(image.extent), width, of_bead);
  if (fit) of_bead.add_to(image, fit->core, -1);
  image = filtered(image, *filter.operation, context);
  if (fit) of_point.add_to(image, fit->core, 1);
  const Extent3& e = image.extent;
  const float peak = image.view()(e.z / 2, e.y / 2, e.x / 2);
  for (float& value : image.voxels) value /= peak;
}

}  // namespace synthoscope::simulator
