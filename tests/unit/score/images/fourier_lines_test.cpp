// SPDX-License-Identifier: MIT
#include "score/images/fourier_lines.hpp"
#include <gtest/gtest.h>
#include <complex>
#include <numbers>
#include "core/math/random.hpp"
#include "core/run/host_buffer.hpp"

namespace synthoscope::score {
namespace {

TEST(FourierLines, TransformEveryLengthInPlace) {
  const RandomStream random{5, RandomStage::phantom};
  const std::int64_t lanes = FourierLines::lanes(), element = 2 * lanes;
  for (const std::int64_t n : {1, 2, 3, 8, 11, 13, 30, 37, 64, 101, 121}) {
    SCOPED_TRACE(n);
    const FourierLines lines{n};
    MemoryBudget memory{1 << 20};
    // Elements lie in reverse order, with gaps
    const HostBuffer<double> line{memory, 2 * n * element, "line"},
        work{memory, lines.work_doubles(), "work"};
    std::vector<std::int64_t> offsets;
    for (std::int64_t e = 0; e < n; ++e) offsets.push_back(2 * (n - 1 - e) * element);
    for (std::int64_t i = 0; i < line.count(); ++i)
      line.data()[i] = uniform32(random.block(static_cast<std::uint64_t>(i))[0]) - 0.5;
    const std::int64_t lane = lanes - 1;
    const auto at = [&](std::int64_t e) {
      const double* const p = line.data() + offsets[static_cast<std::size_t>(e)] + lane;
      return std::complex<double>{p[0], p[lanes]};
    };
    std::vector<std::complex<double>> in;
    for (std::int64_t e = 0; e < n; ++e) in.push_back(at(e));

    lines.transform(line.data(), offsets.data(), work.data());
    for (std::int64_t e = 0; e < n; ++e) {
      const std::int64_t k = lines.frequencies()[static_cast<std::size_t>(e)];
      std::complex<double> expected;
      for (std::int64_t i = 0; i < n; ++i)
        expected += in[static_cast<std::size_t>(i)] *
                    std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i * k % n) /
                                        static_cast<double>(n));
      EXPECT_LT(std::abs(at(e) - expected), 1e-12) << "frequency " << k;
    }
  }
}

}  // namespace
}  // namespace synthoscope::score
