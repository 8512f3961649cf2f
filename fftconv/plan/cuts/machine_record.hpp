// SPDX-License-Identifier: MIT
// fftconv/plan/cuts/machine_record.hpp — rates of a machine: measured, and as JSON.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include "core/base/json_fwd.hpp"
#include "core/run/run_context.hpp"
#include "fftconv/plan.hpp"

namespace synthoscope::fftconv {

/// Rates as JSON, for plans and records.
Json json_of(const MachineRates& rates);
Json json_of(const cuda::DeviceRates& rates);
Json json_of(const Gpu& gpu);

/// @throws InvalidInput           a rate is not a positive number that a machine could have.
/// @throws Json::exception  one is missing or has another type.
MachineRates rates_from(const Json& json);
cuda::DeviceRates device_rates_from(const Json& json);
Gpu gpu_from(const Json& json);

/// Rates, and whose they are.
struct MachineRecord {
  std::string processor;  ///< as the system names it
  MachineRates rates;
  friend bool operator==(const MachineRecord&, const MachineRecord&) = default;
};

/// The processor's name in /proc/cpuinfo; "unknown" where there is none.
std::string processor_name();

/// Bytes that measure_processor asks the budget for.
inline constexpr std::int64_t kMeasuringBytes = std::int64_t{256} << 20;

/// Transforms lines of every class with every library of this build, and copies memory, with all
/// threads of the pool, each for a fraction of a second; takes about one second, with FFTW six.
/// Writes cores, memory and lines to `rates` and leaves the disk unchanged.
/// @throws PlanError    the budget has no kMeasuringBytes.
/// @throws Interrupted  context.stop was set.
void measure_processor(MachineRates& rates, const RunContext& context);

std::string to_json(const MachineRecord& record);

/// Returns nullopt if the text is not a record of this version.
std::optional<MachineRecord> record_from_json(std::string_view text);

}  // namespace synthoscope::fftconv
