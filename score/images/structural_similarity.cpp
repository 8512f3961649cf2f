// SPDX-License-Identifier: MIT
#include "score/images/structural_similarity.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include "core/base/as_index.hpp"
#include "core/base/round_up.hpp"
#include "core/vector/vector_level.hpp"

namespace synthoscope::score {
namespace {

constexpr std::int64_t kSsimReach = 5, kSsimWindow = 2 * kSsimReach + 1;
constexpr int kSsimFields = 5;  ///< t, r, t^2, r^2, t r

/// Weights of the middle and of its neighbours on one side.
using HalfWindow = std::array<double, kSsimReach + 1>;

HalfWindow gaussian_window() {
  constexpr double kSigma = 1.5;
  HalfWindow w{};
  double sum = 0;
  for (std::int64_t k = 0; k <= kSsimReach; ++k) {
    const auto distance = static_cast<double>(k) / kSigma;
    w[as_index(k)] = std::exp(-0.5 * distance * distance);
    sum += (k == 0 ? 1 : 2) * w[as_index(k)];
  }
  for (double& weight : w) weight /= sum;
  return w;
}

struct SsimConstants {
  HalfWindow window = gaussian_window();
  double c1 = 0, c2 = 0;
  LinearFit fit;
};

/// Adds in an order that does not depend on the vector unit.
SYNTHOSCOPE_INLINE inline double sum_of_row(const double* row, std::int64_t count) {
  constexpr std::int64_t kParts = 8;
  double parts[kParts] = {};
  std::int64_t i = 0;
  for (; i + kParts <= count; i += kParts)
    for (std::int64_t k = 0; k < kParts; ++k) parts[k] += row[i + k];
  for (; i < count; ++i) parts[i % kParts] += row[i];
  return ((parts[0] + parts[4]) + (parts[1] + parts[5])) +
         ((parts[2] + parts[6]) + (parts[3] + parts[7]));
}

/// Sums of SSIM over the windows of one row.
using SsimRowSums = Similarity;

/// Takes the rows of a plane, each as five fields, and gives sums of SSIM: windows along x are
/// summed as a row comes, and the last eleven rows are kept for windows along y.
class SsimRows {
 public:
  SsimRows(std::int64_t width, const SsimConstants& constants, MemoryBudget& memory)
      : width_{width},
        inner_{width - 2 * kSsimReach},
        constants_{constants},
        fields_{memory, kSsimFields * width, "windows of SSIM"},
        rows_{memory, kSsimWindow * kSsimFields * inner_, "windows of SSIM"},
        means_{memory, (kSsimFields + 2) * inner_, "windows of SSIM"} {}

  void restart() { taken_ = 0; }

  /// Where the fields of the next row go, each of the width.
  [[nodiscard]] double* fields() const { return fields_.data(); }

  /// Takes the row in fields(). Returns whether `sums` were set: those of the row in the middle of
  /// the last eleven.
  bool take(SsimRowSums& sums) {
    sum_along_x();
    ++taken_;
    if (taken_ < kSsimWindow) return false;
    sum_along_y();
    sums = compare();
    return true;
  }

 private:
  [[nodiscard]] double* row_of(std::int64_t number) const {
    return rows_.data() + number % kSsimWindow * kSsimFields * inner_;
  }

  void sum_along_x() {
    const HalfWindow w = constants_.window;
    const std::int64_t inner = inner_;
    for (int field = 0; field < kSsimFields; ++field) {
      const double* const middle = fields_.data() + field * width_ + kSsimReach;
      double* const out = row_of(taken_) + field * inner_;
      vectorised(vector_level(), [=]() SYNTHOSCOPE_INLINE {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < inner; ++i) {
          const double* const at = middle + i;
          double sum = w[0] * at[0];
          for (std::int64_t k = 1; k <= kSsimReach; ++k) sum += w[as_index(k)] * (at[-k] + at[k]);
          out[i] = sum;
        }
      });
    }
  }

  void sum_along_y() {
    const HalfWindow w = constants_.window;
    const std::int64_t count = kSsimFields * inner_;
    std::array<const double*, kSsimWindow> rows{};
    for (std::int64_t k = 0; k < kSsimWindow; ++k)
      rows[as_index(k)] = row_of(taken_ - kSsimWindow + k);
    double* const out = means_.data();
    vectorised(vector_level(), [=]() SYNTHOSCOPE_INLINE {
#pragma GCC ivdep
      for (std::int64_t i = 0; i < count; ++i) {
        double sum = w[0] * rows[kSsimReach][i];
        for (std::int64_t k = 1; k <= kSsimReach; ++k)
          sum += w[as_index(k)] *
                 (rows[as_index(kSsimReach - k)][i] + rows[as_index(kSsimReach + k)][i]);
        out[i] = sum;
      }
    });
  }

