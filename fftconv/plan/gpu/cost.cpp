// SPDX-License-Identifier: MIT
#include "fftconv/plan/gpu/cost.hpp"
#include <algorithm>
#include <cmath>
#include <numeric>
#include "fftconv/lines/tuned_lines.hpp"

namespace synthoscope::fftconv::device {
namespace {

constexpr double kBytesOfFloat = 4;
/// Fraction of its seconds by which a shorter stage delays the longest one.
constexpr double kHinders = 0.05;
/// Seconds of columns along z that put classes of rows together, over seconds without classes,
/// where they were not measured (docs/benchmarks/gpu-planes.md).
constexpr double kClassesSlower = 1.08;
/// Short rows are many for every value.
constexpr double kShortRow = 130;

double count(std::int64_t n) {
  return static_cast<double>(n);
}

double pieces(std::int64_t whole, std::int64_t piece) {
  return count((whole + piece - 1) / piece);
}

/// Primes of `length` but 2.
std::int64_t odd_factors_of(std::int64_t length) {
  std::int64_t factors = 0;
  for (const int prime : {3, 5, 7})
    for (; length % prime == 0; length /= prime) ++factors;
  return factors;
}

/// Efficiency of the stages of a part: there are waits between them, and columns along y and z run
/// below a copy's speed. Measured on an H200 (docs/benchmarks/gpu-parts.md).
constexpr double kCopiesOfPart = 1.7;

/// Seconds of cuFFT's passes over those of ours, on an H100
/// (docs/benchmarks/transform-libraries.md).
constexpr double kCufftSlower = 2.7;

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

double at_the_same_time(std::initializer_list<double> stages) {
  const double all = std::accumulate(stages.begin(), stages.end(), 0.0);
  return (1 - kHinders) * std::max(stages) + kHinders * all;
}

double copies_of(std::int64_t length, LineKind kind, const BlockLimits& limits) {
  if (const TunedLine* const line = tuned_line(length, kind);
      line && (kind == LineKind::row || columns_per_block(length, limits) == kTunedColumnsPerBlock))
    return 100.0 / line->percent;
  const double n = count(length), doublings = std::log2(n);
  if (kind == LineKind::row)
    return 1.79 - 0.058 * doublings + (length % 16 > 0 ? 0.15 : 0) + (length % 4 > 0 ? 0.19 : 0) +
           std::max(0.0, kShortRow / n - 1);
  // What a block holds leaves no room for others that hide its waiting; narrow columns waste what
  // is read with them
  const int beside = columns_per_block(length, limits);
  const double held = n * beside * count(kValueBytes) / count(limits.shared_bytes);
  const double odd = count(odd_factors_of(length)), alone = held > 0.5 ? 1 : 0;
  const auto narrow = [&](double of_8, double of_4) {
    return beside >= 16 ? 0 : beside == 8 ? of_8 : beside == 4 ? of_4 : 2 * of_4;
  };
  if (kind == LineKind::column)
    return 1.22 - 0.041 * doublings + 0.020 * odd + 0.80 * held - 0.08 * alone + narrow(0.25, 0.79);
  return 0.98 + 0.015 * doublings + 0.045 * odd + 0.52 * held - 0.06 * alone + narrow(0.21, 0.98);
}

/// Copies of the spectra that columns along z take as long as.
double copies_along_z(std::int64_t length, int classes, const BlockLimits& limits) {
  if (const TunedLine* const line = tuned_line_of_classes(length, classes))
    return 100.0 / line->percent;
  return copies_of(length, LineKind::along_z, limits) * (classes > 1 ? kClassesSlower : 1);
}

GpuWork gpu_work(const Layout& l, const Problem& work, const Cut& cut, const DeviceLayout& d,
                 const Gpu& gpu) {
  const Extent3 wanted = wanted_extent(work);
  const double tiles = pieces(wanted.y, cut.result.y) * pieces(wanted.x, cut.result.x);
  const double turns = pieces(wanted.z, cut.result.z), terms = count(work.terms);
  const BlockLimits& limits = gpu.limits;
  const double row = count(d.pitch) * count(kValueBytes);
  const double plane = count(d.plane_values) * count(kValueBytes);
  const double per_row = copies_of(l.half, LineKind::row, limits),
               per_column = copies_of(l.transform.y, LineKind::column, limits);
  // Where the transfer function is kept, voxels are changed row by row
  const bool may_be_whole = cut.fft == FftLibrary::own && !cut.keep_transfer;
  const PlanePasses whole = may_be_whole ? plane_passes_for(l, limits) : PlanePasses{};
  // Planes without classes are convolved each by itself: spectra are not in memory
  const bool alone = whole.any() && whole.planes.classes == 1;
  // A plane of `rows` rows of `bytes` on the way to or from its spectrum, in bytes of a copy
  const auto plane_bytes = [&](std::int64_t rows, double bytes) {
    if (whole.any()) return (count(rows) * bytes + (alone ? 0 : plane)) * 100 / whole.percent;
    const double rows_pass = count(rows) * (row + bytes) * per_row;
    return rows_pass + (l.transform.y > 1 ? (count(rows) * row + plane) * per_column : 0);
  };
  const auto seconds = [&](double bytes) { return bytes / gpu.rates.copy; };

  GpuWork w;
  const double kernel_bytes =
      count(l.z.kernel_count) * count(l.y.kernel_count) * count(l.x.kernel_count) * kBytesOfFloat;
  double kernel = count(l.z.kernel_count) *
                  plane_bytes(l.y.kernel_count, count(l.x.kernel_count) * kBytesOfFloat);
  double columns = 0;
  if (alone) {
    columns = 0;
  } else if (l.direct_z) {
    columns = count(l.z.wanted) * (2 * count(l.z.kernel_count) + 1) * plane;
  } else {
    const double along_z = copies_along_z(l.transform.z, whole.planes.classes, limits);
    kernel += (count(l.z.kernel_count) + count(l.transform.z)) * plane * along_z;
    // Every turn reads its window and the transfer function; results of several terms are added up
    const double read = std::min(count(l.z.loaded), count(l.transform.z)) + count(l.transform.z);
    const double stored = count(l.z.wanted) / turns * (terms > 1 ? 2 : 1);
    columns = turns * (read + stored) * plane * along_z;
  }
  const double slower = cut.fft == FftLibrary::cufft ? kCufftSlower : 1;
  w.kernel = terms * (slower * seconds(kernel) + kernel_bytes / gpu.rates.pinned_up);
  w.columns = slower * tiles * terms * seconds(columns);
  w.forward = slower * tiles * terms * count(l.z.loaded) *
              seconds(plane_bytes(l.y.loaded, count(l.x.loaded) * count(work.source_voxel_bytes)));
  w.back =
      slower * tiles * count(l.z.wanted) * seconds(plane_bytes(l.y.wanted, count(l.x.wanted) * 4));
  if (!work.image_made_on_gpu)
    w.up_bytes = tiles * terms * count(l.z.loaded) * count(std::min(l.y.image, l.y.loaded)) *
                 count(std::min(l.x.image, l.x.loaded)) * count(work.source_voxel_bytes);
  // The last pass stores narrow voxels and they travel unchanged; others travel as floats
  const double stored =
      work.remove_mean ? kBytesOfFloat : std::min(kBytesOfFloat, count(work.sink_voxel_bytes));
  w.down_bytes =
      tiles * count(l.z.wanted) * count(d.store_voxels) * (stored + count(work.second_voxel_bytes));
  return w;
}

namespace {

/// What a run moves, in seconds of whatever moves it.
struct Moving {
  double up, down, both;                            ///< over one link
  double staged_in, staged_out, disk_in, disk_out;  ///< the host's own part
  double ends, batches;                             ///< the first and the last batch; how many
};

Moving moving(const GpuWork& w, const RunCost& bytes, const DeviceLayout& d,
              const Machine& machine) {
  const cuda::DeviceRates& link = machine.gpu->rates;
  const MachineRates& host = machine.rates;
  const double read = count(bytes.read_bytes), written = count(bytes.written_bytes);
  const double scratch = bytes.scratch_moved_bytes / 2;
  Moving m{};
  m.up = w.up_bytes / link.pinned_up;
  m.down = w.down_bytes / link.pinned_down;
  m.both = (w.up_bytes + w.down_bytes) / link.pinned_both;
  // From a file to pinned memory, and from there to what is stored
  const double read_calls = w.up_bytes > 0 ? bytes.read_calls : 0;
  m.staged_in = 2 * w.up_bytes / host.memory_bytes_per_second +
                file_copy_seconds(read + scratch, host) + file_call_seconds(read_calls, host);
  // Threads that write to one file wait for each other: the system locks it
  const double write_seconds = count(host.cores) * file_call_seconds(bytes.write_calls, host);
  m.staged_out = (w.down_bytes + written) / host.memory_bytes_per_second +
                 file_copy_seconds(written + scratch, host) + write_seconds;
  m.disk_in = (read + scratch) / host.disk_read_bytes_per_second;
  m.disk_out = (written + scratch) / host.disk_write_bytes_per_second;
  m.ends = count(travelling_bytes(d) * d.batch_planes) *
           (1 / link.pinned_up + 1 / link.pinned_down + 4 / host.memory_bytes_per_second);
  m.batches =
      (w.up_bytes / count(d.load_bytes) + w.down_bytes / (kBytesOfFloat * count(d.store_voxels))) /
      count(d.batch_planes);
  return m;
}

}  // namespace

double start_seconds(const Machine& machine) {
  return machine.gpu->start_is_paid ? kStartSeconds : kGpuStartSeconds;
}

TurnStages turn_stages(const GpuWork& w, const RunCost& bytes, const DeviceLayout& d,
                       const Machine& machine, const GpusAtOnce& gpus) {
  const Moving m = moving(w, bytes, d, machine);
  const double each = 1 / count(gpus.count);
  return {start_seconds(machine) + w.kernel + m.ends + m.batches * each * kBatchSeconds,
          std::max({m.up * each, m.down * each, m.both / gpus.links}),
          (w.forward + w.columns + w.back) * each, m.staged_in + m.staged_out,
          m.disk_in + m.disk_out};
}

double gpu_run_seconds(const GpuWork& w, const RunCost& bytes, const DeviceLayout& d, bool in_turns,
                       const Machine& machine) {
  if (in_turns) return turn_stages(w, bytes, d, machine).seconds();
  const Moving m = moving(w, bytes, d, machine);
  return start_seconds(machine) + w.kernel + m.ends + m.batches * kBatchSeconds +
         at_the_same_time({m.up, w.forward, m.staged_in, m.disk_in}) + w.columns +
         at_the_same_time({m.down, w.back, m.staged_out, m.disk_out});
}

double gpu_parts_seconds(const PartsTraffic& t, const RunCost& bytes, const PartsLayout& parts,
                         const Machine& machine) {
  const double batches = t.up / static_cast<double>(parts.batch_up * parts.up_bytes) +
                         t.down / static_cast<double>(parts.batch_down * parts.down_bytes);
  // The first batch travels alone, and so does the last
  const cuda::DeviceRates& link = machine.gpu->rates;
  const double ends = static_cast<double>(parts.batch_up * parts.up_bytes) / link.pinned_up +
                      static_cast<double>(parts.batch_down * parts.down_bytes) / link.pinned_down;
  return start_seconds(machine) + ends + batches * kBatchSeconds +
         (parts.device_folds ? device_folds_seconds(t, bytes, machine)
                             : host_folds_seconds(t, bytes, machine));
}

}  // namespace synthoscope::fftconv::device
