// SPDX-License-Identifier: MIT
// fftconv/fft/fft_library.hpp — the library that transforms the lines of a plan.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace synthoscope::fftconv {

/// `own`: the transforms of this program, on host and GPU. `fftw`: FFTW 3, whose plans are
/// estimated, on the host. `fftw_measured`: FFTW 3, whose plans are measured once for each length
/// and kept as its wisdom. `cufft`: cuFFT, on a GPU.
enum class FftLibrary { own, fftw, fftw_measured, cufft };

std::string_view name_of(FftLibrary library);
std::optional<FftLibrary> fft_library_named(std::string_view name);

/// Returns whether its transforms run on the host, or on a GPU.
[[nodiscard]] bool runs_on_host(FftLibrary library);
[[nodiscard]] bool runs_on_gpu(FftLibrary library);

/// Returns whether this build has the library and, for cuFFT, whether it is found on this machine.
[[nodiscard]] bool is_here(FftLibrary library);

/// Returns the library with its version and the instruction sets it was built for, as it names
/// them: results of other versions may differ in the last bits. The library is here.
[[nodiscard]] std::string version_of(FftLibrary library);

/// Checks that the library is here.
/// @throws InvalidSpec  it is not. `attempt` begins the message, such as "convolve --fft fftw", and
///                      `instead` ends it: an option that does without the library.
void require_here(FftLibrary library, std::string_view attempt,
                  std::string_view instead = "--fft own");

}  // namespace synthoscope::fftconv
