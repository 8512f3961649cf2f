// SPDX-License-Identifier: MIT
#include "fftconv/certify/certify.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <queue>
#include <vector>
#include "core/base/round_up.hpp"
#include "core/math/random.hpp"
#include "core/stream/memory_stream.hpp"
#include "fftconv/axis.hpp"
#include "fftconv/certify/tolerance.hpp"
#include "fftconv/plan/cuts/layout.hpp"
#include "fftconv/row_reading.hpp"

namespace synthoscope::fftconv {
namespace {

/// The threshold of bright voxels comes from an evenly spaced sample of at most this many.
constexpr std::int64_t kBrightSample = std::int64_t{1} << 17;

/// Hands every `step`-th voxel to `visit(linear index, value)`, in order.
template <class Visit>
void for_each_voxel(Source& source, std::int64_t step, const StopFlag& stop, Visit&& visit) {
  const Extent3 e = source.extent();
  for_each_row(source, stop, [&](std::int64_t z, std::int64_t y, const auto* row) {
    const std::int64_t begin = (z * e.y + y) * e.x;
    for (std::int64_t i = round_up(begin, step); i < begin + e.x; i += step)
      visit(i, static_cast<double>(row[i - begin]));
  });
}

/// The value that 1 % of the voxels reach.
double bright_threshold(Source& result, const StopFlag& stop) {
  const std::int64_t voxels = volume(result.extent()), step = voxels / kBrightSample + 1;
  std::vector<double> sample;
  sample.reserve(static_cast<std::size_t>(voxels / step + 1));
  for_each_voxel(result, step, stop, [&](std::int64_t, double v) {
    if (!std::isnan(v)) sample.push_back(v);
  });
  if (sample.empty()) return -INFINITY;
  const auto at = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() * 99 / 100);
  std::nth_element(sample.begin(), at, sample.end());
  return *at;
}

struct Chosen {
  std::int64_t index;
  double stored;
};

/// Half anywhere, half among the brightest: of these, the ones with the smallest random words.
std::vector<Chosen> choose(Source& result, std::int64_t count, std::uint64_t seed,
                           const StopFlag& stop) {
  const RandomStream random{seed, RandomStage::certificate};
  const double bright = bright_threshold(result, stop);
  std::vector<std::int64_t> anywhere;
  const auto voxels = static_cast<double>(volume(result.extent()));
  for (std::int64_t i = 0; i < count - count / 2; ++i) {
    const auto words = random.block(static_cast<std::uint64_t>(i), 0);
    anywhere.push_back(static_cast<std::int64_t>(uniform52(words[0], words[1]) * voxels));
  }
  std::sort(anywhere.begin(), anywhere.end());

  std::vector<Chosen> chosen;
  std::priority_queue<std::pair<std::uint32_t, std::int64_t>> brightest;
  auto next = anywhere.begin();
  for_each_voxel(result, 1, stop, [&](std::int64_t index, double value) {
    for (; next != anywhere.end() && *next == index; ++next) chosen.push_back({index, value});
    if (value < bright || count / 2 == 0) return;
    brightest.emplace(random.block(static_cast<std::uint64_t>(index), 1)[0], index);
    if (static_cast<std::int64_t>(brightest.size()) > count / 2) brightest.pop();
  });
  for (; !brightest.empty(); brightest.pop()) {
    const Extent3 e = result.extent();
    const std::int64_t index = brightest.top().second;
    const Box3 box{{index / (e.y * e.x), index / e.x % e.y, index % e.x}, {1, 1, 1}};
    visit_pixel_type(result.pixel_type(), [&](auto value) {
      result.read(box, VoxelView{HostView3<decltype(value)>{&value, {1, 1, 1}}});
      chosen.push_back({index, static_cast<double>(value)});
    });
  }
  return chosen;
}

/// Source index that kernel index `k` of one axis meets at result voxel `r`; kOutside where zero.
std::int64_t partner(const AxisGeometry& axis, std::int64_t center, std::int64_t r,
                     std::int64_t k) {
  const std::int64_t offset = axis.flip ? k - center : center - k;
  return mapped_index(axis.boundary, axis.result_begin + r + offset, axis.image);
}

/// The same for every kernel index.
std::vector<std::int64_t> partners(const AxisGeometry& axis, std::int64_t center, std::int64_t r) {
  std::vector<std::int64_t> image_index;
  for (std::int64_t k = 0; k < axis.kernel; ++k) image_index.push_back(partner(axis, center, r, k));
  return image_index;
}

/// Kernel indices [first, first + count) whose partners lie side by side in [begin, end).
struct PartnerRun {
  std::int64_t first = 0, count = 0, begin = 0, end = 0;
};

/// All partners inside the image, in order: one run, several where the image wraps around.
std::vector<PartnerRun> runs_of(const std::vector<std::int64_t>& partner) {
  std::vector<PartnerRun> runs;
  std::int64_t before = kOutside;
  for (std::size_t k = 0; k < partner.size(); before = partner[k++]) {
    const std::int64_t i = partner[k];
    if (i == kOutside) continue;
    if (before == kOutside || std::abs(i - before) > 1)
      runs.push_back({static_cast<std::int64_t>(k), 0, i, i + 1});
    PartnerRun& last = runs.back();
    ++last.count;
    last.begin = std::min(last.begin, i);
    last.end = std::max(last.end, i + 1);
  }
  return runs;
}

struct DirectSum {
  double value = 0, absolute = 0;
};

/// The definition, in double, one kernel plane after the other.
class Recomputation {
 public:
  Recomputation(const Problem& problem, const Term& term)
      : problem_{problem}, term_{term}, kernel_{{1, problem.kernel.y, problem.kernel.x}} {
    z_ = axis_geometry(problem, kAlongZ);
    y_ = axis_geometry(problem, kAlongY);
    x_ = axis_geometry(problem, kAlongX);
  }

