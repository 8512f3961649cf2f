// SPDX-License-Identifier: MIT
// kernels/variance/contrast.hpp — equalizes local contrast: details are amplified where there is
// little contrast and not where there is much.
#pragma once
#include <memory>
#include <vector>
#include "core/vector/vector_level.hpp"
#include "core/volume/boundary.hpp"
#include "kernels/body/contrast.hpp"
#include "kernels/operation/operation.hpp"
#include "kernels/variance/window.hpp"

namespace synthoscope::kernels {

struct ContrastSpec {
  std::vector<LocalWindow> windows;  ///< as for merge_steps, finest first
  double target = 1;                 ///< desired standard deviation, > 0, in units of the image
  double limit = 3;                  ///< largest gain, >= 1, reached where nothing varies
  double strength = 1;               ///< 0 leaves the image unchanged, 1 applies all of the gain
  Boundary boundary = Boundary::reflect;
  PixelType type = PixelType::float32;  ///< of the result
  VectorLevel level = vector_level();
};

/// Returns the parameters for the body of host and device.
ContrastGain gain_of(const ContrastSpec& spec);

/// Divides the image into bands: what is finer than the first window, than the next, and so on.
/// Gives each band its own gain by the standard deviation s in the window, and adds the bands to
/// the mean m of the last window:
///
///     result = m_K + sum over k = 1..K of g_k (m_{k-1} - m_k),   m_0 the image
///     g_k = 1 + strength (limit target / (limit s_k + target) - 1)
///
/// An edge lowers only the gain of bands that are as coarse as the distance to it. With one window,
/// details around it would fade as far as the window reaches: a visible rim. Levels stay: m_K is
/// not changed. NaN and infinity spread to every window that reaches them.
/// @throws InvalidSpec  as merge_steps; target, limit or strength outside its range.
/// @source  the gain: Wallis' operator, Pratt, Digital Image Processing, 4th ed., Wiley 2007,
///          section 10.4, statistical differencing, doi:10.1002/0470097434; bands by the means of
///          growing windows: Burt and Adelson, IEEE Transactions on Communications 31 (1983) 532,
///          doi:10.1109/TCOM.1983.1095851.
std::unique_ptr<Operation> local_contrast(const ContrastSpec& spec, const Extent3& image);

}  // namespace synthoscope::kernels
