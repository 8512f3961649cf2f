// SPDX-License-Identifier: MIT
// tests/unit/deconvolution/expect_share.hpp — compares shares with the adjoint of ones.
#pragma once
#include <gtest/gtest.h>
#include <vector>
#include "core/volume/view.hpp"
#include "deconvolution/iteration/seen_share.hpp"

namespace synthoscope::deconvolution::test {

/// Compares the share of every voxel, and the sum of all, with `expected`.
template <class Real>
void expect_share(const SeenShare& share, const Volume<Real>& expected, const RunContext& context) {
  const Extent3 e = expected.extent;
  std::vector<float> row(static_cast<std::size_t>(e.x));
  double sum = 0;
  for (std::int64_t z = 0; z < e.z; ++z)
    for (std::int64_t y = 0; y < e.y; ++y) {
      share.fill_row(z, y, 0, row);
      for (std::int64_t x = 0; x < e.x; ++x) {
        const auto got = static_cast<double>(row[static_cast<std::size_t>(x)]),
                   wanted = static_cast<double>(expected.view()(z, y, x));
        sum += got;
        if (got > 0)
          EXPECT_NEAR(got, wanted, 2e-6);
        else
          EXPECT_LT(wanted, 1.1 * SeenShare::kLeast);
      }
    }
  EXPECT_NEAR(share.sum(context), sum, 1e-5 * sum);
}

}  // namespace synthoscope::deconvolution::test