  SsimRowSums compare() {
    const SsimConstants c = constants_;
    const std::int64_t inner = inner_;
    const double* const m = means_.data();
    double* const raw = means_.data() + kSsimFields * inner;
    double* const fitted = raw + inner;
    SsimRowSums sums;
    vectorised(vector_level(), [=, &sums]() SYNTHOSCOPE_INLINE {
      const auto ssim = [&c](double mt, double mr, double vt, double vr, double vtr)
                            SYNTHOSCOPE_INLINE {
                              return (2 * mt * mr + c.c1) * (2 * vtr + c.c2) /
                                     ((mt * mt + mr * mr + c.c1) * (vt + vr + c.c2));
                            };
#pragma GCC ivdep
      for (std::int64_t i = 0; i < inner; ++i) {
        const double mt = m[i], mr = m[inner + i];
        const double vt = m[2 * inner + i] - mt * mt, vr = m[3 * inner + i] - mr * mr;
        const double vtr = m[4 * inner + i] - mt * mr;
        const double g = c.fit.gain;
        raw[i] = ssim(mt, mr, vt, vr, vtr);
        fitted[i] = ssim(mt, g * mr + c.fit.offset, vt, g * g * vr, g * vtr);
      }
      sums.raw = sum_of_row(raw, inner);
      sums.fitted = sum_of_row(fitted, inner);
    });
    return sums;
  }

  std::int64_t width_, inner_;
  const SsimConstants& constants_;
  HostBuffer<double> fields_, rows_, means_;
  std::int64_t taken_ = 0;
};

/// Rows of both images in the last planes: eleven for windows in volumes, otherwise one.
class SsimPlanes {
 public:
  SsimPlanes(const ScoredImage& truth, const ScoredImage& result, std::int64_t planes,
             std::int64_t rows, MemoryBudget& memory)
      : width_{truth.voxels.extent().x},
        band_{rows * width_},
        planes_{planes},
        reader_{truth, result, band_, memory},
        voxels_{memory, 2 * planes * band_, "planes of SSIM"} {}

  void read(const Box3& box) {
    double* const truth = plane_of(box.origin.z);
    reader_.truth.read(box, truth);
    reader_.result.read(box, truth + band_);
  }

  /// Fills the five fields of one row of plane z.
  void fields_of_plane(std::int64_t z, std::int64_t row, double* fields) const {
    const double* const t = plane_of(z) + row * width_;
    const double* const r = t + band_;
    const std::int64_t width = width_;
    vectorised(vector_level(), [=]() SYNTHOSCOPE_INLINE {
#pragma GCC ivdep
      for (std::int64_t i = 0; i < width; ++i) {
        fields[i] = t[i];
        fields[width + i] = r[i];
        fields[2 * width + i] = t[i] * t[i];
        fields[3 * width + i] = r[i] * r[i];
        fields[4 * width + i] = t[i] * r[i];
      }
    });
  }

  /// Fills the weighted sums of the fields over the eleven planes around z.
  void fields_around_plane(std::int64_t z, std::int64_t row, const HalfWindow& w,
                           double* fields) const {
    std::array<const double*, kSsimWindow> truths{};
    for (std::int64_t k = 0; k < kSsimWindow; ++k)
      truths[as_index(k)] = plane_of(z - kSsimReach + k) + row * width_;
    const std::int64_t width = width_, band = band_;
    vectorised(vector_level(), [=]() SYNTHOSCOPE_INLINE {
#pragma GCC ivdep
      for (std::int64_t i = 0; i < width; ++i) {
        double st = 0, sr = 0, stt = 0, srr = 0, str = 0;
        for (std::int64_t k = 0; k < kSsimWindow; ++k) {
          const double t = truths[as_index(k)][i], r = truths[as_index(k)][band + i];
          const double weight = w[as_index(k < kSsimReach ? kSsimReach - k : k - kSsimReach)];
          const double wt = weight * t, wr = weight * r;
          st += wt;
          sr += wr;
          stt += wt * t;
          srr += wr * r;
          str += wt * r;
        }
        fields[i] = st;
        fields[width + i] = sr;
        fields[2 * width + i] = stt;
        fields[3 * width + i] = srr;
        fields[4 * width + i] = str;
      }
    });
  }

 private:
  [[nodiscard]] double* plane_of(std::int64_t z) const {
    return voxels_.data() + z % planes_ * 2 * band_;
  }

  std::int64_t width_, band_, planes_;
  PairReader reader_;
  HostBuffer<double> voxels_;
};

/// What one thread works with.
struct SsimWorker {
  SsimPlanes planes;
  SsimRows windows;
};

/// Sums of SSIM for each row of each plane whose windows lie inside.
struct SsimSums {
  SsimSums(const Extent3& extent, bool has_volume, MemoryBudget& memory)
      : rows{extent.y - 2 * kSsimReach},
        planes{extent.z},
        counted{memory.reserve(
            (has_volume ? 2 : 1) * extent.z * rows * std::int64_t{sizeof(SsimRowSums)},
            "sums of SSIM")},
        in_planes(as_index(extent.z * rows)),
        in_volume(as_index(has_volume ? (extent.z - 2 * kSsimReach) * rows : 0)) {}

