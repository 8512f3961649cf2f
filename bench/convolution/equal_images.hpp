// SPDX-License-Identifier: MIT
// bench/convolution/equal_images.hpp — two images of the same sides and what their wrapped
// convolution is at some pixels, for the benchmarks of brute force, DFT and FFT.
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>
#include "core/math/random.hpp"
#include "core/run/task_pool.hpp"
#include "core/stream/memory_stream.hpp"

namespace synthoscope::bench {

/// h[y, x] = sum over (ky, kx) of a[y - ky, x - kx] b[ky, kx], indices modulo `side`, a power of
/// two; the values spread evenly around zero, so that sums cancel and errors show.
struct EqualImages {
  static constexpr std::int64_t kChecked = 64;

  EqualImages(std::int64_t n, TaskPool& pool) : side{n}, a{{1, n, n}}, b{{1, n, n}} {
    const RandomStream random{5, RandomStage::phantom};
    pool.for_ranges(n * n, 1 << 14, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const auto words = random.block(static_cast<std::uint64_t>(i));
        a.voxels[static_cast<std::size_t>(i)] = static_cast<float>(uniform32(words[0]) - 0.5);
        b.voxels[static_cast<std::size_t>(i)] = static_cast<float>(uniform32(words[1]) - 0.5);
      }
    });
    for (std::uint64_t i = 0; i < kChecked; ++i) {
      const auto words = random.block(i, 1);
      at.push_back({0, std::int64_t{words[0]} & (n - 1), std::int64_t{words[1]} & (n - 1)});
    }
    expected.resize(at.size());
    pool.for_each(kChecked, [&](std::int64_t i) {
      expected[static_cast<std::size_t>(i)] = exact(at[static_cast<std::size_t>(i)]);
    });
  }

  /// Of the checked pixels: root of summed squares of differences over that of values.
  [[nodiscard]] double relative_l2(HostView3<const float> result) const {
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const double d = static_cast<double>(result(0, at[i].y, at[i].x)) - expected[i];
      difference += d * d;
      size += expected[i] * expected[i];
    }
    return std::sqrt(difference / size);
  }

  std::int64_t side;
  Volume<float> a, b;
  std::vector<Index3> at;
  std::vector<double> expected;

 private:
  [[nodiscard]] double exact(const Index3& o) const {
    double sum = 0;
    for (std::int64_t ky = 0; ky < side; ++ky) {
      const float* const image = a.view().row(0, (o.y - ky) & (side - 1));
      const float* const kernel = b.view().row(0, ky);
      for (std::int64_t kx = 0; kx < side; ++kx)
        sum +=
            static_cast<double>(image[(o.x - kx) & (side - 1)]) * static_cast<double>(kernel[kx]);
    }
    return sum;
  }
};

}  // namespace synthoscope::bench
