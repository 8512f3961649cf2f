// SPDX-License-Identifier: MIT
#include "fftconv/fft/fftw_volume.hpp"
#include <new>
#include "fftconv/fft/fftw_api.hpp"
#include "fftconv/fft/padded_rows.hpp"

namespace synthoscope::fftconv::fftw {
namespace {

/// Runs the plan that `make` returns with so many threads; other plans have one.
template <class Make>
void run_planned(int threads, Make&& make) {
  OwnedPlan<double> plan;
  {
    const std::lock_guard lock{planner_mutex()};
    static const int kStarted = fftw_init_threads();
    if (kStarted != 0) fftw_plan_with_nthreads(threads);
    plan.reset(make());
    if (kStarted != 0) fftw_plan_with_nthreads(1);
  }
  if (!plan) throw std::bad_alloc{};  // it refuses nothing else
  fftw_execute(plan.get());
}

void forward(const Extent3& extent, double* volume, int threads) {
  run_planned(threads, [&] {
    return fftw_plan_dft_r2c_3d(static_cast<int>(extent.z), static_cast<int>(extent.y),
                                static_cast<int>(extent.x), volume,
                                reinterpret_cast<fftw_complex*>(volume), FFTW_ESTIMATE);
  });
}

/// Times the voxels of `extent`.
void inverse(const Extent3& extent, double* volume, int threads) {
  run_planned(threads, [&] {
    return fftw_plan_dft_c2r_3d(static_cast<int>(extent.z), static_cast<int>(extent.y),
                                static_cast<int>(extent.x), reinterpret_cast<fftw_complex*>(volume),
                                volume, FFTW_ESTIMATE);
  });
}

/// image <- the product of both spectra, with the scale that the inverse transform leaves out.
void multiply(const Extent3& extent, double* image, const double* kernel, TaskPool& pool) {
  const double scale = 1 / static_cast<double>(volume(extent));
  const std::int64_t in_plane = extent.y * padded_row(extent.x);
  pool.for_each(extent.z, [&](std::int64_t z) {
    double* a = image + z * in_plane;
    const double* b = kernel + z * in_plane;
    for (std::int64_t i = 0; i < in_plane; i += 2, a += 2, b += 2) {
      const double re = a[0] * b[0] - a[1] * b[1], im = a[0] * b[1] + a[1] * b[0];
      a[0] = scale * re;
      a[1] = scale * im;
    }
  });
}

}  // namespace

void convolve_volumes(const Extent3& extent, double* image, double* kernel,
                      const RunContext& context) {
  const int threads = context.pool.threads();
  forward(extent, image, threads);
  context.stop.check();
  forward(extent, kernel, threads);
  context.stop.check();
  multiply(extent, image, kernel, context.pool);
  inverse(extent, image, threads);
  context.stop.check();
}

}  // namespace synthoscope::fftconv::fftw
