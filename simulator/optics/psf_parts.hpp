// SPDX-License-Identifier: MIT
// simulator/optics/psf_parts.hpp — steps that the PSFs of all models share.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>
#include "simulator/optics/psf.hpp"

namespace synthoscope::simulator {

/// Checks the number of voxels.
/// @throws InvalidSpec  more voxels than are computed.
void require_computable(const Extent3& size);

/// Planes with less than this part of the light in focus do not determine the window.
inline constexpr double kDimPlane = 0.05;

inline Index3 centre_of(const Extent3& size) {
  return {size.z / 2, size.y / 2, size.x / 2};
}

/// Returns the z of the centre plane, um: as the axial origin says, less the shift along z.
double origin_of(const OpticsSpec& spec, double focus_um);

/// Returns a reservation of `bytes`; empty if `memory` is null.
inline Reservation counted(MemoryBudget* memory, std::int64_t bytes, std::string_view what) {
  return memory ? memory->reserve(bytes, what) : Reservation{};
}

template <class T>
void take_voxels(BasicPsf<T>& psf, const Extent3& size, MemoryBudget* memory) {
  psf.counted = counted(memory, volume(size) * std::int64_t{sizeof(T)},
                        "the PSF (a smaller optics.size needs less)");
  psf.voxels = Volume<T>{size};
  psf.centre = centre_of(size);
}

/// Returns one over `light`, by which the normalisation divides: the sum or the largest of the
/// voxels.
/// @throws InvalidSpec  it is not above 0.
double inverse_of(double light, const OpticsSpec& spec, const Extent3& size);

/// Scales voxels that are fractions of a plane's energy, `total` in all, as `spec` asks.
/// `plane_scale` has scaled the values of the model's equation to fractions.
/// @throws InvalidSpec  there is no light to bring to a sum or a peak of 1.
template <class T>
void normalise(BasicPsf<T>& psf, const OpticsSpec& spec, double total, double plane_scale,
               TaskPool& pool) {
  auto& voxels = psf.voxels.voxels;
  const auto factor = [&] {
    switch (spec.normalization) {
      case PsfNormalization::plane:
        return 1.0;
      case PsfNormalization::sum:
        return inverse_of(total, spec, psf.voxels.extent);
      case PsfNormalization::peak:
        return inverse_of(static_cast<double>(*std::max_element(voxels.begin(), voxels.end())),
                          spec, psf.voxels.extent);
      case PsfNormalization::none:
        break;
    }
    return 1 / plane_scale;
  };
  psf.plane_energy = factor();
  if (psf.plane_energy == 1) return;
  pool.for_ranges(volume(psf.voxels.extent), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      voxels[i] = static_cast<T>(voxels[i] * psf.plane_energy);
  });
}

}  // namespace synthoscope::simulator
