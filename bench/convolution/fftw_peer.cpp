// SPDX-License-Identifier: MIT
// bench/convolution/fftw_peer.cpp — the same convolution by FFTW's own 3-D transforms, planning not
// counted.
//
//   fftw_peer Z,Y,X THREADS CALLS      (the padded size)
//
// Two forward transforms, a product, one inverse, in place, MEASURE. Prints seconds as JSON.
#include <fftw3.h>
#include <fmt/format.h>
#include <chrono>
#include <complex>
#include <cstdio>
#include <cstdlib>

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  int z = 0, y = 0, x = 0;
  if (argc != 4 || std::sscanf(argv[1], "%d,%d,%d", &z, &y, &x) != 3) return 1;
  fftwf_init_threads();
  fftwf_plan_with_nthreads(std::atoi(argv[2]));
  const std::size_t count = std::size_t(z) * std::size_t(y) * std::size_t(x / 2 + 1);
  float* f = fftwf_alloc_real(2 * count);
  float* g = fftwf_alloc_real(2 * count);
  auto* fc = reinterpret_cast<fftwf_complex*>(f);
  auto* gc = reinterpret_cast<fftwf_complex*>(g);
  const auto planning = std::chrono::steady_clock::now();
  fftwf_plan forward = fftwf_plan_dft_r2c_3d(z, y, x, f, fc, FFTW_MEASURE);
  fftwf_plan inverse = fftwf_plan_dft_c2r_3d(z, y, x, fc, f, FFTW_MEASURE);
  fmt::print("{{\"planning\": {}, \"seconds\": [", seconds_since(planning));

  const auto scale = 1.0F / static_cast<float>(std::size_t(z) * std::size_t(y) * std::size_t(x));
  for (int call = 0; call < std::atoi(argv[3]); ++call) {
    for (std::size_t i = 0; i < 2 * count; ++i) f[i] = g[i] = static_cast<float>(i % 97) * 0.01F;
    const auto start = std::chrono::steady_clock::now();
    fftwf_execute_dft_r2c(forward, f, fc);
    fftwf_execute_dft_r2c(forward, g, gc);
    auto* a = reinterpret_cast<std::complex<float>*>(fc);
    const auto* b = reinterpret_cast<const std::complex<float>*>(gc);
    for (std::size_t i = 0; i < count; ++i) {
      const float re = a[i].real() * b[i].real() - a[i].imag() * b[i].imag();
      const float im = a[i].real() * b[i].imag() + a[i].imag() * b[i].real();
      a[i] = {re * scale, im * scale};
    }
    fftwf_execute_dft_c2r(inverse, fc, f);
    fmt::print("{}{}", call ? ", " : "", seconds_since(start));
  }
  fmt::print("]}}\n");
}
