// SPDX-License-Identifier: MIT
#include "studio/preview/touching.hpp"
#include <atomic>
#include <vector>
#include "simulator/truth/labelled_rows.hpp"

namespace synthoscope::studio {
namespace {

/// What is known of each possible label.
class SeenLabels {
 public:
  void add(std::uint16_t label) { mark(label, kSeen); }
  void add_contact(std::uint16_t a, std::uint16_t b) {
    mark(a, kSeen | kTouches);
    mark(b, kSeen | kTouches);
  }
  [[nodiscard]] ObjectCounts counts() const {
    ObjectCounts counts;
    for (const auto& one : marks_) {
      counts.count += (one.load() & kSeen) != 0;
      counts.touching += (one.load() & kTouches) != 0;
    }
    return counts;
  }
  static constexpr std::int64_t kBytes = simulator::kPossibleLabels;

 private:
  static constexpr std::uint8_t kSeen = 1, kTouches = 2;

  void mark(std::uint16_t label, std::uint8_t what) {
    auto& known = marks_[label];
    // Most voxels tell nothing new, and threads that only read do not wait for each other
    if ((known.load(std::memory_order_relaxed) & what) != what)
      known.fetch_or(what, std::memory_order_relaxed);
  }

  std::vector<std::atomic<std::uint8_t>> marks_ =
      std::vector<std::atomic<std::uint8_t>>(simulator::kPossibleLabels);
};

/// Looks at the voxels of a row, which follow each other along x.
void add_row(const std::uint16_t* row, std::int64_t width, SeenLabels& seen) {
  std::uint16_t before = 0;
  for (std::int64_t x = 0; x < width; ++x) {
    const std::uint16_t label = row[x];
    if (label == before) continue;
    if (label && before)
      seen.add_contact(label, before);
    else if (label)
      seen.add(label);
    before = label;
  }
}

/// Returns whether there is a contact between two rows. It has no branches, so that it is fast.
bool touch(const std::uint16_t* row, const std::uint16_t* beside, std::int64_t width) {
  std::uint16_t contacts = 0;
  for (std::int64_t x = 0; x < width; ++x) {
    const bool is_contact = (row[x] != beside[x]) & (row[x] != 0) & (beside[x] != 0);
    contacts = static_cast<std::uint16_t>(contacts | is_contact);
  }
  return contacts != 0;
}

/// Looks at the faces between two rows that lie beside each other.
void add_faces(const std::uint16_t* row, const std::uint16_t* beside, std::int64_t width,
               SeenLabels& seen) {
  if (!touch(row, beside, width)) return;
  for (std::int64_t x = 0; x < width; ++x)
    if (row[x] != beside[x] && row[x] && beside[x]) seen.add_contact(row[x], beside[x]);
}

}  // namespace

ObjectCounts count_objects(const Stack& labels, const RunContext& context) {
  const Reservation counted = context.memory.reserve(SeenLabels::kBytes, "labels of objects");
  const auto voxels = labels.view().as<std::uint16_t>();
  const Extent3& e = labels.extent;
  SeenLabels seen;
  context.pool.for_each(e.z, [&](std::int64_t z) {
    for (std::int64_t y = 0; y < e.y; ++y) {
      add_row(voxels.row(z, y), e.x, seen);
      if (y + 1 < e.y) add_faces(voxels.row(z, y), voxels.row(z, y + 1), e.x, seen);
      if (z + 1 < e.z) add_faces(voxels.row(z, y), voxels.row(z + 1, y), e.x, seen);
    }
  });
  return seen.counts();
}

}  // namespace synthoscope::studio
