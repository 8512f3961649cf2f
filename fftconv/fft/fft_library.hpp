// SPDX-License-Identifier: MIT
// fftconv/fft/fft_library.hpp — the library that transforms the lines of a plan.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace synthoscope::fftconv {

/// `own`: the transforms of this program. `fftw`: FFTW 3, whose plans are estimated.
/// `fftw_measured`: FFTW 3, whose plans are measured once for each length and kept as its wisdom.
enum class FftLibrary { own, fftw, fftw_measured };

std::string_view name_of(FftLibrary library);
std::optional<FftLibrary> fft_library_named(std::string_view name);

/// Returns whether this build has the library.
[[nodiscard]] bool is_built_in(FftLibrary library);

/// Returns the library with its version and the instruction sets it was built for, as it names
/// them: results of other versions may differ in the last bits. The library is built in.
[[nodiscard]] std::string version_of(FftLibrary library);

/// Returns whether `library` is one that transforms on the host alone.
[[nodiscard]] bool transforms_on_host(std::optional<FftLibrary> library);

/// Checks that this build has the library.
/// @throws InvalidSpec  it has not. `attempt` begins the message, such as "convolve --fft fftw".
void require_built_in(FftLibrary library, std::string_view attempt);

}  // namespace synthoscope::fftconv
