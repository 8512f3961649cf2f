// SPDX-License-Identifier: MIT
// fftconv/plan/cuts/machine_json.hpp — rates of a machine as JSON, for plans and records.
#pragma once
#include "core/base/json_fwd.hpp"
#include "fftconv/plan.hpp"

namespace synthoscope::fftconv {

Json json_of(const MachineRates& rates);
Json json_of(const cuda::DeviceRates& rates);
Json json_of(const Gpu& gpu);

/// @throws InvalidInput           a rate is not a positive number that a machine could have.
/// @throws Json::exception  one is missing or has another type.
MachineRates rates_from(const Json& json);
cuda::DeviceRates device_rates_from(const Json& json);
Gpu gpu_from(const Json& json);

}  // namespace synthoscope::fftconv