  std::int64_t rows, planes;
  Reservation counted;
  std::vector<SsimRowSums> in_planes, in_volume;
};

/// Returns how many rows of windows a band has: as many as half of the free memory holds, and at
/// least one band for each thread.
std::int64_t ssim_band_rows(const Extent3& extent, std::int64_t planes, const RunContext& context) {
  const std::int64_t rows = extent.y - 2 * kSsimReach, threads = context.pool.threads();
  const std::int64_t bytes_of_row = (2 * planes + 2) * extent.x * std::int64_t{sizeof(double)};
  const std::int64_t free = (context.memory.limit() - context.memory.used()) / 2 / threads;
  const std::int64_t affordable = free / bytes_of_row - kSsimWindow;
  return std::clamp<std::int64_t>(affordable, 1, parts_of(rows, threads));
}

/// Computes the windows around rows [first, first + rows) of the windows, in all planes.
void compare_ssim_band(SsimWorker& worker, const Extent3& extent, std::int64_t first,
                       std::int64_t rows, const HalfWindow& window, SsimSums& sums,
                       const RunContext& context) {
  const auto run = [&](SsimRowSums* out, auto&& fill) {
    worker.windows.restart();
    for (std::int64_t row = 0; row < rows + 2 * kSsimReach; ++row) {
      fill(row, worker.windows.fields());
      if (worker.windows.take(*out)) ++out;
    }
  };
  for (std::int64_t z = 0; z < extent.z; ++z) {
    context.stop.check();
    worker.planes.read({{z, first, 0}, {1, rows + 2 * kSsimReach, extent.x}});
    run(sums.in_planes.data() + z * sums.rows + first,
        [&](std::int64_t row, double* fields) { worker.planes.fields_of_plane(z, row, fields); });
    const std::int64_t middle = z - kSsimReach;
    if (!sums.in_volume.empty() && middle >= kSsimReach)
      run(sums.in_volume.data() + (middle - kSsimReach) * sums.rows + first,
          [&](std::int64_t row, double* fields) {
            worker.planes.fields_around_plane(middle, row, window, fields);
          });
    context.progress.advance(1);
  }
}

/// Returns the mean over `rows` rows of `windows` windows each.
Similarity mean_of_ssim_rows(const SsimRowSums* sums, std::int64_t rows, std::int64_t windows) {
  Similarity mean;
  for (std::int64_t i = 0; i < rows; ++i) {
    mean.raw += sums[i].raw;
    mean.fitted += sums[i].fitted;
  }
  const auto count = static_cast<double>(rows * windows);
  return {mean.raw / count, mean.fitted / count};
}

}  // namespace

StructuralSimilarity structural_similarity(const ScoredImage& truth, const ScoredImage& result,
                                           double range, const LinearFit& fit,
                                           const RunContext& context) {
  require_same_grid(truth, result);
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const Extent3 extent = truth.voxels.extent();
  StructuralSimilarity all{std::vector<Similarity>(as_index(extent.z), Similarity{kNone, kNone}),
                           {kNone, kNone},
                           {kNone, kNone}};
  if (range == 0 || extent.y < kSsimWindow || extent.x < kSsimWindow) return all;

  // Sum SSIM over every row of windows
  const bool has_volume = extent.z >= kSsimWindow;
  SsimSums sums{extent, has_volume, context.memory};
  const SsimConstants constants{gaussian_window(), 1e-4 * range * range, 9e-4 * range * range, fit};
  const std::int64_t planes = has_volume ? kSsimWindow : 1;
  const std::int64_t rows = ssim_band_rows(extent, planes, context);
  std::vector<SsimWorker> workers;
  workers.reserve(as_index(context.pool.threads()));
  for (int i = 0; i < context.pool.threads(); ++i)
    workers.push_back({{truth, result, planes, rows + 2 * kSsimReach, context.memory},
                       {extent.x, constants, context.memory}});
  context.progress.begin("structural similarity", parts_of(sums.rows, rows) * extent.z);
  context.pool.for_ranges(sums.rows, rows, [&](std::int64_t first, std::int64_t end) {
    compare_ssim_band(workers[as_index(TaskPool::slot())], extent, first, end - first,
                      constants.window, sums, context);
  });

  // Average them, in the order of rows
  const std::int64_t windows = extent.x - 2 * kSsimReach;
  for (std::int64_t z = 0; z < extent.z; ++z)
    all.planes[as_index(z)] =
        mean_of_ssim_rows(sums.in_planes.data() + z * sums.rows, sums.rows, windows);
  all.in_planes = mean_of_ssim_rows(sums.in_planes.data(), extent.z * sums.rows, windows);
  if (has_volume)
    all.in_volume =
        mean_of_ssim_rows(sums.in_volume.data(), (extent.z - 2 * kSsimReach) * sums.rows, windows);
  return all;
}

}  // namespace synthoscope::score
