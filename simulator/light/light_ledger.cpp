// SPDX-License-Identifier: MIT
#include "simulator/light/light_ledger.hpp"
#include <algorithm>
#include <cmath>
#include "simulator/light/device_light.hpp"

namespace synthoscope::simulator {
namespace {

constexpr int kMaxBitsOfPlane = 86;  ///< with the 40 of kResolution they fit into 127

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
  if (!(std::abs(sum) < kMax)) return;
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
      const std::int64_t row = (box.origin.z + z) * extent_.y + box.origin.y + y;
      for (const ColumnRange& fresh : claim_row(row, begin, end))
        add_row(planes_[number], fresh.begin, fresh.end, columns);
    }
  }
}

std::array<LightLedger::ColumnRange, 2> LightLedger::claim_row(std::int64_t row, std::int64_t begin,
                                                               std::int64_t end) {
  if (counted_.empty()) return {{{begin, end}, {}}};
  Counted& known = counted_[static_cast<std::size_t>(row)];
  if (known.begin == known.end)
    known = {static_cast<std::int32_t>(begin), static_cast<std::int32_t>(begin)};
  if (begin > known.end || end < known.begin) return {};
  const std::array<ColumnRange, 2> fresh{{{begin, known.begin}, {known.end, end}}};
  known = {std::min(known.begin, static_cast<std::int32_t>(begin)),
           std::max(known.end, static_cast<std::int32_t>(end))};
  return fresh;
}

std::vector<LightLedger::NewRows> LightLedger::claim(const Box3& box) {
  std::vector<NewRows> all;
  const std::int64_t left = box.origin.x;
  // Consecutive rows are mostly new in the same columns
  const auto add_row_range = [&](std::int64_t row, const ColumnRange& fresh) {
    if (fresh.begin >= fresh.end) return;
    for (std::size_t i = all.size(); i > 0 && i + 2 > all.size(); --i) {
      NewRows& last = all[i - 1];
      if (last.first + last.count != row || last.begin != fresh.begin - left ||
          last.end != fresh.end - left)
        continue;
      ++last.count;
      return;
    }
    all.push_back({row, 1, fresh.begin - left, fresh.end - left});
  };
  for (std::int64_t z = 0; z < box.size.z; ++z) {
    const std::int64_t plane = box.origin.z + z;
    const std::scoped_lock lock{locks_[static_cast<std::size_t>(plane) % kLocks]};
    for (std::int64_t y = 0; y < box.size.y; ++y)
      for (const ColumnRange& fresh :
           claim_row(plane * extent_.y + box.origin.y + y, left, left + box.size.x))
        add_row_range(z * box.size.y + y, fresh);
  }
  return all;
}

void LightLedger::add(std::int64_t plane, const device::PlaneSum& sum) {
  const auto whole = [](const unsigned long long(&halves)[2]) {
    return static_cast<Wrapping>(halves[1]) << 64 | halves[0];
  };
  const auto number = static_cast<std::size_t>(plane);
  const std::scoped_lock lock{locks_[number % kLocks]};
  planes_[number].sum += whole(sum.sum);
  planes_[number].size += static_cast<Exact>(whole(sum.size));
  planes_[number].voxels += static_cast<std::int64_t>(sum.voxels);
}

void LightLedger::add(const Box3& box, HostView3<const float> voxels) {
  add_box(box, voxels);
}

void LightLedger::add(const Box3& box, HostView3<const double> voxels) {
  add_box(box, voxels);
}

bool LightLedger::is_complete() const {
  return std::all_of(planes_.begin(), planes_.end(), [&](const Plane& plane) {
    return plane.voxels == extent_.y * extent_.x && plane.size <= Exact{1} << kMaxBitsOfPlane;
  });
}

std::vector<double> LightLedger::planes() const {
  std::vector<double> sums;
  for (const Plane& plane : planes_)
    sums.push_back(static_cast<double>(static_cast<Exact>(plane.sum)) / kResolution);
  return sums;
}

CountedSource::CountedSource(Source& inner, LightLedger& ledger) : inner_{inner}, ledger_{ledger} {}

std::unique_ptr<cuda::DeviceSource> CountedSource::make_on_device() {
  auto inner = inner_.make_on_device();
  return inner ? device::make_counted_light(std::move(inner), ledger_) : nullptr;
}

CountedEpilogue::CountedEpilogue(Epilogue& inner, LightLedger& ledger)
    : inner_{inner}, ledger_{ledger} {}

std::unique_ptr<cuda::DeviceEpilogue> CountedEpilogue::make_on_device() {
  auto inner = inner_.make_on_device();
  return inner ? device::make_counted_finish(std::move(inner), ledger_) : nullptr;
}

}  // namespace synthoscope::simulator
