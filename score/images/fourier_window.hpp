// SPDX-License-Identifier: MIT
// score/images/fourier_window.hpp — what images are multiplied by before they are transformed.
#pragma once
#include <cstdint>
#include <vector>
#include "core/base/names.hpp"

namespace synthoscope::score {

/// Without a window, opposite faces of an image meet in a step, which truth and result share. The
/// default of scores is `tukey`.
enum class FourierWindow { none, tukey, hann };
inline constexpr NameTable<FourierWindow, 3> kFourierWindowNames{{
    {FourierWindow::none, "none"},
    {FourierWindow::tukey, "tukey"},
    {FourierWindow::hann, "hann"},
}};

/// Returns the weights along an axis, at u = (i + 1/2) / length. hann: sin^2(pi u). tukey:
/// sin^2(4 pi u) in the first eighth, likewise in the last one, and 1 between them, as in
/// Nieuwenhuizen et al., Nat. Methods 10 (2013) 557. 1 if the length is 1.
std::vector<double> window_weights(FourierWindow window, std::int64_t length);

}  // namespace synthoscope::score
