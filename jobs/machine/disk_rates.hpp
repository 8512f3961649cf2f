// SPDX-License-Identifier: MIT
// jobs/machine/disk_rates.hpp — how fast a folder's disk is written and read.
#pragma once
#include <filesystem>
#include "core/run/stop.hpp"

namespace synthoscope::jobs {

struct DiskRates {
  double read_bytes_per_second = 0, write_bytes_per_second = 0;
};

/// Writes a file of at most 256 MiB into `folder`, for a second or two, waits until it is on the
/// disk, asks the system to forget it, reads it and removes it.
/// @throws IoError      the folder cannot be written, or the disk is full.
/// @throws Interrupted  `stop` was set.
DiskRates measure_disk(const std::filesystem::path& folder, const StopFlag& stop);

}  // namespace synthoscope::jobs
