// SPDX-License-Identifier: MIT
#include "fftconv/plan/gpu/parts_cost.hpp"
#include <algorithm>
#include "fftconv/plan/gpu/cost.hpp"

namespace synthoscope::fftconv::device {
namespace {

/// Efficiency of the stages of a part: there are waits between them, and columns along y and z run
/// below a copy's speed. Measured on an H200 (docs/benchmarks/gpu-parts.md).
constexpr double kCopiesOfPart = 1.7;

struct Moved {
  double read, written, scratch;  ///< the scratch one way
};

Moved moved_by(const RunCost& bytes) {
  return {static_cast<double>(bytes.read_bytes), static_cast<double>(bytes.written_bytes),
          bytes.scratch_moved_bytes / 2};
}

double device_folds_seconds(const PartsTraffic& t, const RunCost& bytes, const Machine& machine) {
  const cuda::DeviceRates& link = machine.gpu->rates;
  const MachineRates& host = machine.rates;
  const Moved disk = moved_by(bytes);
  const double load = at_the_same_time(
      {t.up / link.pinned_up,
       2 * t.up / host.memory_bytes_per_second + file_copy_seconds(disk.read, host),
       disk.read / host.disk_read_bytes_per_second});
  const double store =
      at_the_same_time({t.down / link.pinned_down,
                        (2 * t.down + disk.written) / host.memory_bytes_per_second +
                            file_copy_seconds(disk.written + 2 * disk.scratch, host),
                        (disk.written + disk.scratch) / host.disk_write_bytes_per_second});
  return load + t.device * kCopiesOfPart / link.copy + store;
}

double host_folds_seconds(const PartsTraffic& t, const RunCost& bytes, const Machine& machine) {
  const cuda::DeviceRates& link = machine.gpu->rates;
  const MachineRates& host = machine.rates;
  const Moved disk = moved_by(bytes);
  const auto in_memory = [&](double moved) { return moved / host.memory_bytes_per_second; };
  const auto in_float = [&](double folded, double unfolded) {
    return folding_seconds(folded, unfolded, Precision::float32, host);
  };
  // What is folded is written to where it leaves from, and what comes is put aside, in memory that
  // is new
  const double folds = std::max(in_float(t.folded, 0), in_memory(t.fold_bytes)) +
                       in_memory(2 * t.up + 4 * t.down) +
                       file_copy_seconds(disk.read + disk.scratch, host);
  const double in_parts =
      at_the_same_time({folds,
                        std::max({t.up / link.pinned_up, t.down / link.pinned_down,
                                  (t.up + t.down) / link.pinned_both}),
                        t.device * kCopiesOfPart / link.copy,
                        disk.read / host.disk_read_bytes_per_second +
                            disk.scratch / host.disk_write_bytes_per_second});
  const double unfolds = std::max(in_float(0, t.unfolded), in_memory(t.down + 2 * disk.written)) +
                         file_copy_seconds(disk.scratch + disk.written, host);
  return in_parts +
         at_the_same_time({unfolds, disk.scratch / host.disk_read_bytes_per_second +
                                        disk.written / host.disk_write_bytes_per_second});
}

}  // namespace

double gpu_parts_seconds(const PartsTraffic& t, const RunCost& bytes, const PartsLayout& parts,
                         const Machine& machine) {
  const double batches = t.up / static_cast<double>(parts.batch_up * parts.up_bytes) +
                         t.down / static_cast<double>(parts.batch_down * parts.down_bytes);
  // The first batch travels alone, and so does the last
  const cuda::DeviceRates& link = machine.gpu->rates;
  const double ends = static_cast<double>(parts.batch_up * parts.up_bytes) / link.pinned_up +
                      static_cast<double>(parts.batch_down * parts.down_bytes) / link.pinned_down;
  return kGpuStartSeconds + ends + batches * kBatchSeconds +
         (parts.device_folds ? device_folds_seconds(t, bytes, machine)
                             : host_folds_seconds(t, bytes, machine));
}

}  // namespace synthoscope::fftconv::device
