// SPDX-License-Identifier: MIT
// bench/simulator/psf_bench.cpp — how long does a Gibson-Lanni PSF of 257x257x129 voxels take (129
// planes)?
//
//   psf_bench [THREADS] [CALLS]
//
// Oil immersion at NA 1.4 into water, 10 um deep, 0.1 um pixels. Beside the seconds it prints the
// largest difference from the integral by Simpson's rule in long double, relative to the peak.
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include "simulator/optics/psf.hpp"
#include "tests/unit/simulator/optics/psf_oracle.hpp"

namespace {

using namespace synthoscope;

simulator::OpticsSpec deep_in_water() {
  simulator::OpticsSpec spec;
  spec.depth_um = 10;
  spec.size = Extent3{129, 257, 257};
  return spec;
}

double largest_error(simulator::OpticsSpec spec, const VoxelSize& pitch, TaskPool& pool) {
  spec.pixel_integration = false;
  spec.normalization = simulator::PsfNormalization::none;
  const auto psf = simulator::make_psf<double>(spec, pitch, {}, pool);
  const double peak = *std::max_element(psf.voxels.voxels.begin(), psf.voxels.voxels.end());
  const test::GibsonLanniOracle oracle{spec};
  double worst = 0;
  for (std::int64_t z = 0; z < 129; z += 32)
    for (std::int64_t y = 128; y < 257; y += 31) {
      const double exact =
          oracle.intensity(std::hypot(static_cast<double>(y - 128) * pitch.y_um, 3 * pitch.x_um),
                           psf.origin_um + static_cast<double>(z - 64) * pitch.z_um, 20000);
      worst = std::max(worst, std::abs(psf.voxels.view()(z, y, 131) - exact) / peak);
    }
  return worst;
}

std::string processor() {
  std::ifstream file{"/proc/cpuinfo"};
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

}  // namespace

int main(int argc, char** argv) try {
  const int threads = argc > 1 ? std::stoi(argv[1]) : available_threads();
  const int calls = argc > 2 ? std::stoi(argv[2]) : 5;
  const char* const commit = std::getenv("SYNTHOSCOPE_COMMIT");
  const auto spec = deep_in_water();
  const VoxelSize pitch{0.1, 0.1, 0.1};
  TaskPool pool{threads};
  fmt::print("Gibson-Lanni {}, NA {}, {} um deep, {} threads of {}, commit {}\n", *spec.size,
             spec.na, spec.depth_um, threads, processor(), commit != nullptr ? commit : "unknown");
  for (int call = 0; call < calls; ++call) {
    const auto start = std::chrono::steady_clock::now();
    const auto psf = simulator::make_psf(spec, pitch, {}, pool);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    fmt::print("call {}: {:.3f} s, {:.1f} % of the focal plane's energy\n", call, seconds.count(),
               100 * psf.captured[64]);
  }
  fmt::print("largest error: {:.2g} of the peak\n", largest_error(spec, pitch, pool));
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "psf_bench: {}\n", error.what());
  return 1;
}
