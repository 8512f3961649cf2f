// SPDX-License-Identifier: MIT
#include "fit/objects/label_moments.hpp"
#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace synthoscope::fit {
namespace {

/// Collects sums of labels in the order in which they are met.
class SumsByLabel {
 public:
  LabelSums& of(std::uint32_t label, const Index3& voxel) {
    if (last_ < sums_.size() && sums_[last_].label == label) return sums_[last_];
    const auto [place, is_new] = places_.try_emplace(label, sums_.size());
    if (is_new) sums_.push_back({label, 0, voxel, voxel, voxel});
    last_ = place->second;
    return sums_[last_];
  }
  [[nodiscard]] std::vector<LabelSums>& sums() { return sums_; }

 private:
  std::unordered_map<std::uint32_t, std::size_t> places_;
  std::vector<LabelSums> sums_;
  std::size_t last_ = 0;
};

void add_voxel(LabelSums& sums, const Index3& voxel) {
  const std::array<double, 3> at{static_cast<double>(voxel.z - sums.origin.z),
                                 static_cast<double>(voxel.y - sums.origin.y),
                                 static_cast<double>(voxel.x - sums.origin.x)};
  ++sums.voxels;
  for (std::size_t a = 0; a < 3; ++a) {
    sums.sum[a] += at[a];
    for (std::size_t b = a; b < 3; ++b) sums.product[a][b] += at[a] * at[b];
  }
  sums.first = {std::min(sums.first.z, voxel.z), std::min(sums.first.y, voxel.y),
                std::min(sums.first.x, voxel.x)};
  sums.last = {std::max(sums.last.z, voxel.z), std::max(sums.last.y, voxel.y),
               std::max(sums.last.x, voxel.x)};
}

std::vector<LabelSums> sums_of_plane(const LabelledImage& image, std::int64_t z) {
  SumsByLabel sums;
  const Extent3& extent = image.grid.extent;
  for (std::int64_t y = 0; y < extent.y; ++y) {
    const std::uint32_t* const labels = image.labels.view().row(z, y);
    const float* const counts = image.has_counts() ? image.counts.view().row(z, y) : nullptr;
    for (std::int64_t x = 0; x < extent.x; ++x) {
      if (labels[x] == 0) continue;
      LabelSums& of_label = sums.of(labels[x], {z, y, x});
      add_voxel(of_label, {z, y, x});
      if (counts != nullptr) of_label.counts += static_cast<double>(counts[x]);
    }
  }
  return std::move(sums.sums());
}

/// Adds sums of the same label that were counted from another origin.
void merge(LabelSums& into, const LabelSums& other) {
  const auto n = static_cast<double>(other.voxels);
  const std::array<double, 3> way{static_cast<double>(other.origin.z - into.origin.z),
                                  static_cast<double>(other.origin.y - into.origin.y),
                                  static_cast<double>(other.origin.x - into.origin.x)};
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = a; b < 3; ++b)
      into.product[a][b] +=
          other.product[a][b] + way[a] * other.sum[b] + way[b] * other.sum[a] + n * way[a] * way[b];
  for (std::size_t a = 0; a < 3; ++a) into.sum[a] += other.sum[a] + n * way[a];
  into.voxels += other.voxels;
  into.counts += other.counts;
  into.first = {std::min(into.first.z, other.first.z), std::min(into.first.y, other.first.y),
                std::min(into.first.x, other.first.x)};
  into.last = {std::max(into.last.z, other.last.z), std::max(into.last.y, other.last.y),
               std::max(into.last.x, other.last.x)};
}

}  // namespace

std::vector<LabelSums> label_sums(const LabelledImage& image, const RunContext& context) {
  std::vector<std::vector<LabelSums>> planes(static_cast<std::size_t>(image.grid.extent.z));
  context.pool.for_each(image.grid.extent.z, [&](std::int64_t z) {
    planes[static_cast<std::size_t>(z)] = sums_of_plane(image, z);
  });
  // In the order of planes, so that sums do not depend on threads
  std::unordered_map<std::uint32_t, std::size_t> places;
  std::vector<LabelSums> all;
  for (const auto& plane : planes)
    for (const LabelSums& sums : plane) {
      const auto [place, is_new] = places.try_emplace(sums.label, all.size());
      if (is_new)
        all.push_back(sums);
      else
        merge(all[place->second], sums);
    }
  std::sort(all.begin(), all.end(),
            [](const LabelSums& a, const LabelSums& b) { return a.label < b.label; });
  return all;
}

}  // namespace synthoscope::fit
