// SPDX-License-Identifier: MIT
#include "fit/objects/object_form.hpp"
#include <cstddef>
#include <cstdlib>

namespace synthoscope::fit {
namespace {

enum Mark : std::uint8_t { kOutside, kInside, kSeen };

/// The object in its box, with one voxel of background all around. A plane stays one.
class MarkedBox {
 public:
  MarkedBox(HostView3<const std::uint32_t> labels, const Box3& box, std::uint32_t label)
      : box_{box},
        pad_z_{labels.extent().z == 1 ? 0 : 1},
        extent_{box.size.z + 2 * pad_z_, box.size.y + 2, box.size.x + 2},
        marks_(static_cast<std::size_t>(volume(extent_)), kOutside) {
    for (std::int64_t z = 0; z < box.size.z; ++z)
      for (std::int64_t y = 0; y < box.size.y; ++y) {
        const std::uint32_t* const row =
            labels.row(box.origin.z + z, box.origin.y + y) + box.origin.x;
        std::uint8_t* const to = marks_.data() + place_of(z + pad_z_, y + 1, 1);
        for (std::int64_t x = 0; x < box.size.x; ++x) to[x] = row[x] == label ? kInside : kOutside;
      }
  }

  [[nodiscard]] std::vector<SurfaceVoxel> surface() const {
    std::vector<SurfaceVoxel> found;
    const std::vector<std::int64_t> ways = steps(1);
    for_each_inner([&](std::int64_t place, const Index3& at) {
      if (marks_[index(place)] == kOutside) return;
      for (const std::int64_t way : ways)
        if (marks_[index(place + way)] == kOutside) {
          found.push_back({static_cast<std::int32_t>(box_.origin.z + at.z),
                           static_cast<std::int32_t>(box_.origin.y + at.y),
                           static_cast<std::int32_t>(box_.origin.x + at.x)});
          return;
        }
    });
    return found;
  }

  /// Counts the voxels that the background around the box does not reach, and marks the others.
  [[nodiscard]] std::int64_t hole_voxels() {
    flood(0, kOutside, steps(1));
    std::int64_t holes = 0;
    for_each_inner([&](std::int64_t place, const Index3&) {
      if (marks_[index(place)] == kOutside) ++holes;
    });
    return holes;
  }

  [[nodiscard]] int parts() {
    const std::vector<std::int64_t> ways = steps(3);
    int found = 0;
    for_each_inner([&](std::int64_t place, const Index3&) {
      if (marks_[index(place)] != kInside) return;
      ++found;
      flood(place, kInside, ways);
    });
    return found;
  }

 private:
  static std::size_t index(std::int64_t place) { return static_cast<std::size_t>(place); }
  [[nodiscard]] std::int64_t place_of(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return (z * extent_.y + y) * extent_.x + x;
  }

  /// Ways to neighbours that differ along at most `axes` axes.
  [[nodiscard]] std::vector<std::int64_t> steps(int axes) const {
    std::vector<std::int64_t> ways;
    for (std::int64_t z = -pad_z_; z <= pad_z_; ++z)
      for (std::int64_t y = -1; y <= 1; ++y)
        for (std::int64_t x = -1; x <= 1; ++x) {
          const std::int64_t differing = std::abs(z) + std::abs(y) + std::abs(x);
          if (differing > 0 && differing <= axes) ways.push_back(place_of(z, y, x));
        }
    return ways;
  }

  /// Visits the voxels of the box itself.
  template <class Visit>
  void for_each_inner(Visit&& visit) const {
    for (std::int64_t z = 0; z < box_.size.z; ++z)
      for (std::int64_t y = 0; y < box_.size.y; ++y)
        for (std::int64_t x = 0; x < box_.size.x; ++x)
          visit(place_of(z + pad_z_, y + 1, x + 1), Index3{z, y, x});
  }

  /// Marks all voxels as seen that have the mark `from` and are reached from `start`.
  void flood(std::int64_t start, Mark from, const std::vector<std::int64_t>& ways) {
    const auto all = static_cast<std::int64_t>(marks_.size());
    std::vector<std::int64_t> open{start};
    marks_[index(start)] = kSeen;
    while (!open.empty()) {
      const std::int64_t place = open.back();
      open.pop_back();
      for (const std::int64_t way : ways) {
        // From the end of a row a step leads to the next one, where it meets background as well
        const std::int64_t to = place + way;
        if (to < 0 || to >= all || marks_[index(to)] != from) continue;
        marks_[index(to)] = kSeen;
        open.push_back(to);
      }
    }
  }

  Box3 box_;
  std::int64_t pad_z_;
  Extent3 extent_;
  std::vector<std::uint8_t> marks_;
};

}  // namespace

ObjectForm form_of(HostView3<const std::uint32_t> labels, const Box3& box, std::uint32_t label) {
  MarkedBox marked{labels, box, label};
  ObjectForm form;
  form.surface = marked.surface();
  form.hole_voxels = marked.hole_voxels();
  form.parts = marked.parts();
  return form;
}

std::int64_t form_bytes(const Box3& box) {
  // Marks, and the places that a flood has still to visit
  constexpr std::int64_t kBytes = 1 + sizeof(std::int64_t);
  return kBytes * volume(Extent3{box.size.z + 2, box.size.y + 2, box.size.x + 2});
}

}  // namespace synthoscope::fit
