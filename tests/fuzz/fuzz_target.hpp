// SPDX-License-Identifier: MIT
// tests/fuzz/fuzz_target.hpp — what each fuzz target defines: how it reads bytes of a stranger.
#pragma once
#include <string>
#include <string_view>

namespace synthoscope::fuzz {

/// Reads `bytes` as a user's file would be read. What is refused by an Error is refused well; any
/// other exception, a crash, a broken promise and what a sanitizer says are findings.
void read(std::string_view bytes);

/// Why the last bytes were refused; empty where they were not.
extern std::string refusal;

}  // namespace synthoscope::fuzz
