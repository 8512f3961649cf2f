// SPDX-License-Identifier: MIT
// simulator/phantom/neurons/swc.hpp — reads traced neurons: SWC, points and their parents.
#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>
#include "simulator/phantom/geometry/vector3.hpp"

namespace synthoscope::simulator {

/// A point of a traced neuron, in the file's own coordinates, micrometres.
struct SwcPoint {
  std::int64_t id = 0, type = 0;  ///< as in the file; type 1 is soma
  Vector3 at{};                   ///< z, y, x; the file has x first
  double radius_um = 0;           ///< > 0
  std::int32_t parent = -1;       ///< index of the parent in the list; -1 for a root
};

inline constexpr std::int64_t kSomaType = 1;

/// Returns all points, each after its parent; the points of a tree are contiguous, and trees are in
/// the order of their roots in the file.
///
/// A line is "id type x y z radius parent"; "#" begins a comment; parent -1 is a root.
/// @source Cannon, Turner, Pyapali, Wheal, J. Neurosci. Methods 84 (1998) 49,
///         doi:10.1016/S0165-0270(98)00091-0.
/// @throws IoError       the file cannot be read.
/// @throws InvalidInput  a line is not of this form, an id comes twice, a parent is missing, points
///                       are each other's parents, or there are more than 2^20 points; names the
///                       line.
std::vector<SwcPoint> read_swc(const std::filesystem::path& path);

}  // namespace synthoscope::simulator
