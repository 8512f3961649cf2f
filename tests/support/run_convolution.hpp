// SPDX-License-Identifier: MIT
// tests/support/run_convolution.hpp — plans and runs one convolution of volumes in memory.
#pragma once
#include <cstdint>
#include "core/stream/memory_stream.hpp"
#include "fftconv/executor.hpp"

namespace synthoscope::test {

struct Ran {
  Volume<double> result;
  fftconv::Plan plan;
  fftconv::RunReport report;
};

/// The image is stored as `type` before it is convolved.
Ran run_convolution(const Volume<double>& image, const Volume<double>& kernel,
                    const fftconv::Problem& problem, int threads = 2,
                    PixelType type = PixelType::float64);

/// The same by a plan that is given.
Ran run_plan(const fftconv::Plan& plan, const Volume<double>& image, const Volume<double>& kernel,
             int threads = 2, PixelType type = PixelType::float64);

/// The same by another executor than the host's.
Ran run_plan_on(fftconv::Executor& executor, const fftconv::Plan& plan, const Volume<double>& image,
                const Volume<double>& kernel, int threads = 2, PixelType type = PixelType::float64);

/// Uniform voxels in [low, high), a function of `seed`.
Volume<double> noise(const Extent3& extent, std::uint64_t seed, double low = 0, double high = 1);

}  // namespace synthoscope::test
