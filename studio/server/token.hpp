// SPDX-License-Identifier: MIT
// studio/server/token.hpp — the secret that lets a browser in.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace synthoscope::studio {

/// Returns `bytes` random bytes of the operating system as hexadecimal digits.
/// @throws IoError  the system has none.
std::string random_token(std::size_t bytes);

/// Returns whether both are equal. The time depends on the lengths alone, so it does not show how
/// many characters of a guess are right.
bool equal_tokens(std::string_view a, std::string_view b) noexcept;

}  // namespace synthoscope::studio
