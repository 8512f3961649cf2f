// SPDX-License-Identifier: MIT
// tests/fuzz/entry.cpp — where libFuzzer, or replay.cpp in its place, enters a target.
#include <cstddef>
#include <cstdint>
#include "core/base/error.hpp"
#include "tests/fuzz/fuzz_target.hpp"

std::string synthoscope::fuzz::refusal;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  synthoscope::fuzz::refusal.clear();
  try {
    synthoscope::fuzz::read({reinterpret_cast<const char*>(bytes), size});
  } catch (const synthoscope::Error& error) {
    synthoscope::fuzz::refusal = error.what();  // in a sentence: what a broken file deserves
  }
  return 0;
}
