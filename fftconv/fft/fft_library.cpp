// SPDX-License-Identifier: MIT
#include "fftconv/fft/fft_library.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/base/names.hpp"
#include "core/base/version.hpp"
#include "fftconv/fft/cufft.hpp"
#include "fftconv/fft/fftw_lines.hpp"

namespace synthoscope::fftconv {
namespace {

constexpr NameTable<FftLibrary, 4> kLibraries{{{FftLibrary::own, "own"},
                                               {FftLibrary::fftw, "fftw"},
                                               {FftLibrary::fftw_measured, "fftw-measured"},
                                               {FftLibrary::cufft, "cufft"}}};

}  // namespace

std::string_view name_of(FftLibrary library) {
  return name_in(kLibraries, library);
}

std::optional<FftLibrary> fft_library_named(std::string_view name) {
  return named_in(kLibraries, name);
}

bool runs_on_host(FftLibrary library) {
  return library != FftLibrary::cufft;
}

bool runs_on_gpu(FftLibrary library) {
  return library == FftLibrary::own || library == FftLibrary::cufft;
}

bool is_here(FftLibrary library) {
  if (library == FftLibrary::own) return true;
  return library == FftLibrary::cufft ? cufft().why_absent.empty() : fftw::is_built_in();
}

std::string version_of(FftLibrary library) {
  if (library == FftLibrary::own) return fmt::format("synthoscope-{}", kVersion);
  if (library != FftLibrary::cufft) return fftw::version();
  int version = 0;
  if (cufft().version) cufft().version(&version);
  return fmt::format("cufft-{}.{}.{}", version / 1000, version % 1000 / 100, version % 100);
}

void require_here(FftLibrary library, std::string_view attempt, std::string_view instead) {
  if (is_here(library)) return;
  throw InvalidSpec(fmt::format(
      "{}: {}, or use {}", attempt,
      library == FftLibrary::cufft
          ? cufft().why_absent
          : "this program was built without FFTW, whose licence is the GPL; build it with "
            "libfftw3-dev and cmake -DSYNTHOSCOPE_FFTW=ON",
      instead));
}

}  // namespace synthoscope::fftconv