  /// Turns to kernel plane `k`.
  void take_plane(std::int64_t k, const StopFlag& stop) {
    k_ = k;
    auto* to = kernel_.voxels.data();
    for_each_row(*term_.kernel.voxels, plane(problem_.kernel, k), stop,
                 [&](std::int64_t, std::int64_t, const auto* row) {
                   for (std::int64_t x = 0; x < problem_.kernel.x; ++x)
                     *to++ = term_.kernel.scale *
                             (static_cast<double>(row[x]) - term_.kernel.background);
                 });
  }

  /// Adds what the plane brings to result voxel `r`.
  void add_to(const Index3& r, DirectSum& sum) const {
    const std::int64_t z = partner(z_, problem_.center.z, r.z, k_);
    if (z == kOutside) return;
    const auto y = partners(y_, problem_.center.y, r.y), x = partners(x_, problem_.center.x, r.x);
    const auto columns = runs_of(x);
    for (const PartnerRun& rows : runs_of(y))
      for (const PartnerRun& its_columns : columns) add_box(z, rows, y, its_columns, x, sum);
  }

 private:
  /// No more voxels are read than the kernel's plane has.
  void add_box(std::int64_t z, const PartnerRun& rows, const std::vector<std::int64_t>& y,
               const PartnerRun& columns, const std::vector<std::int64_t>& x,
               DirectSum& sum) const {
    const double weight = term_.weight_z.empty() ? 1 : term_.weight_z[static_cast<std::size_t>(z)];
    const Extent3 size{1, rows.end - rows.begin, columns.end - columns.begin};
    visit_pixel_type(term_.image->pixel_type(), [&](auto zero) {
      Volume<decltype(zero)> voxels{size};
      term_.image->read({{z, rows.begin, columns.begin}, size}, VoxelView{voxels.view()});
      for (std::int64_t b = rows.first; b < rows.first + rows.count; ++b)
        add_row(voxels.view().row(0, y[static_cast<std::size_t>(b)] - rows.begin), columns, x,
                kernel_.view().row(0, b), weight, sum);
    });
  }

