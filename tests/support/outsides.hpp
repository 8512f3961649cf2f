// SPDX-License-Identifier: MIT
// tests/support/outsides.hpp — all that may stand outside an image.
#pragma once
#include "kernels/coordinates/outside.hpp"

namespace synthoscope::test {

using kernels::Outside;
inline constexpr Outside kOutsides[] = {
    Outside::zero,   Outside::grid_constant, Outside::nearest,   Outside::reflect,
    Outside::mirror, Outside::wrap,          Outside::scipy_wrap};

}  // namespace synthoscope::test
