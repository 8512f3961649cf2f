// SPDX-License-Identifier: MIT
#include "fftconv/fft/fftw_volume.hpp"
#include <new>
#include "fftconv/fft/fftw_api.hpp"

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

}  // namespace

void forward(const Extent3& extent, double* volume, int threads) {
  run_planned(threads, [&] {
    return fftw_plan_dft_r2c_3d(static_cast<int>(extent.z), static_cast<int>(extent.y),
                                static_cast<int>(extent.x), volume,
                                reinterpret_cast<fftw_complex*>(volume), FFTW_ESTIMATE);
  });
}

void inverse(const Extent3& extent, double* volume, int threads) {
  run_planned(threads, [&] {
    return fftw_plan_dft_c2r_3d(static_cast<int>(extent.z), static_cast<int>(extent.y),
                                static_cast<int>(extent.x), reinterpret_cast<fftw_complex*>(volume),
                                volume, FFTW_ESTIMATE);
  });
}

}  // namespace synthoscope::fftconv::fftw