  template <class Native>
  static void add_row(const Native* row, const PartnerRun& columns,
                      const std::vector<std::int64_t>& x, const double* g, double weight,
                      DirectSum& sum) {
    double value = 0, absolute = 0;
    for (std::int64_t a = columns.first; a < columns.first + columns.count; ++a) {
      const std::int64_t at = x[static_cast<std::size_t>(a)] - columns.begin;
      const double product = weight * static_cast<double>(row[at]) * g[a];
      value += product;
      absolute += std::abs(product);
    }
    sum.value += value;
    sum.absolute += absolute;
  }

  const Problem& problem_;
  const Term& term_;
  Volume<double> kernel_;
  std::int64_t k_ = 0;
  AxisGeometry z_, y_, x_;
};

}  // namespace

std::int64_t certify_bytes(const Problem& problem, std::int64_t count, int threads) {
  // The kernel's plane, what each thread reads of the image, the sample; and of every voxel what is
  // chosen, sorted and summed
  const std::int64_t per_plane = problem.kernel.y * problem.kernel.x;
  const auto of_voxel = static_cast<std::int64_t>(
      sizeof(Chosen) + sizeof(DirectSum) + 2 * sizeof(std::pair<std::uint32_t, std::int64_t>));
  return (per_plane + kBrightSample) * std::int64_t{sizeof(double)} +
         threads * per_plane * kMaxVoxelBytes + count * of_voxel;
}

Certificate certify(const Problem& problem, const Term& term, Source& result, std::int64_t count,
                    std::uint64_t seed, const RunContext& context) {
  const Extent3 e = result.extent();
  if (count < 1 || !(e == output_extent(problem)))
    throw InvalidSpec(fmt::format(
        "certify {} voxels of a result of {}: give at least 1, and the result of this request, "
        "which has {}",
        count, e, output_extent(problem)));
  const Reservation counted =
      context.memory.reserve(certify_bytes(problem, count, context.pool.threads()), "certifying");
  const auto chosen = choose(result, count, seed, context.stop);
  Recomputation recomputation{problem, term};
  std::vector<DirectSum> sums(chosen.size());
  context.progress.begin("certify", problem.kernel.z);
  for (std::int64_t k = 0; k < problem.kernel.z; ++k) {
    recomputation.take_plane(k, context.stop);
    context.pool.for_each(static_cast<std::int64_t>(chosen.size()), [&](std::int64_t i) {
      context.stop.check();
      const std::int64_t index = chosen[static_cast<std::size_t>(i)].index;
      recomputation.add_to({index / (e.y * e.x), index / e.x % e.y, index % e.x},
                           sums[static_cast<std::size_t>(i)]);
    });
    context.progress.advance(1);
  }

  Certificate certificate;
  certificate.by = "direct sums";
  certificate.voxels = static_cast<std::int64_t>(chosen.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const double expected = clipped_to(result.pixel_type(), sums[i].value);
    double error = std::abs(chosen[i].stored - expected);
    if (std::isnan(error)) error = INFINITY;  // a NaN never passes for a small difference
    certificate.peak = std::max(certificate.peak, sums[i].absolute);
    if (i > 0 && !(error > certificate.largest_error)) continue;
    const std::int64_t index = chosen[i].index;
    certificate.largest_error = error;
    certificate.worst = {index / (e.y * e.x), index / e.x % e.y, index % e.x};
    certificate.stored = chosen[i].stored;
    certificate.recomputed = sums[i].value;
  }
  certificate.tolerance = certified_tolerance(Certified::sample, problem.precision,
                                              result.pixel_type(), certificate.peak);
  return certificate;
}

}  // namespace synthoscope::fftconv
