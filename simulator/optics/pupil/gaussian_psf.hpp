// SPDX-License-Identifier: MIT
// simulator/optics/pupil/gaussian_psf.hpp — the Gaussian that comes closest to a wide-field PSF.
#pragma once
#include <cstdint>
#include <vector>
#include "simulator/optics/pupil/optics_spec.hpp"

namespace synthoscope::simulator {

/// Standard deviations in um, the same along y and x.
struct GaussianWidths {
  double lateral_um = 0, axial_um = 0;
};

/// Returns the widths in the non-paraxial form, at every aperture; with n the immersion index, k =
/// 2 pi / lambda and c = cos asin(NA / n):
///
///     lateral = (1 / (n k)) ((4 - 7 c^1.5 + 3 c^3.5) / (7 (1 - c^1.5)))^-1/2
///     axial   = 5 sqrt7 (1 - c^1.5)
///             / (sqrt6 n k sqrt(4 c^5 - 25 c^3.5 + 42 c^2.5 - 25 c^1.5 + 4))
///
/// @source Zhang, Zerubia and Olivo-Marin, Appl. Opt. 46 (2007) 1819, doi:10.1364/AO.46.001819.
GaussianWidths gaussian_widths(const OpticsSpec& spec);

/// Returns exp(-u^2 / (2 sigma^2)) at u = (i - count / 2) pitch + shift for 0 <= i < count:
/// averaged over the pixel if `integrate`, otherwise at its centre.
std::vector<double> gaussian_profile(std::int64_t count, double pitch_um, double shift_um,
                                     double sigma_um, bool integrate);

}  // namespace synthoscope::simulator
