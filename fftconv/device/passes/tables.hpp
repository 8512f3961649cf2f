// SPDX-License-Identifier: MIT
// fftconv/device/passes/tables.hpp — tables that device code reads, put there before a run; among
// them the positions of a plane's voxels in its transform.
#pragma once
#include <cstdint>
#include <cstring>
#include <vector>
#include "core/base/assert.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "fftconv/axis.hpp"
#include "fftconv/device/code/arguments.hpp"

namespace synthoscope::fftconv::device {

/// Collects tables on the host, then brings all of them to the device at once.
class Tables {
 public:
  /// A table's place; ask `at` for it once `send` is done.
  struct Offset {
    std::int64_t offset = -1;  ///< none: a null pointer
  };

  template <class T>
  Offset add(const std::vector<T>& table) {
    if (table.empty()) return {};
    const auto offset = static_cast<std::int64_t>((bytes_.size() + 15) / 16 * 16);
    bytes_.resize(static_cast<std::size_t>(offset) + table.size() * sizeof(T));
    std::memcpy(bytes_.data() + offset, table.data(), table.size() * sizeof(T));
    return {offset};
  }

  /// @param room  bytes that all tables have, at least as many as they need
  void send(cuda::DeviceId device, MemoryBudget& device_memory, std::int64_t room,
            const cuda::Stream& stream) {
    const auto bytes = static_cast<std::int64_t>(bytes_.size());
    SYNTHOSCOPE_ASSERT(bytes, <=, room);
    buffer_ = {device, device_memory, room, "tables"};
    if (bytes > 0) cuda::enqueue_copy(stream, buffer_.data(), bytes_.data(), bytes);
  }

  template <class T>
  [[nodiscard]] const T* at(Offset place) const {
    return place.offset < 0 ? nullptr : reinterpret_cast<const T*>(buffer_.data() + place.offset);
  }

 private:
  std::vector<std::byte> bytes_;
  cuda::DeviceBuffer<std::byte> buffer_;
};

/// How rows of voxels come to their places along x; source indices count from `begin`.
struct RowPlacing {
  Placing placing = Placing::front;
  std::int64_t begin = 0, count = 0;  ///< voxels of a source row that are read
  std::vector<int> columns;           ///< RowsForward::columns where they are listed
};

RowPlacing row_placing(const std::vector<IndexRun>& x_runs, std::int64_t length);

/// Which rows of a plane are read, and their positions along y.
struct PlanePlacing {
  std::int64_t begin = 0, count = 0;  ///< rows of a source plane that are read
  std::vector<PlacedRow> rows;        ///< source rows from `begin` on
  Choice loaded = Choice::front;      ///< positions with a row
  std::vector<int> slots;             ///< Elements::slots where they are listed
  Choice placed = Choice::front;      ///< PlaneLoading::placed
  std::vector<int> sources;           ///< row from `begin` on of each position; negative: none
};

PlanePlacing plane_placing(const std::vector<IndexRun>& y_runs, std::int64_t length);

}  // namespace synthoscope::fftconv::device
