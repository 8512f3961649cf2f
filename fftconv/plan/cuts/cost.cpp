// SPDX-License-Identifier: MIT
#include "fftconv/plan/cuts/cost.hpp"
#include <algorithm>
#include "core/base/round_up.hpp"
#include "fftconv/fft/line_plan.hpp"
#include "fftconv/plan.hpp"
#include "fftconv/plan/cuts/sums.hpp"

namespace synthoscope::fftconv {
namespace {

// Measured with bench/convolution/line_bench on one core (AVX-512, single precision), least squares
// over 56 lengths from 12 to 350: nanoseconds per complex value and stage.
double stage_cost(int radix) {
  switch (radix) {
    case 2:
      return 0.068;
    case 3:
      return 0.072;
    case 4:
      return 0.080;
    case 5:
      return 0.105;
    case 7:
      return 0.134;
    default:
      return 0.119;
  }
}

/// Loading or storing one complex value of a plane that has left the caches.
constexpr double kMemoryCost = 0.25;
constexpr std::size_t kCandidates = 6;

// Fitted to the runs of docs/benchmarks/planner.md; the factor of the lines themselves is measured
// separately. Nanoseconds of one reference core, as in line_cost.

/// Collecting a column's value from its plane, or bringing it back.
constexpr double kGatherCost = 0.2;
/// A product of complex values that is added to a sum, as thin kernels take.
constexpr double kProductCost = 0.24;
/// Spectra of more than this do not stay in the processor's cache from stage to stage,
constexpr std::int64_t kCacheBytes = std::int64_t{8} << 20;
/// and each of their bytes passes between memory and core this often on its way through the stages.
constexpr double kSpectrumTraffic = 2;
/// One call that reads or writes a piece of a file, of one core.
constexpr double kCallSeconds = 1.7e-6;
/// Sharing the work of a turn out, however many threads there are.
constexpr double kTurnSeconds = 6e-5;
/// One byte between the system's cache of a file and the program, of one core.
constexpr double kCopySeconds = 0.54e-9;

std::int64_t spectrum_bytes(const Layout& l) {
  return (l.plane_reals * (l.ring_planes + l.result_planes + l.kernel_planes) + l.transfer_reals) *
         l.real_bytes;
}

double line_factor(std::int64_t length, const MachineRates& rates, FftLibrary library) {
  const auto* const larger = std::find_if(kLineClasses.begin(), kLineClasses.end(),
                                          [&](std::int64_t most) { return length <= most; });
  return rates.factors_of(library).at(static_cast<std::size_t>(larger - kLineClasses.begin()));
}

/// Values of double precision take twice as long.
double width_of(Precision precision) {
  return precision == Precision::float32 ? 1 : 2;
}

/// Rows of a plane read by `tiles` tiles together; again those that a boundary repeats.
double rows_read(const AxisGeometry& y, std::int64_t tiles) {
  const auto cuts = static_cast<double>(tiles - 1);
  const double rows =
      static_cast<double>(y.loaded) + cuts * static_cast<double>(y.kernel_count - 1);
  const bool repeats = y.boundary != Boundary::zero;
  return repeats ? rows : std::min(rows, (cuts + 1) * static_cast<double>(y.image));
}

/// Columns of a row read by `tiles` tiles together; each reads a stretch of the image once.
double columns_read(const AxisGeometry& x, std::int64_t tiles) {
  const auto cuts = static_cast<double>(tiles - 1), image = static_cast<double>(x.image);
  const auto needed = static_cast<double>(std::min(x.loaded, x.image));
  return std::min(needed + cuts * static_cast<double>(x.kernel_count - 1), (cuts + 1) * image);
}

/// As a whole number, held below 2^62 where absurd cuts would read more.
std::int64_t in_bytes(double bytes) {
  return static_cast<std::int64_t>(std::min(bytes, 0x1p62));
}

/// Vector lanes of the reference machine: each transforms its own row.
constexpr std::int64_t kLanes = 16;

/// `rows` in lanes, those that stay empty included.
double lanes_for(std::int64_t rows) {
  return static_cast<double>(round_up(rows, kLanes));
}

/// One more pass over memory, so that a longer transform is never free.
double total_cost(std::int64_t length) {
  return static_cast<double>(length) * (line_cost(length) + kMemoryCost);
}

// Measured on one reference core (AVX-512, single precision, voxels in the caches): nanoseconds for
// a voxel to join one part, and for one part to join a voxel.
constexpr double kFoldCost = 0.6, kUnfoldCost = 0.4;

}  // namespace

double line_cost(std::int64_t length) {
  double cost = 0;
  visit_radices(length, [&](int radix) { cost += stage_cost(radix); });
  return cost;
}

std::vector<std::int64_t> candidate_lengths(std::int64_t least) {
  if (least <= 1) return {1};
  // Between any n and 2 n lies a power of two, so there is one
  std::vector<std::pair<double, std::int64_t>> by_cost;
  for (std::int64_t n7 = 1; n7 < 2 * least; n7 *= 7)
    for (std::int64_t n5 = n7; n5 < 2 * least; n5 *= 5)
      for (std::int64_t n3 = n5; n3 < 2 * least; n3 *= 3)
        for (std::int64_t n = n3; n < 2 * least; n *= 2)
          if (n >= least) by_cost.emplace_back(total_cost(n), n);
  const auto few = std::min(kCandidates, by_cost.size());
  std::partial_sort(by_cost.begin(), by_cost.begin() + static_cast<std::ptrdiff_t>(few),
                    by_cost.end());
  std::vector<std::int64_t> lengths;
  for (std::size_t i = 0; i < few; ++i) lengths.push_back(by_cost[i].second);
  return lengths;
}

double line_seconds(double values, std::int64_t length, Precision precision,
                    const MachineRates& rates, FftLibrary library, double besides) {
  const double lines = values * line_cost(length) * 1e-9 * line_factor(length, rates, library);
  return lines * width_of(precision) + value_seconds(values, besides, precision, rates, length);
}

double value_seconds(double values, double nanoseconds, Precision precision,
                     const MachineRates& rates, std::int64_t length) {
  return values * nanoseconds * 1e-9 * line_factor(length, rates, FftLibrary::own) *
         width_of(precision);
}

RunCost pass_cost(const Layout& l, const Problem& work, const Cut& cut, const MachineRates& rates) {
  const auto count = [](std::int64_t n) { return static_cast<double>(n); };
  const auto pieces = [](std::int64_t whole, std::int64_t piece) {
    return (whole + piece - 1) / piece;
  };
  const Extent3 wanted = wanted_extent(work);
  const std::int64_t tiles_y = pieces(wanted.y, cut.result.y);
  const std::int64_t tiles_x = pieces(wanted.x, cut.result.x);
  const double tiles = count(tiles_y) * count(tiles_x), terms = count(work.terms);
  const double turns = count(pieces(wanted.z, cut.result.z));
  const double padded_half = count(l.row_reals) / 2;
  const auto lines = [&](double values, std::int64_t length, double besides = 0) {
    return line_seconds(values, length, work.precision, rates, cut.fft, besides);
  };

  // Rows in and out of the spectrum: the image's per tile, the kernel's once per term
  const double image_rows = tiles * terms * count(l.z.loaded) * count(l.y.loaded);
  const double result_rows = tiles * count(l.z.wanted) * count(l.y.wanted);
  const std::int64_t planes_at_once = std::min(cut.result.z, l.z.wanted);
  const auto in_lanes = [&](double rows, std::int64_t rows_of_plane) {
    const std::int64_t at_once = planes_at_once * rows_of_plane;
    return rows * lanes_for(at_once) / count(at_once);
  };
  const double row_values = (terms * lanes_for(l.z.kernel_count * l.y.kernel_count) +
                             in_lanes(image_rows, l.y.loaded) + in_lanes(result_rows, l.y.wanted)) *
                            count(l.half);

  const double planes =
      tiles * (terms * count(l.z.loaded) + count(l.z.wanted)) + terms * count(l.z.kernel_count);
  const double plane_values = planes * padded_half * count(l.transform.y);

  // Columns: image and result in every turn, the kernel too unless it is kept
  const double transforms =
      tiles * turns * (terms + 1) + (cut.keep_transfer ? 1 : tiles * turns * terms);
  const double column_values =
      transforms * padded_half * count(l.transform.y) * count(l.transform.z);

  // A thin kernel's planes are multiplied with planes of the image, one result at a time
  const double products = tiles * count(l.z.wanted) * count(l.z.kernel_count);
  const double column_seconds = cut.direct_z
                                    ? value_seconds(products * padded_half * count(l.transform.y),
                                                    kProductCost, work.precision, rates)
                                    : lines(column_values, l.transform.z, kGatherCost);

  RunCost cost;
  cost.compute_seconds =
      lines(row_values, l.half) + lines(plane_values, l.transform.y) + column_seconds;
  if (spectrum_bytes(l) > kCacheBytes)
    cost.compute_seconds +=
        kSpectrumTraffic * plane_values * 2 * count(l.real_bytes) / rates.memory_bytes_per_second;

  // A tile that is narrower than its file is read and written row by row
  const double pieces_in = tiles_x > 1 ? image_rows : tiles * count(l.z.loaded);
  const double pieces_out = tiles_x > 1 ? result_rows : tiles * count(l.z.wanted);
  cost.read_calls = work.image_voxel_bytes > 0 ? pieces_in : 0;
  cost.write_calls = work.result_voxel_bytes > 0 ? pieces_out : 0;
  cost.compute_seconds +=
      file_call_seconds(cost.read_calls + cost.write_calls, rates) + tiles * turns * kTurnSeconds;

  const Layout whole = make_layout(work, {1, 1, 2});
  const AxisGeometry& y = tiles_y == 1 ? l.y : whole.y;
  cost.read_bytes = in_bytes(terms * count(l.z.loaded) * rows_read(y, tiles_y) *
                             columns_read(whole.x, tiles_x) * count(work.image_voxel_bytes));
  cost.written_bytes = volume(wanted) * work.result_voxel_bytes;
  return cost;
}

RunCost disk_traffic(const Layout& l, const Problem& work, const Cut& cut,
                     const MachineRates& rates) {
  RunCost cost = cut.parts > 0 ? parts_cost(l, work, cut, rates) : pass_cost(l, work, cut, rates);
  if (work.order == BoxOrder::planes_in_order && cuts_planes(work, cut)) {
    cost.scratch_bytes += cost.written_bytes;
    cost.scratch_moved_bytes += 2 * static_cast<double>(cost.written_bytes);
  }
  return cost;
}

double image_reads(const Plan& plan) {
  if (is_by_sums(plan.strategy)) return 1;
  Problem work = plan.work;
  work.image_voxel_bytes = 1;
  const Layout layout = make_layout(work, plan.transform, plan.cut);
  const RunCost cost = disk_traffic(layout, work, plan.cut, plan.machine.rates);
  return static_cast<double>(cost.read_bytes) / static_cast<double>(volume(work.image));
}

double file_call_seconds(double calls, const MachineRates& rates) {
  return calls * kCallSeconds / static_cast<double>(rates.cores);
}

double file_copy_seconds(double bytes, const MachineRates& rates) {
  return bytes * kCopySeconds / static_cast<double>(rates.cores);
}

RunCost run_cost(const Layout& l, const Problem& work, const Cut& cut, const MachineRates& rates) {
  RunCost cost = disk_traffic(l, work, cut, rates);
  const double copied = static_cast<double>(cost.read_bytes) +
                        static_cast<double>(cost.written_bytes) + cost.scratch_moved_bytes;
  cost.compute_seconds += kStartSeconds + file_copy_seconds(copied, rates);
  return cost;
}

double run_seconds(const RunCost& cost, const MachineRates& rates) {
  const double half_scratch = cost.scratch_moved_bytes / 2;
  const double disk =
      (static_cast<double>(cost.read_bytes) + half_scratch) / rates.disk_read_bytes_per_second +
      (static_cast<double>(cost.written_bytes) + half_scratch) / rates.disk_write_bytes_per_second;
  const auto [less, more] = std::minmax(cost.compute_seconds, disk);
  return more + less / static_cast<double>(cost.blocks);
}

void set_cost(Candidate& candidate, const RunCost& cost, const MachineRates& rates) {
  candidate.seconds = run_seconds(cost, rates);
  candidate.read_bytes = cost.read_bytes;
  candidate.written_bytes = cost.written_bytes;
  candidate.scratch_bytes = cost.scratch_bytes;
}

double folding_seconds(double folded, double unfolded, Precision precision,
                       const MachineRates& rates) {
  return value_seconds(folded, kFoldCost, precision, rates) +
         value_seconds(unfolded, kUnfoldCost, precision, rates);
}

RunCost parts_cost(const Layout& l, const Problem& work, const Cut& cut,
                   const MachineRates& rates) {
  const auto count = [](std::int64_t n) { return static_cast<double>(n); };
  const auto lines = [&](double values, std::int64_t length) {
    return line_seconds(values, length, work.precision, rates, cut.fft);
  };
  const auto moved = [&](double values) {
    return values * 2 * count(l.real_bytes) / rates.memory_bytes_per_second;
  };
  const double parts = count(l.parts), image_planes = count(l.ring_planes);
  const double kernel_planes = count(l.kernel_planes), padded_half = count(l.row_reals) / 2;

  // Real and imaginary planes of image, kernel and result pass through XY as real ones do
  const double rows = image_planes * count(l.y.loaded) + kernel_planes * count(l.y.kernel_count) +
                      image_planes * count(l.y.wanted);
  const double row_values = parts * rows * count(l.half);
  const double plane_values =
      parts * (2 * image_planes + kernel_planes) * padded_half * count(l.transform.y);
  // Two columns for every pair of planes, each forward for image and kernel, and back
  const double column_values = parts * 3 * image_planes * padded_half * count(l.transform.y);

  const double image = count(l.z.loaded) * count(l.y.loaded) * count(work.image.x);
  const double kernel = count(l.z.kernel_count) * count(l.y.kernel_count) * count(l.x.kernel_count);
  const Extent3 wanted = wanted_extent(work);
  const double folds = folding_seconds(
      parts * (image + kernel), parts * static_cast<double>(volume(wanted)), work.precision, rates);

  RunCost cost;
  cost.compute_seconds = lines(row_values, l.half) + moved(row_values) +
                         lines(plane_values, l.transform.y) + moved(plane_values) +
                         lines(column_values, l.transform.z) + moved(column_values) + folds;
  // Whoever keeps all of the image reads it once
  const double times = cut.fold_on_device ? 1 : parts;
  cost.read_bytes =
      static_cast<std::int64_t>(std::min(times * image * count(work.image_voxel_bytes), 0x1p62));
  cost.written_bytes = volume(wanted) * work.result_voxel_bytes;
  if (cut.parts_on_disk) cost.scratch_bytes = kept_parts_voxels(l) * l.real_bytes;
  cost.scratch_moved_bytes = 2 * count(cost.scratch_bytes);
  return cost;
}

}  // namespace synthoscope::fftconv
