// SPDX-License-Identifier: MIT
// fftconv/host/stages/transforms.hpp — the three line transforms of a plan and the functions that
// run them.
#pragma once
#include <memory>
#include <vector>
#include "fftconv/fft/lane_functions.hpp"
#include "fftconv/plan/cuts/layout.hpp"

namespace synthoscope::fftconv {

/// Immutable once made; shared by all threads.
template <class Real>
struct Transforms {
  Transforms(const Layout& layout, const LaneFunctions<Real>& set)
      : functions{&set},
        z{plan_line<Real>(layout.transform.z)},
        y{plan_line<Real>(layout.transform.y)},
        x{plan_line<Real>(layout.half)},
        half_shift{half_shift_twiddles<Real>(layout.half)} {}

  const LaneFunctions<Real>* functions;
  LinePlan<Real> z, y, x;
  std::vector<Real> half_shift;
};

}  // namespace synthoscope::fftconv
