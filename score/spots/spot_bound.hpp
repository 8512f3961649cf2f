// SPDX-License-Identifier: MIT
// score/spots/spot_bound.hpp — how well an image allows a spot to be localised.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"
#include "score/spots/psf_slopes.hpp"
#include "score/spots/spot.hpp"
#include "simulator/base/grid.hpp"
#include "simulator/detector/camera.hpp"
#include "simulator/light/illumination.hpp"

namespace synthoscope::score {

/// What an image shows of spots, without noise, and the camera that recorded it. All references
/// outlive this.
struct SpotImage {
  Source& photons;  ///< float32: expected photons of all light, per pixel of the sensor
  const simulator::CameraEpilogue& camera;
  const simulator::Illumination& illumination;
  const PsfSlopes& psf;
  simulator::Grid grid;         ///< of `photons`
  std::int64_t oversample = 1;  ///< light and PSF have this many voxels per pixel, along y and x
};

/// The least standard deviations that unbiased estimates of a spot can have.
struct SpotBound {
  AlongZyx sd_um{kUnknown, kUnknown, kUnknown};  ///< unknown along z in one plane
  double photons_sd = kUnknown;
  AlongZyx light_um{kUnknown, kUnknown, kUnknown};  ///< where its light was rendered: rendered()

  [[nodiscard]] bool is_known() const { return sd_um[1] > 0; }
};

/// Computes the Cramér-Rao bound of some spots, with z, y, x, photons and a uniform background of
/// each as unknowns. The Fisher information is, over all pixels i that are read out,
///
///     F_ab = sum_i (dm_i / da) (dm_i / db) / v_i
///
/// with the mean m_i and the variance v_i of the pixel's count, by ExpectedCounts: shot noise, dark
/// current, read noise, noise of rows, rounding, and the excess noise of a register (v is then
/// nearly twice that of the shot noise). For shot noise alone this is exact; with read noise it is
/// the information in the mean of a count, as for a normal distribution. A register's counts hold
/// up to twice this information where fewer than about one electron arrives per pixel.
///
/// Assumes that all other light, neighbours included, is known; that the PSF does not change near
/// the spot; and that noise of rows is independent between pixels. Pixels beyond the camera's range
/// give no information. A spot moves with its light as rendered, so that a bead has its own size.
/// @param which  places of the spots in `spots`; those without a number of photons get no bound
/// @returns  one for each of `which`
/// @source  Mortensen et al., Nature Methods 7 (2010) 377, doi:10.1038/nmeth.1447; Smith et al.,
///          Nature Methods 7 (2010) 373, doi:10.1038/nmeth.1449; Huang et al., Nature Methods 10
///          (2013) 653, doi:10.1038/nmeth.2488; few electrons: Chao, Ward, Ober, Multidim. Syst.
///          Signal Process. 23 (2012) 349, doi:10.1007/s11045-011-0150-7.
/// @throws PlanError  the memory has no room.  @throws Interrupted, and what `photons` throws
std::vector<SpotBound> bounds_of(const std::vector<Spot>& spots,
                                 const std::vector<std::size_t>& which, const SpotImage& image,
                                 const RunContext& context);

}  // namespace synthoscope::score
