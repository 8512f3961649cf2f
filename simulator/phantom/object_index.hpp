// SPDX-License-Identifier: MIT
// simulator/phantom/object_index.hpp — which objects of a phantom can reach given planes.
#pragma once
#include <cstdint>
#include <vector>
#include "core/volume/box.hpp"

namespace synthoscope::simulator {

struct Phantom;

/// Objects sorted by where they begin along z, so that a box need not test all of them. Immutable;
/// reads are thread-safe. Keeps no reference to the phantom.
class ObjectIndex {
 public:
  explicit ObjectIndex(const Phantom& phantom);

  /// Returns the ids of the objects that can touch a voxel of `box`, ascending: none that does is
  /// missing.
  [[nodiscard]] std::vector<std::int64_t> near(const Box3& box) const;

  /// Bytes per object, including its place in an answer.
  static constexpr std::int64_t kBytesPerObject = 32;

 private:
  struct Entry {
    double low_um = 0, high_um = 0;
    std::int64_t id = 0;
  };
  double pitch_um_, deepest_um_ = 0;
  std::vector<Entry> entries_;  ///< by low_um
};

}  // namespace synthoscope::simulator
