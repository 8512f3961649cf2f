// SPDX-License-Identifier: MIT
#include "simulator/energy.hpp"
#include <functional>
#include <numeric>

namespace synthoscope::simulator {
namespace {

/// Sum over pairs of planes of emitted[from] * energy(to - from).
double spread(const std::vector<double>& emitted,
              const std::function<double(std::int64_t)>& energy) {
  // Sums of energy over all distances below d, so that planes need not be taken pair by pair
  const auto planes = static_cast<std::int64_t>(emitted.size());
  std::vector<double> below(static_cast<std::size_t>(2 * planes));
  for (std::int64_t d = 1 - planes; d < planes; ++d) {
    const auto i = static_cast<std::size_t>(d + planes - 1);
    below[i + 1] = below[i] + energy(d);
  }
  double sum = 0;
  for (std::int64_t from = 0; from < planes; ++from)
    sum += emitted[static_cast<std::size_t>(from)] *
           (below[static_cast<std::size_t>(2 * planes - 1 - from)] -
            below[static_cast<std::size_t>(planes - 1 - from)]);
  return sum;
}

std::vector<double> plane_sums(const Psf& psf) {
  std::vector<double> sums;
  const std::int64_t area = psf.voxels.extent.y * psf.voxels.extent.x;
  for (std::int64_t z = 0; z < psf.voxels.extent.z; ++z) {
    const float* const voxels = psf.voxels.view().row(z, 0);
    sums.push_back(std::accumulate(voxels, voxels + area, 0.0));
  }
  return sums;
}

}  // namespace

EnergyBalance& EnergyBalance::operator+=(const EnergyBalance& other) {
  emitted += other.emitted;
  unbounded += other.unbounded;
  image += other.image;
  lost_by_window += other.lost_by_window;
  lost_by_field += other.lost_by_field;
  return *this;
}

EnergyBalance operator*(double times, const EnergyBalance& balance) {
  return {times * balance.emitted, times * balance.unbounded, times * balance.image,
          times * balance.lost_by_window, times * balance.lost_by_field};
}

EnergyBalance balance_of(const std::vector<double>& emitted, const std::vector<double>& image,
                         const OpticsSpec& optics, const VoxelSize& pitch, const Psf& psf) {
  const auto sums = plane_sums(psf);
  const double in_window = spread(emitted, [&](std::int64_t d) {
    const std::int64_t z = d + psf.centre.z;
    return z >= 0 && z < psf.voxels.extent.z ? sums[static_cast<std::size_t>(z)] : 0.0;
  });
  EnergyBalance balance;
  balance.emitted = std::accumulate(emitted.begin(), emitted.end(), 0.0);
  balance.image = std::accumulate(image.begin(), image.end(), 0.0);
  balance.unbounded =
      spread(emitted, [&](std::int64_t d) { return plane_energy(optics, pitch, psf, d); });
  balance.lost_by_window = balance.unbounded - in_window;
  balance.lost_by_field = in_window - balance.image;
  return balance;
}

}  // namespace synthoscope::simulator
