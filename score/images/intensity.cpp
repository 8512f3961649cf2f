// SPDX-License-Identifier: MIT
#include "score/images/intensity.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include "core/base/as_index.hpp"

namespace synthoscope::score {
namespace {

constexpr double kNoIntensity = std::numeric_limits<double>::quiet_NaN();

/// What a thread reads a band of both images into.
struct BandOfPair {
  BandOfPair(const ScoredImage& in_truth, const ScoredImage& in_result, std::int64_t voxels,
             MemoryBudget& memory)
      : reader{in_truth, in_result, voxels, memory},
        truth{memory, voxels, "rows of the truth"},
        result{memory, voxels, "rows of the result"} {}

  void read(const Box3& box) {
    reader.truth.read(box, truth.data());
    reader.result.read(box, result.data());
  }

  PairReader reader;
  HostBuffer<double> truth, result;
};

/// Calls `body(band, truth, result, count)` for the voxels of every band, in parallel.
template <class Body>
void for_each_pair_band(const ScoredImage& truth, const ScoredImage& result, const char* stage,
                        const RunContext& context, Body&& body) {
  const RowBands bands{truth.voxels.extent()};
  std::vector<BandOfPair> of_threads;
  of_threads.reserve(as_index(context.pool.threads()));
  for (int i = 0; i < context.pool.threads(); ++i)
    of_threads.emplace_back(truth, result, bands.voxels(), context.memory);
  context.progress.begin(stage, bands.count());
  context.pool.for_each(bands.count(), [&](std::int64_t i) {
    context.stop.check();
    BandOfPair& pair = of_threads[as_index(TaskPool::slot())];
    const Box3 box = bands.at(i);
    pair.read(box);
    body(i, pair.truth.data(), pair.result.data(), volume(box.size));
    context.progress.advance(1);
  });
}

/// Means are subtracted before values are squared, so that a large offset costs no digits.
PairMoments moments_of_band(const double* truth, const double* result, std::int64_t count) {
  PairMoments m;
  m.voxels = count;
  m.truth_min = m.truth_max = truth[0];
  double sum_truth = 0, sum_result = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double t = truth[i], r = result[i];
    m.truth_min = std::min(m.truth_min, t);
    m.truth_max = std::max(m.truth_max, t);
    sum_truth += t;
    sum_result += r;
    m.squared_truth += t * t;
    m.squared_error += (r - t) * (r - t);
  }
  m.truth_mean = sum_truth / static_cast<double>(count);
  m.result_mean = sum_result / static_cast<double>(count);
  for (std::int64_t i = 0; i < count; ++i) {
    const double t = truth[i] - m.truth_mean, r = result[i] - m.result_mean;
    m.truth_squares += t * t;
    m.result_squares += r * r;
    m.products += t * r;
  }
  return m;
}

}  // namespace

void PairMoments::add(const PairMoments& other) {
  if (voxels == 0) {
    *this = other;
    return;
  }
  const auto n = static_cast<double>(voxels), m = static_cast<double>(other.voxels);
  const double share = m / (n + m), weight = n * share;
  const double truth_step = other.truth_mean - truth_mean;
  const double result_step = other.result_mean - result_mean;
  truth_min = std::min(truth_min, other.truth_min);
  truth_max = std::max(truth_max, other.truth_max);
  truth_mean += share * truth_step;
  result_mean += share * result_step;
  truth_squares += other.truth_squares + weight * truth_step * truth_step;
  result_squares += other.result_squares + weight * result_step * result_step;
  products += other.products + weight * truth_step * result_step;
  squared_truth += other.squared_truth;
  squared_error += other.squared_error;
  voxels += other.voxels;
}

PlaneMoments moments_of(const ScoredImage& truth, const ScoredImage& result,
                        const RunContext& context) {
  require_same_grid(truth, result);
  const Extent3 extent = truth.voxels.extent();
  const RowBands bands{extent};
  const Reservation counted = context.memory.reserve(
      (bands.count() + extent.z) * std::int64_t{sizeof(PairMoments)}, "sums of image bands");
  std::vector<PairMoments> of_bands(as_index(bands.count()));
  for_each_pair_band(truth, result, "compare values", context,
                     [&](std::int64_t i, const double* t, const double* r, std::int64_t count) {
                       of_bands[as_index(i)] = moments_of_band(t, r, count);
                     });

  PlaneMoments moments;
  moments.planes.resize(as_index(extent.z));
  for (std::int64_t i = 0; i < bands.count(); ++i)
    moments.planes[as_index(i / bands.in_plane())].add(of_bands[as_index(i)]);
  for (const PairMoments& plane : moments.planes) moments.all.add(plane);
  return moments;
}

LinearFit best_fit(const PairMoments& m) {
  const double gain = m.result_squares > 0 ? m.products / m.result_squares : 0;
  return {gain, m.truth_mean - gain * m.result_mean};
}

std::vector<double> squared_residuals(const ScoredImage& truth, const ScoredImage& result,
                                      const LinearFit& fit, const RunContext& context) {
  const RowBands bands{truth.voxels.extent()};
  const Reservation counted =
      context.memory.reserve(bands.count() * std::int64_t{sizeof(double)}, "sums of image bands");
  std::vector<double> of_bands(as_index(bands.count()));
  for_each_pair_band(truth, result, "compare values after the best gain and offset", context,
                     [&](std::int64_t i, const double* t, const double* r, std::int64_t count) {
                       double sum = 0;
                       for (std::int64_t k = 0; k < count; ++k) {
                         const double error = fit.gain * r[k] + fit.offset - t[k];
                         sum += error * error;
                       }
                       of_bands[as_index(i)] = sum;
                     });

  std::vector<double> planes(as_index(truth.voxels.extent().z));
  for (std::int64_t i = 0; i < bands.count(); ++i)
    planes[as_index(i / bands.in_plane())] += of_bands[as_index(i)];
  return planes;
}

double nrmse(double squared_error, const PairMoments& moments) {
  if (moments.squared_truth == 0) return kNoIntensity;
  return std::sqrt(squared_error / moments.squared_truth);
}

double psnr_db(double squared_error, const PairMoments& moments) {
  if (moments.range() == 0) return kNoIntensity;
  const double mean_error = squared_error / static_cast<double>(moments.voxels);
  return 10 * std::log10(moments.range() * moments.range() / mean_error);
}

double pearson(const PairMoments& moments) {
  const double product = std::sqrt(moments.truth_squares) * std::sqrt(moments.result_squares);
  if (product == 0) return kNoIntensity;
  return std::clamp(moments.products / product, -1.0, 1.0);
}

}  // namespace synthoscope::score
