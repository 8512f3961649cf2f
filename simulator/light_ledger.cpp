// SPDX-License-Identifier: MIT
#include "simulator/light_ledger.hpp"
#include <algorithm>
#include <cmath>

namespace synthoscope::simulator {
namespace {

constexpr double kResolution = 0x1p40, kMost = 1e25;
constexpr int kMostBitsOfPlane = 86;  ///< with those of kResolution they fit into 127

}  // namespace

LightLedger::LightLedger(const Extent3& extent, bool once)
    : extent_{extent},
      planes_(static_cast<std::size_t>(extent.z)),
      counted_(once ? static_cast<std::size_t>(extent.z * extent.y) : 0) {}

std::int64_t LightLedger::bytes(const Extent3& extent, bool once) {
  return extent.z *
         (std::int64_t{sizeof(Plane)} + (once ? extent.y * std::int64_t{sizeof(Counted)} : 0));
}

void LightLedger::clear() {
  std::fill(planes_.begin(), planes_.end(), Plane{});
  std::fill(counted_.begin(), counted_.end(), Counted{});
}

/// Adds columns [begin, end) of a row; `voxels` points at its column 0.
template <class Real>
void LightLedger::add_row(Plane& plane, std::int64_t begin, std::int64_t end, const Real* voxels) {
  if (begin >= end) return;
  double sum = 0;
  for (std::int64_t x = begin; x < end; ++x) sum += static_cast<double>(voxels[x]);
  if (!(std::abs(sum) < kMost)) return;
  plane.sum += static_cast<Wrapping>(static_cast<Exact>(std::nearbyint(sum * kResolution)));
  plane.size += static_cast<Exact>(std::ceil(std::abs(sum)));
  plane.voxels += end - begin;
}

template <class Real>
void LightLedger::add_box(const Box3& box, HostView3<const Real> voxels) {
  const std::int64_t begin = box.origin.x, end = begin + box.size.x;
  for (std::int64_t z = 0; z < box.size.z; ++z) {
    const auto number = static_cast<std::size_t>(box.origin.z + z);
    const std::scoped_lock lock{locks_[number % kLocks]};
    for (std::int64_t y = 0; y < box.size.y; ++y) {
      const Real* const columns = voxels.row(z, y) - begin;
      if (counted_.empty()) {
        add_row(planes_[number], begin, end, columns);
        continue;
      }
      const std::int64_t row = (box.origin.z + z) * extent_.y + box.origin.y + y;
      Counted& known = counted_[static_cast<std::size_t>(row)];
      if (known.begin == known.end)
        known = {static_cast<std::int32_t>(begin), static_cast<std::int32_t>(begin)};
      if (begin > known.end || end < known.begin) continue;
      add_row(planes_[number], begin, known.begin, columns);
      add_row(planes_[number], known.end, end, columns);
      known = {std::min(known.begin, static_cast<std::int32_t>(begin)),
               std::max(known.end, static_cast<std::int32_t>(end))};
    }
  }
}

void LightLedger::add(const Box3& box, HostView3<const float> voxels) {
  add_box(box, voxels);
}

void LightLedger::add(const Box3& box, HostView3<const double> voxels) {
  add_box(box, voxels);
}

bool LightLedger::is_complete() const {
  return std::all_of(planes_.begin(), planes_.end(), [&](const Plane& plane) {
    return plane.voxels == extent_.y * extent_.x && plane.size <= Exact{1} << kMostBitsOfPlane;
  });
}

std::vector<double> LightLedger::planes() const {
  std::vector<double> sums;
  for (const Plane& plane : planes_)
    sums.push_back(static_cast<double>(static_cast<Exact>(plane.sum)) / kResolution);
  return sums;
}

}  // namespace synthoscope::simulator
