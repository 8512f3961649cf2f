// SPDX-License-Identifier: MIT
// tests/support/plan_case.hpp — problems and machines on paper, for what the planner makes of them.
#pragma once
#include <algorithm>
#include "fftconv/plan.hpp"

namespace synthoscope::test {

inline constexpr std::int64_t kMiB = std::int64_t{1} << 20, kGiB = std::int64_t{1} << 30;

/// Of a block of threads of an H200.
inline constexpr fftconv::device::BlockLimits kH200{227 << 10, 1024, 65536, true};

/// Around the middle of its kernel.
inline fftconv::Problem centred_problem(const Extent3& image, const Extent3& kernel) {
  fftconv::Problem p;
  p.image = image;
  p.kernel = kernel;
  p.center = {(kernel.z - 1) / 2, (kernel.y - 1) / 2, (kernel.x - 1) / 2};
  return p;
}

/// Sixteen cores as a host of an H200 has them, files in the system's cache.
/// @param line_factor  seconds of a transform over those of a reference core
inline fftconv::Machine machine_with_gpu(std::int64_t device_bytes, std::int64_t host_bytes,
                                         double line_factor) {
  fftconv::Machine m{host_bytes};
  m.rates = {16, 1e11, 1e10, 1e10, {line_factor, line_factor, line_factor, line_factor}};
  m.gpu = fftconv::Gpu{"a GPU", 90, kH200, device_bytes};
  return m;
}

inline const fftconv::Candidate& chosen(const fftconv::Plan& plan) {
  return *plan.chosen();
}

}  // namespace synthoscope::test
