// SPDX-License-Identifier: MIT
// fftconv/machine_json.hpp — rates of a machine as JSON, for plans and records.
#pragma once
#include <nlohmann/json.hpp>
#include "fftconv/plan.hpp"

namespace synthoscope::fftconv {

nlohmann::ordered_json json_of(const MachineRates& rates);

/// @throws InvalidInput           a rate is not a positive number that a machine could have.
/// @throws nlohmann::json::exception  one is missing or has another type.
MachineRates rates_from(const nlohmann::ordered_json& json);

}  // namespace synthoscope::fftconv
