// SPDX-License-Identifier: MIT
// jobs/machine/machine_cache.hpp — measures this machine once and remembers it between runs.
#pragma once
#include <filesystem>
#include <optional>
#include <vector>
#include "core/run/run_context.hpp"
#include "fftconv/plan/cuts/machine_record.hpp"
#include "jobs/machine/measured_gpus.hpp"

namespace synthoscope::jobs {

/// Returns the path of machine.json in the cache folder; empty if there is no cache folder.
std::filesystem::path machine_record_path();

/// Returns the record of this processor with this number of cores; nothing if none can be read.
std::optional<fftconv::MachineRecord> cached_record();

/// Returns the GPUs in the file of the record; none if it cannot be read.
std::vector<MeasuredGpu> cached_gpus();

/// Keeps the record and the GPUs for later runs. False where that is not possible.
bool keep_record(const fftconv::MachineRecord& record, const std::vector<MeasuredGpu>& gpus);

/// Measures processor and memory with all cores, whatever the context's pool has, and the disk of
/// `folder`. A disk that cannot be measured keeps the rates of the reference machine, with a
/// warning.
/// @throws PlanError, Interrupted  as measure_processor.
fftconv::MachineRecord measure_machine(const std::filesystem::path& folder,
                                       const RunContext& context);

}  // namespace synthoscope::jobs
