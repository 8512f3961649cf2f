// SPDX-License-Identifier: MIT
// score/images/fourier_correlation.hpp — up to which spatial frequency a result agrees with its
// truth: Fourier ring and shell correlation.
#pragma once
#include <cstdint>
#include <vector>
#include "core/base/units.hpp"
#include "score/images/fourier_window.hpp"
#include "score/images/intensity.hpp"

namespace synthoscope::score {

/// `crossed`: a curve falls below its threshold. `above`: it does not, up to its last frequency.
/// `below`: it begins below.
enum class CrossingState { crossed, above, below };
inline constexpr NameTable<CrossingState, 3> kCrossingStateNames{{
    {CrossingState::crossed, "crossed"},
    {CrossingState::above, "above"},
    {CrossingState::below, "below"},
}};

/// Where a curve falls below a threshold for the first time, linear between rings.
struct Crossing {
  CrossingState state = CrossingState::below;
  double um = 0;  ///< 1 / frequency; NaN unless crossed
};

/// What a curve says of the resolution. Thresholds of 1/7 and half a bit are meant for two images
/// that are equally noisy. If C is the correlation of such images, that of one of them with its
/// noise-free truth is sqrt(2 C / (1 + C)): 1/7 becomes 1/2.
/// @source Rosenthal & Henderson, J. Mol. Biol. 333 (2003) 721, doi:10.1016/j.jmb.2003.07.013
struct Resolution {
  Crossing seventh;   ///< threshold 1/7
  Crossing half;      ///< threshold 1/2
  Crossing half_bit;  ///< threshold (0.2071 + 1.9102 / sqrt n) / (1.2071 + 0.9102 / sqrt n)
};

/// The correlation of rings or shells of equal frequency.
struct FourierCurve {
  double step_per_um = 0;           ///< entry i is of frequencies nearest to (i + 1) * step_per_um
  std::vector<double> correlation;  ///< -1 to 1; 0 where an image has no power
  std::vector<std::int64_t> samples;  ///< n: values of the full transform, both signs of frequency
  Resolution resolution;
};

struct FourierRings {
  std::vector<Resolution> planes;  ///< each plane by itself
  FourierCurve all;                ///< products and powers of all planes added
};

/// Correlates the spectra T and R of truth and result over rings, planes one by one:
///
///     correlation = Re sum T conj(R) / sqrt(sum |T|^2 sum |R|^2)
///
/// Each plane is transformed at its own length after its mean was subtracted and it was multiplied
/// by the window. A ring holds frequencies within half a step around a multiple of the step, which
/// is one over the longest side of the image; rings reach to the lower of the limits of y and x,
/// 1 / (2 voxel size).
///
/// @param moments  of the same images
/// @source Saxton & Baumeister, J. Microsc. 127 (1982) 127; half a bit: van Heel & Schatz, J.
/// Struct.
///         Biol. 151 (2005) 250, doi:10.1016/j.jsb.2005.05.009
/// @throws InvalidInput, PlanError, Interrupted, and what the sources throw
FourierRings fourier_rings(const ScoredImage& truth, const ScoredImage& result,
                           const VoxelSize& voxel, FourierWindow window,
                           const PlaneMoments& moments, const RunContext& context);

/// The same over shells of the volume. Shells are of equal frequency in 1 / um, whatever the shape
/// of voxels; beyond the limit of z they hold what the transform has.
/// @throws PlanError  the transform, 16 bytes a voxel, does not fit into the memory: says what does
FourierCurve fourier_shells(const ScoredImage& truth, const ScoredImage& result,
                            const VoxelSize& voxel, FourierWindow window,
                            const PlaneMoments& moments, const RunContext& context);

/// Checks the memory of fourier_shells before anything is read. @throws PlanError
void require_room_for_shells(const ScoredImage& truth, const ScoredImage& result,
                             const RunContext& context);

}  // namespace synthoscope::score
