// SPDX-License-Identifier: MIT
#include "score/spots/nearest_spot.hpp"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace synthoscope::score {
namespace {

/// A k-d tree without pointers: the middle of a range is its root, the halves are its branches, and
/// the axis follows from the depth.
/// @source  J. L. Bentley, "Multidimensional binary search trees used for associative searching",
///          Communications of the ACM 18 (1975) 509, doi:10.1145/361002.361007.
class SpotTree {
 public:
  /// @param order  numbers of the spots of one frame; is put in order
  SpotTree(const std::vector<Spot>& spots, std::size_t first_axis, std::size_t* order,
           std::size_t count)
      : spots_{spots}, first_axis_{first_axis}, order_{order}, count_{count} {
    build(0, count_, first_axis_);
  }

  [[nodiscard]] double nearest(std::size_t spot) const {
    double best = std::numeric_limits<double>::infinity();
    search(0, count_, first_axis_, spot, best);
    return std::sqrt(best);
  }

 private:
  [[nodiscard]] std::size_t next(std::size_t axis) const {
    return axis == 2 ? first_axis_ : axis + 1;
  }

  void build(std::size_t begin, std::size_t end, std::size_t axis) {
    if (end - begin < 2) return;
    const std::size_t middle = begin + (end - begin) / 2;
    std::nth_element(order_ + begin, order_ + middle, order_ + end,
                     [&](std::size_t a, std::size_t b) {
                       const double at_a = spots_[a].at_um[axis], at_b = spots_[b].at_um[axis];
                       return at_a != at_b ? at_a < at_b : a < b;
                     });
    build(begin, middle, next(axis));
    build(middle + 1, end, next(axis));
  }

  /// @param best  square of the least distance so far
  void search(std::size_t begin, std::size_t end, std::size_t axis, std::size_t spot,
              double& best) const {
    if (begin == end) return;
    const std::size_t middle = begin + (end - begin) / 2, here = order_[middle];
    if (here != spot) best = std::min(best, squared_distance(here, spot));
    const double beyond = spots_[spot].at_um[axis] - spots_[here].at_um[axis];
    const bool is_low = beyond < 0;
    const auto half = [&](bool low) {
      if (low)
        search(begin, middle, next(axis), spot, best);
      else
        search(middle + 1, end, next(axis), spot, best);
    };
    half(is_low);
    if (beyond * beyond <= best) half(!is_low);
  }

  [[nodiscard]] double squared_distance(std::size_t a, std::size_t b) const {
    double sum = 0;
    for (std::size_t axis = first_axis_; axis < 3; ++axis) {
      const double along = spots_[a].at_um[axis] - spots_[b].at_um[axis];
      sum += along * along;
    }
    return sum;
  }

  const std::vector<Spot>& spots_;
  std::size_t first_axis_;
  std::size_t* order_;
  std::size_t count_;
};

}  // namespace

std::vector<double> nearest_distances(const std::vector<Spot>& spots, bool is_plane,
                                      const RunContext& context) {
  const Reservation counted = context.memory.reserve(
      static_cast<std::int64_t>(spots.size() * (sizeof(std::size_t) + sizeof(double))),
      "distances of spots");
  std::vector<std::size_t> order(spots.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return spots[a].frame != spots[b].frame ? spots[a].frame < spots[b].frame : a < b;
  });
  std::vector<double> distances(spots.size());
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && spots[order[end]].frame == spots[order[begin]].frame) ++end;
    const SpotTree tree{spots, is_plane ? std::size_t{1} : 0, order.data() + begin, end - begin};
    context.pool.for_ranges(static_cast<std::int64_t>(end - begin), 1024,
                            [&](std::int64_t from, std::int64_t to) {
                              for (std::int64_t i = from; i < to; ++i) {
                                const std::size_t spot = order[begin + static_cast<std::size_t>(i)];
                                distances[spot] = tree.nearest(spot);
                              }
                            });
  }
  return distances;
}

}  // namespace synthoscope::score
