// SPDX-License-Identifier: MIT
// tests/support/machine_with.hpp — a machine to plan for, with the library of transforms that a run
// of the tests is about.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include "fftconv/machine.hpp"

namespace synthoscope::test {

/// Returns the library of $SYNTHOSCOPE_TEST_FFT; none if it is not set.
inline std::optional<fftconv::FftLibrary> library_of_tests() {
  const char* const name = std::getenv("SYNTHOSCOPE_TEST_FFT");
  if (!name) return std::nullopt;
  const auto library = fftconv::fft_library_named(name);
  if (!library) throw std::invalid_argument("SYNTHOSCOPE_TEST_FFT names no library");
  return library;
}

/// Returns a machine with so much memory, whose plans use that library.
inline fftconv::Machine machine_with(std::int64_t host_bytes) {
  fftconv::Machine machine{host_bytes};
  machine.fft = library_of_tests();
  return machine;
}

}  // namespace synthoscope::test
