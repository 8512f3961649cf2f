// SPDX-License-Identifier: MIT
// tests/support/hang.hpp — how long a test waits for what must come.
#pragma once
#include <chrono>

namespace synthoscope::test {

/// A guard against a hang, generous enough for any machine, and never a measurement.
inline constexpr std::chrono::seconds kHang{3600};

}  // namespace synthoscope::test
