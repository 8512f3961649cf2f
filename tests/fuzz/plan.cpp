// SPDX-License-Identifier: MIT
// tests/fuzz/plan.cpp — plans of convolutions in JSON, as --plan takes them.
#include "fftconv/plan.hpp"
#include <string>
#include "core/base/assert.hpp"
#include "tests/fuzz/fuzz_target.hpp"

void synthoscope::fuzz::read(std::string_view bytes) {
  const std::string printed = fftconv::to_json(fftconv::plan_from_json(bytes));
  SYNTHOSCOPE_ASSERT(fftconv::to_json(fftconv::plan_from_json(printed)), ==, printed);
}
