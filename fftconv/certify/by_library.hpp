// SPDX-License-Identifier: MIT
// fftconv/certify/by_library.hpp — recomputes a whole result by another library's transforms of
// whole volumes.
#pragma once
#include <cstdint>
#include <optional>
#include "core/cuda/runtime/device.hpp"
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"
#include "fftconv/certify/certify.hpp"
#include "fftconv/fft/fft_library.hpp"

namespace synthoscope::fftconv {

/// Returns the memory of certify_by_library: two volumes in double, image + kernel - 1 along every
/// axis at least, and what `threads` threads read.
std::int64_t certify_by_library_bytes(const Problem& problem, int threads);

/// A GPU, and how much of its memory may be used.
struct CertifyingGpu {
  cuda::DeviceInfo device;
  std::int64_t memory_bytes = 0;
};

/// Who recomputes: FFTW on the host, or cuFFT on a GPU.
struct Recomputer {
  FftLibrary fft = FftLibrary::fftw;
  std::optional<CertifyingGpu> gpu = {};  ///< only for cuFFT
};

/// Checks that the GPU has the memory for certify_by_library.
/// @throws OutOfDeviceMemory  it has not.  @throws CudaError
void require_memory(const CertifyingGpu& gpu, const Problem& problem);

/// Recomputes every voxel of `result` in double precision, with the library's three-dimensional
/// real transforms of the extended image and of the kernel. Boundaries, padding and centre are
/// those of the definition in request.hpp: nothing is shared with the plans and transforms that are
/// certified.
///
/// @param result  stored result of `term`; integers are compared after StoreAs rounds and clips
/// @throws InvalidSpec  the library is not here, or the result's extent is not the problem's.
/// @throws PlanError    the budget is smaller than certify_by_library_bytes, or the GPU has too
///                      little memory.
Certificate certify_by_library(const Recomputer& by, const Problem& problem, const Term& term,
                               Source& result, const RunContext& context);

}  // namespace synthoscope::fftconv
