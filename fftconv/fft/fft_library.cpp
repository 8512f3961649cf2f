// SPDX-License-Identifier: MIT
#include "fftconv/fft/fft_library.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/base/names.hpp"
#include "core/base/version.hpp"
#include "fftconv/fft/fftw_lines.hpp"

namespace synthoscope::fftconv {
namespace {

constexpr NameTable<FftLibrary, 3> kLibraries{{{FftLibrary::own, "own"},
                                               {FftLibrary::fftw, "fftw"},
                                               {FftLibrary::fftw_measured, "fftw-measured"}}};

}  // namespace

std::string_view name_of(FftLibrary library) {
  return name_in(kLibraries, library);
}

std::optional<FftLibrary> fft_library_named(std::string_view name) {
  return named_in(kLibraries, name);
}

bool is_built_in(FftLibrary library) {
  return library == FftLibrary::own || fftw::is_built_in();
}

std::string version_of(FftLibrary library) {
  return library == FftLibrary::own ? fmt::format("synthoscope-{}", kVersion) : fftw::version();
}

bool transforms_on_host(std::optional<FftLibrary> library) {
  return library && *library != FftLibrary::own;
}

void require_built_in(FftLibrary library, std::string_view attempt) {
  if (!is_built_in(library))
    throw InvalidSpec(fmt::format(
        "{}: this program was built without FFTW, whose licence is the GPL; use own transforms, or "
        "build the program with libfftw3-dev and cmake -DSYNTHOSCOPE_FFTW=ON",
        attempt));
}

}  // namespace synthoscope::fftconv
