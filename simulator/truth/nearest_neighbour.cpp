// SPDX-License-Identifier: MIT
#include "simulator/truth/nearest_neighbour.hpp"
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace synthoscope::simulator {
namespace {

constexpr int kDimensions = 3;

double along(const Point3& point, int axis) {
  return axis == 0 ? point.z_um : axis == 1 ? point.y_um : point.x_um;
}

double squared_distance(const Point3& a, const Point3& b) {
  double sum = 0;
  for (int axis = 0; axis < kDimensions; ++axis) {
    const double apart = along(a, axis) - along(b, axis);
    sum += apart * apart;
  }
  return sum;
}

/// A k-d tree without pointers: the middle of a range is its root, the halves are its branches, and
/// the axis follows from the depth.
/// @source  J. L. Bentley, "Multidimensional binary search trees used for associative searching",
///          Communications of the ACM 18 (1975) 509, doi:10.1145/361002.361007.
class PointTree {
 public:
  explicit PointTree(const std::vector<Point3>& points) : points_{points}, order_(points.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    build(0, order_.size(), 0);
  }

  /// Returns the distance of a point to the nearest other one; infinity if there is none.
  [[nodiscard]] double nearest(std::size_t point) const {
    double best = std::numeric_limits<double>::infinity();
    search(0, order_.size(), 0, point, best);
    return std::sqrt(best);
  }

 private:
  static int next(int axis) { return (axis + 1) % kDimensions; }

  void build(std::size_t begin, std::size_t end, int axis) {
    if (end - begin < 2) return;
    const std::size_t middle = begin + (end - begin) / 2;
    const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(begin), at(middle), at(end), [&](std::size_t a, std::size_t b) {
      const double at_a = along(points_[a], axis), at_b = along(points_[b], axis);
      return at_a != at_b ? at_a < at_b : a < b;
    });
    build(begin, middle, next(axis));
    build(middle + 1, end, next(axis));
  }

  /// @param best  square of the least distance so far
  void search(std::size_t begin, std::size_t end, int axis, std::size_t point, double& best) const {
    if (begin == end) return;
    const std::size_t middle = begin + (end - begin) / 2, here = order_[middle];
    if (here != point) best = std::min(best, squared_distance(points_[here], points_[point]));
    const double beyond = along(points_[point], axis) - along(points_[here], axis);
    const auto half = [&](bool is_low) {
      if (is_low)
        search(begin, middle, next(axis), point, best);
      else
        search(middle + 1, end, next(axis), point, best);
    };
    half(beyond < 0);
    if (beyond * beyond <= best) half(beyond >= 0);
  }

  const std::vector<Point3>& points_;
  std::vector<std::size_t> order_;
};

}  // namespace

std::vector<double> nearest_distances_um(const std::vector<Point3>& points) {
  const PointTree tree{points};
  std::vector<double> distances(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) distances[i] = tree.nearest(i);
  if (points.size() == 1) distances[0] = std::numeric_limits<double>::quiet_NaN();
  return distances;
}

}  // namespace synthoscope::simulator
