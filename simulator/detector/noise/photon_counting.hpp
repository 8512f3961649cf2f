// SPDX-License-Identifier: MIT
// simulator/detector/noise/photon_counting.hpp — the count of a single-photon detector in an
// exposure, from one uniform.
#pragma once
#include <cstdint>

namespace synthoscope::simulator {

/// Returns the count of a detector that is blind for a fixed time after each count; light during
/// that time does not prolong it (non-paralyzable). `mean` >= 0 counts are expected without dead
/// time, `dead_part` >= 0 is the dead time over the exposure. It can count when the exposure
/// begins.
///
/// Counts are a renewal process, drawn by inversion of its distribution function: the detector has
/// counted n or fewer if and only if a Poisson process has, in the time that n dead times leave:
///
///     P(N <= n) = P(Poisson(mean (1 - n dead_part)) <= n)
///
/// so the result is the smallest n whose Poisson count is at most n. Far from both ends of the
/// exposure the mean is mean / (1 + mean dead_part), and the variance mean / (1 + mean
/// dead_part)^3. Increasing in `uniform`, in (0, 1); only + - * / sqrt.
/// @source Feller, On probability problems in the theory of counters (1948); Mueller, Nucl.
///         Instrum. Methods 112 (1973) 47, doi:10.1016/0029-554X(73)90773-8.
__attribute__((noinline)) std::int64_t counted_with_dead_time(double mean, double dead_part,
                                                              double uniform);

/// Returns the number of frames, of `frames` >= 1, in which at least one of `mean` >= 0 expected
/// events of the exposure fell: the sum of as many one-bit images. Binomial of chance 1 - exp(-mean
/// / frames), so its mean is frames (1 - exp(-mean / frames)). Increasing in `uniform`, in (0, 1);
/// only + - * / sqrt.
/// @source Fossum, What to do with sub-diffraction-limit (SDL) pixels (2005); Yang, Lu, Sbaiz,
///         Vetterli, IEEE Trans. Image Process. 21 (2012) 1421, doi:10.1109/TIP.2011.2179306.
__attribute__((noinline)) std::int64_t counted_in_one_bit_frames(double mean, std::int64_t frames,
                                                                 double uniform);

namespace detail {

/// Returns the smallest k with P(X <= k) >= uniform for X binomial of `trials` and `chance`, 0 to
/// 1.
std::int64_t binomial(std::int64_t trials, double chance, double uniform);

}  // namespace detail

}  // namespace synthoscope::simulator
