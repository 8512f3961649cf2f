// SPDX-License-Identifier: MIT
// simulator/phantom/object_index.hpp — which objects of a phantom can reach given planes.
#pragma once
#include <cstdint>
#include <vector>
#include "core/volume/box.hpp"

namespace synthoscope::simulator {

struct Phantom;

/// Objects by where they begin along z, so that a box need not ask all of them. Immutable; reads
/// are thread-safe. Keeps nothing of the phantom.
class ObjectIndex {
 public:
  explicit ObjectIndex(const Phantom& phantom);

  /// Ids of the objects that can touch a voxel of `box`, ascending: none that does is left out.
  [[nodiscard]] std::vector<std::int64_t> near(const Box3& box) const;

  /// What an object takes, with its place in an answer, in bytes.
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
