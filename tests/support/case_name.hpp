// SPDX-License-Identifier: MIT
// tests/support/case_name.hpp — names a row of a case table after its `name` member.
#pragma once
#include <gtest/gtest.h>
#include <string>

namespace synthoscope::test {

inline constexpr auto kCaseName = [](const auto& row) { return std::string{row.param.name}; };

}  // namespace synthoscope::test
