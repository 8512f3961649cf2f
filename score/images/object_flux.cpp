// SPDX-License-Identifier: MIT
#include "score/images/object_flux.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include "core/base/as_index.hpp"
#include "core/base/error.hpp"

namespace synthoscope::score {
namespace {

/// Objects of one band, or of all.
using Fluxes = std::map<std::int64_t, ObjectFlux>;

void add_flux(Fluxes& fluxes, const ObjectFlux& more) {
  ObjectFlux& object = fluxes[more.id];
  object.id = more.id;
  object.voxels += more.voxels;
  object.truth += more.truth;
  object.result += more.result;
}

/// What one thread reads a band of all three images into.
struct BandOfObjects {
  BandOfObjects(const ScoredImage& in_truth, const ScoredImage& in_result,
                const ScoredImage& in_labels, std::int64_t voxels, MemoryBudget& memory)
      : reader{in_truth, in_result, voxels, memory},
        label_reader{in_labels, voxels, memory},
        truth{memory, voxels, "rows of the truth"},
        result{memory, voxels, "rows of the result"},
        labels{memory, voxels, "rows of labels"} {}

  PairReader reader;
  RowReader label_reader;
  HostBuffer<double> truth, result, labels;
};

void require_label(const LabelImage& labels, const Box3& box, std::int64_t at, double value) {
  constexpr double kLargest = 9007199254740992;  // 2^53: all whole numbers up to it are exact
  if (std::trunc(value) == value && std::abs(value) <= kLargest) return;
  throw InvalidInput(fmt::format(
      "score {}: its voxel {} (z, y, x) holds {:g}, and labels are whole numbers up to 2^53; give "
      "a label image",
      labels.name, Index3{box.origin.z, box.origin.y + at / box.size.x, at % box.size.x}, value));
}

/// Sums runs of equal labels.
Fluxes fluxes_of_band(const BandOfObjects& band, const LabelImage& labels, const Box3& box) {
  Fluxes fluxes;
  const double *const label = band.labels.data(), *const truth = band.truth.data(),
                      *const result = band.result.data();
  const std::int64_t count = volume(box.size);
  for (std::int64_t begin = 0, end = 0; begin < count; begin = end) {
    ObjectFlux run;
    require_label(labels, box, begin, label[begin]);
    for (; end < count && label[end] == label[begin]; ++end) {
      run.truth += truth[end];
      run.result += result[end];
    }
    run.id = static_cast<std::int64_t>(label[begin]);
    run.voxels = end - begin;
    if (run.id != 0) add_flux(fluxes, run);
  }
  return fluxes;
}

constexpr std::int64_t kFluxBytes = sizeof(Fluxes::value_type) + 4 * sizeof(void*);

}  // namespace

double ObjectFlux::ratio() const {
  return truth == 0 ? std::numeric_limits<double>::quiet_NaN() : result / truth;
}

std::vector<ObjectFlux> object_fluxes(const ScoredImage& truth, const ScoredImage& result,
                                      const LabelImage& labels, const RunContext& context) {
  require_same_grid(truth, result);
  const ScoredImage label_image{labels.voxels, labels.name};
  require_same_grid(truth, label_image);
  const RowBands bands{truth.voxels.extent()};
  std::vector<BandOfObjects> of_threads;
  of_threads.reserve(as_index(context.pool.threads()));
  for (int i = 0; i < context.pool.threads(); ++i)
    of_threads.emplace_back(truth, result, label_image, bands.voxels(), context.memory);

  // Some bands at once, added in their order
  const std::int64_t together = 8 * std::int64_t{context.pool.threads()};
  Fluxes fluxes;
  Reservation counted;
  context.progress.begin("light of objects", bands.count());
  for (std::int64_t first = 0; first < bands.count(); first += together) {
    std::vector<Fluxes> of_bands(as_index(std::min(together, bands.count() - first)));
    context.pool.for_each(std::ssize(of_bands), [&](std::int64_t i) {
      context.stop.check();
      BandOfObjects& band = of_threads[as_index(TaskPool::slot())];
      const Box3 box = bands.at(first + i);
      band.reader.truth.read(box, band.truth.data());
      band.reader.result.read(box, band.result.data());
      band.label_reader.read(box, band.labels.data());
      of_bands[as_index(i)] = fluxes_of_band(band, labels, box);
      context.progress.advance(1);
    });
    for (const Fluxes& band : of_bands)
      for (const auto& [id, object] : band) add_flux(fluxes, object);
    const std::int64_t bytes = 2 * kFluxBytes * std::ssize(fluxes);
    if (bytes > counted.bytes()) {
      counted = {};
      counted = context.memory.reserve(2 * bytes, "light of objects");
    }
  }

  std::vector<ObjectFlux> objects;
  objects.reserve(fluxes.size());
  for (const auto& [id, object] : fluxes) objects.push_back(object);
  return objects;
}

FluxQuantiles quantiles_of(const std::vector<ObjectFlux>& objects) {
  std::vector<double> ratios;
  for (const ObjectFlux& object : objects)
    if (std::isfinite(object.ratio())) ratios.push_back(object.ratio());
  std::sort(ratios.begin(), ratios.end());
  const auto at = [&](double share) {
    if (ratios.empty()) return std::numeric_limits<double>::quiet_NaN();
    const double rank = share * static_cast<double>(ratios.size() - 1);
    const auto below = static_cast<std::size_t>(rank);
    const std::size_t above = std::min(below + 1, ratios.size() - 1);
    return ratios[below] + (rank - static_cast<double>(below)) * (ratios[above] - ratios[below]);
  };
  return {std::ssize(ratios), at(0.05), at(0.25), at(0.5), at(0.75), at(0.95)};
}

}  // namespace synthoscope::score
