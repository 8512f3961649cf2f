// SPDX-License-Identifier: MIT
// kernels/variance/window.hpp — windows of local statistics: the weight of each voxel.
#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>
#include "core/volume/extent.hpp"
#include "kernels/operation/tiled_operation.hpp"

namespace synthoscope::kernels {

/// Weights of a window of size S along an axis, before they are divided by their sum:
///   triangle  1 2 ... S ... 2 1, S - |i| for |i| < S, a half-width S >= 1
///   box       1 for |i| <= (S - 1)/2, odd S >= 1
///   gaussian  exp(-i^2 / (2 S^2)) for |i| <= floor(4 S + 0.5), standard deviation S >= 0
enum class WindowShape { triangle, box, gaussian };

std::string_view name_of(WindowShape shape);
std::optional<WindowShape> window_shape_named(std::string_view name);

/// The product of a window along each axis; sizes in voxels.
struct LocalWindow {
  WindowShape shape = WindowShape::triangle;
  double z = 1, y = 1, x = 1;
  friend bool operator==(const LocalWindow&, const LocalWindow&) = default;
};

/// Returns a window of the same size along all axes, but of a single voxel along z if there is one
/// plane.
LocalWindow window_for(WindowShape shape, double size, const Extent3& image);

/// Returns a text such as "triangle:4" or "box:1,7,7": sizes z, y, x if they differ.
std::string print_window(const LocalWindow& window);

/// @throws InvalidSpec  a size is outside the ranges above, or reaches further than 2^20 voxels.
void require_valid(const LocalWindow& window);

/// Returns the weights of one axis from the centre outwards; the sum over both sides is 1.
std::vector<double> half_weights(WindowShape shape, double size);

/// Returns the number of weighted voxels on either side of the centre.
Extent3 half_reach(const LocalWindow& window);

/// Returns the reach of all of `windows`.
/// @throws as require_valid
Reach reach_of(std::span<const LocalWindow> windows);

}  // namespace synthoscope::kernels
