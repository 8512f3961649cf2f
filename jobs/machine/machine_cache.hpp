// SPDX-License-Identifier: MIT
// jobs/machine/machine_cache.hpp — measures disks and GPUs of this machine once, and remembers
// their rates between runs.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>
#include "core/base/json_fwd.hpp"
#include "core/cuda/memory/device_rates.hpp"
#include "core/run/run_context.hpp"
#include "core/run/stop.hpp"
#include "fftconv/plan/cuts/machine_record.hpp"

namespace synthoscope::jobs {

/// How fast a folder's disk is written and read.
struct DiskRates {
  double read_bytes_per_second = 0, write_bytes_per_second = 0;
};

/// Writes a file of at most 256 MiB into `folder`, for a second or two, waits until it is on the
/// disk, asks the system to forget it, reads it and removes it.
/// @throws IoError      the folder cannot be written, or the disk is full.
/// @throws Interrupted  `stop` was set.
DiskRates measure_disk(const std::filesystem::path& folder, const StopFlag& stop);

/// How fast a GPU of this machine was when it was measured.
struct MeasuredGpu {
  std::string uuid;
  cuda::DeviceRates rates;
  friend bool operator==(const MeasuredGpu&, const MeasuredGpu&) = default;
};

/// One that fails is left out, with a warning.
/// @throws PlanError    the memory has no cuda::kDeviceMeasuringBytes.
/// @throws Interrupted  context.stop was set.
std::vector<MeasuredGpu> measure_gpus(const cuda::DeviceList& list, const RunContext& context);

Json json_of(const std::vector<MeasuredGpu>& gpus);

/// Reads what json_of returned; none if `json` is anything else.
std::vector<MeasuredGpu> gpus_from(const Json& json);

/// What each GPU is, and its rates where it was measured.
Json devices_json(const cuda::DeviceList& list, const std::vector<MeasuredGpu>& measured);

/// The same in lines, or why there is none.
std::string devices_text(const cuda::DeviceList& list, const std::vector<MeasuredGpu>& measured);

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
