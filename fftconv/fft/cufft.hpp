// SPDX-License-Identifier: MIT
// fftconv/fft/cufft.hpp — the functions of cuFFT that we call, found in its library when the
// program runs. The build needs no header of cuFFT.
#pragma once
#include <cstddef>
#include <string>

namespace synthoscope::fftconv {

/// All null, and `why_absent`, where the library was not found or lacks a function, or where this
/// build is without CUDA. Every function returns 0 for success.
struct Cufft {
  using Handle = int;  ///< cufftHandle
  using Wide = long long;
  static constexpr int kComplex = 0x29;          ///< CUFFT_C2C
  static constexpr int kDoubleToComplex = 0x6a;  ///< CUFFT_D2Z
  static constexpr int kComplexToDouble = 0x6c;  ///< CUFFT_Z2D
  static constexpr int kForward = -1, kInverse = 1;

  int (*version)(int* version) = nullptr;
  int (*create)(Handle* plan) = nullptr;
  int (*destroy)(Handle plan) = nullptr;
  int (*set_auto_allocation)(Handle plan, int is_automatic) = nullptr;
  int (*make_plan_many)(Handle plan, int rank, Wide* n, Wide* inembed, Wide istride, Wide idist,
                        Wide* onembed, Wide ostride, Wide odist, int type, Wide batch,
                        std::size_t* workspace) = nullptr;
  int (*set_work_area)(Handle plan, void* workspace) = nullptr;
  int (*set_stream)(Handle plan, void* stream) = nullptr;
  int (*exec_complex)(Handle plan, void* in, void* out, int direction) = nullptr;
  int (*exec_double_to_complex)(Handle plan, double* in, void* out) = nullptr;
  int (*exec_complex_to_double)(Handle plan, void* in, double* out) = nullptr;
  std::string why_absent;  ///< and a remedy; messages add ", or use ..."
};

/// Looked for once (core/cuda/code/shared_library.hpp). It is a large library: only runs that want
/// it call this.
const Cufft& cufft();

}  // namespace synthoscope::fftconv
