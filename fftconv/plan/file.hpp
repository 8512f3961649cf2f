// SPDX-License-Identifier: MIT
// fftconv/plan/file.hpp — a plan as JSON: "the same plan" means the same file.
#pragma once
#include <string>
#include <string_view>
#include "fftconv/plan.hpp"

namespace synthoscope::fftconv {

/// Complete and compact; plan_from_json gives an equal plan back.
[[nodiscard]] std::string to_json(const Plan& plan);

/// @throws InvalidInput  not a plan of a version this program reads, or inconsistent.
[[nodiscard]] Plan plan_from_json(std::string_view text);

}  // namespace synthoscope::fftconv
