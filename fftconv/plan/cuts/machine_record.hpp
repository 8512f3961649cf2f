// SPDX-License-Identifier: MIT
// fftconv/plan/cuts/machine_record.hpp — what the processor and memory of this machine achieve,
// measured.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include "core/run/run_context.hpp"
#include "fftconv/plan.hpp"

namespace synthoscope::fftconv {

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

/// Transforms lines of every class and copies memory with all threads of the pool, each for a
/// fraction of a second; takes about two seconds. Writes cores, memory and lines to `rates` and
/// leaves the disk unchanged.
/// @throws PlanError    the budget has no kMeasuringBytes.
/// @throws Interrupted  context.stop was set.
void measure_processor(MachineRates& rates, const RunContext& context);

std::string to_json(const MachineRecord& record);

/// Returns nullopt if the text is not a record of this version.
std::optional<MachineRecord> record_from_json(std::string_view text);

}  // namespace synthoscope::fftconv
