// SPDX-License-Identifier: MIT
#include "fit/camera/free_waves.hpp"
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include "core/base/assert.hpp"
#include "simulator/optics/pupil/optical_band.hpp"

namespace synthoscope::fit {
namespace {

/// The frequency of a wave of a block, in waves per block, between minus and plus half its size.
int signed_wave(int wave, int size) {
  return wave <= size / 2 ? wave : wave - size;
}

/// Which waves of a block may hold light, also that which coarse sampling folds back.
class HeldWaves {
 public:
  HeldWaves(const OpticalSupport& support, const VoxelSize& pitch, int planes, int side)
      : planes_{planes}, side_{side} {
    held_.resize(static_cast<std::size_t>(planes) * static_cast<std::size_t>(side) *
                 static_cast<std::size_t>(side));
    for (int z = 0; z < planes; ++z)
      for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) held_[index(z, y, x)] = is_held(support, pitch, z, y, x);
  }

  /// Returns whether the wave or one of its neighbours is held.
  [[nodiscard]] bool near(int z, int y, int x) const {
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          if (held_[index((z + dz + planes_) % planes_, (y + dy + side_) % side_,
                          (x + dx + side_) % side_)])
            return true;
    return false;
  }

 private:
  [[nodiscard]] std::size_t index(int z, int y, int x) const {
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(side_) +
            static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(side_) +
           static_cast<std::size_t>(x);
  }

  [[nodiscard]] bool is_held(const OpticalSupport& support, const VoxelSize& pitch, int z, int y,
                             int x) const {
    // Folded once: pixels so coarse that light is folded twice leave no wave free anyway
    for (int fold_z = -1; fold_z <= 1; ++fold_z)
      for (int fold_y = -1; fold_y <= 1; ++fold_y)
        for (int fold_x = -1; fold_x <= 1; ++fold_x) {
          const double fz = (signed_wave(z, planes_) + fold_z * planes_) / (planes_ * pitch.z_um),
                       fy = (signed_wave(y, side_) + fold_y * side_) / (side_ * pitch.y_um),
                       fx = (signed_wave(x, side_) + fold_x * side_) / (side_ * pitch.x_um);
          if (support.holds(std::hypot(fy, fx), std::abs(fz))) return true;
        }
    return false;
  }

  int planes_, side_;
  std::vector<bool> held_;
};

}  // namespace

OpticalSupport::OpticalSupport(const simulator::OpticsSpec& optics)
    : is_one_lens_{simulator::is_one_pupil(optics.model)} {
  const simulator::OpticalBand band = simulator::band_of(optics);
  lateral_ = band.lateral / std::numbers::pi;
  axial_ = band.axial / std::numbers::pi;
  const double wavelength_um = optics.wavelength_nm * 1e-3;
  wave_ = optics.immersion_index / wavelength_um;
  aperture_ = optics.na / wavelength_um;
  cosine_ = std::sqrt(std::max(1 - std::pow(aperture_ / wave_, 2), 0.0));
}

bool OpticalSupport::holds(double lateral, double axial) const {
  if (lateral > lateral_ || axial > axial_) return false;
  if (!is_one_lens_) return true;
  const double across = lateral - aperture_;
  return axial <= std::sqrt(std::max(wave_ * wave_ - across * across, 0.0)) - wave_ * cosine_;
}

FreeWaves free_waves(const OpticalSupport& support, const VoxelSize& pitch, int planes, int side) {
  SYNTHOSCOPE_ASSERT(planes, >=, 4);
  const HeldWaves held{support, pitch, planes, side};
  FreeWaves free;
  free.planes = planes;
  std::size_t both = 0;
  for (int z = 2; z <= planes / 2; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) {
        const int fy = std::abs(signed_wave(y, side)), fx = std::abs(signed_wave(x, side));
        if (fy <= 1 || fx <= 1 || fy * fy + fx * fx < side * side / 16) continue;
        if (held.near(z, y, x)) continue;
        free.waves.push_back({z, y, x});
        both += 2 * z == planes ? 1 : 2;
      }
  free.share = static_cast<double>(both) / (static_cast<double>(planes) * side * side);
  return free;
}

}  // namespace synthoscope::fit
