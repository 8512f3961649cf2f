// SPDX-License-Identifier: MIT
// core/base/version.hpp — the version of this program, written into everything it makes.
#pragma once
#include <string_view>

namespace synthoscope {

inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace synthoscope
