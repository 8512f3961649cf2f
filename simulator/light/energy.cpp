// SPDX-License-Identifier: MIT
#include "simulator/light/energy.hpp"
#include <numeric>

namespace synthoscope::simulator {
namespace {

/// Returns the sum over pairs of planes of light[from] * energy[to - from + planes - 1].
double spread(const std::vector<double>& light, const std::vector<double>& energy) {
  // Sums of energy over all distances below d, so that pairs of planes need not be visited
  const auto planes = static_cast<std::int64_t>(light.size());
  std::vector<double> below(static_cast<std::size_t>(2 * planes));
  for (std::size_t i = 0; i < energy.size(); ++i) below[i + 1] = below[i] + energy[i];
  double sum = 0;
  for (std::int64_t from = 0; from < planes; ++from)
    sum += light[static_cast<std::size_t>(from)] *
           (below[static_cast<std::size_t>(2 * planes - 1 - from)] -
            below[static_cast<std::size_t>(planes - 1 - from)]);
  return sum;
}

std::vector<double> plane_sums(const Psf& psf, TaskPool& pool) {
  std::vector<double> sums(static_cast<std::size_t>(psf.voxels.extent.z));
  const std::int64_t area = psf.voxels.extent.y * psf.voxels.extent.x;
  pool.for_each(psf.voxels.extent.z, [&](std::int64_t z) {
    const float* const voxels = psf.voxels.view().row(z, 0);
    sums[static_cast<std::size_t>(z)] = std::accumulate(voxels, voxels + area, 0.0);
  });
  return sums;
}

}  // namespace

EnergyBalance& EnergyBalance::operator+=(const EnergyBalance& other) {
  emitted += other.emitted;
  collected += other.collected;
  unbounded += other.unbounded;
  image += other.image;
  lost_by_window += other.lost_by_window;
  lost_by_field += other.lost_by_field;
  return *this;
}

EnergyBalance operator*(double times, const EnergyBalance& balance) {
  return {times * balance.emitted, times * balance.collected,      times * balance.unbounded,
          times * balance.image,   times * balance.lost_by_window, times * balance.lost_by_field};
}

PlaneEnergies PlaneEnergies::times(const std::vector<double>& weights) const {
  PlaneEnergies weighted = *this;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weighted.in_window[i] *= weights[i];
    weighted.unbounded[i] *= weights[i];
  }
  return weighted;
}

PlaneEnergies energies_of_planes(const OpticsSpec& optics, const VoxelSize& pitch, const Psf& psf,
                                 std::int64_t planes, TaskPool& pool) {
  const auto sums = plane_sums(psf, pool);
  PlaneEnergies energies;
  for (std::int64_t d = 1 - planes; d < planes; ++d) {
    const std::int64_t z = d + psf.centre.z;
    energies.in_window.push_back(
        z >= 0 && z < psf.voxels.extent.z ? sums[static_cast<std::size_t>(z)] : 0.0);
    energies.unbounded.push_back(plane_energy(optics, pitch, psf, d));
  }
  return energies;
}

EnergyBalance balance_of(const std::vector<SpreadLight>& light, const std::vector<double>& image,
                         double part) {
  EnergyBalance balance;
  double in_window = 0;
  for (const SpreadLight& one : light) {
    balance.collected += std::accumulate(one.collected.begin(), one.collected.end(), 0.0);
    balance.unbounded += spread(one.collected, one.energies.unbounded);
    in_window += spread(one.collected, one.energies.in_window);
  }
  balance.emitted = balance.collected / part;
  balance.image = std::accumulate(image.begin(), image.end(), 0.0);
  balance.lost_by_window = balance.unbounded - in_window;
  balance.lost_by_field = in_window - balance.image;
  return balance;
}

}  // namespace synthoscope::simulator
