// SPDX-License-Identifier: MIT
#include "score/surfaces/distance_transform.hpp"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace synthoscope::score {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Transforms lines: each value becomes the lowest of the parabolas that stand on all values.
class LineTransform {
 public:
  LineTransform(std::int64_t length, double pitch)
      : pitch_{pitch},
        line_(static_cast<std::size_t>(length)),
        feet_(line_.size()),
        from_(line_.size()) {}

  void apply(double* first, std::int64_t stride) {
    const std::size_t length = line_.size();
    for (std::size_t i = 0; i < length; ++i)
      line_[i] = first[static_cast<std::int64_t>(i) * stride];
    const std::size_t feet = find_lowest();
    if (feet == 0) return;
    std::size_t k = 0;
    for (std::size_t i = 0; i < length; ++i) {
      const double here = place(i);
      while (k + 1 < feet && from_[k + 1] <= here) ++k;
      const double away = here - place(feet_[k]);
      first[static_cast<std::int64_t>(i) * stride] = away * away + line_[feet_[k]];
    }
  }

 private:
  [[nodiscard]] double place(std::size_t i) const { return static_cast<double>(i) * pitch_; }

  /// Returns the number of parabolas that are lowest somewhere: their feet, and from where on.
  std::size_t find_lowest() {
    std::size_t count = 0;
    for (std::size_t i = 0; i < line_.size(); ++i) {
      if (line_[i] == kInfinity) continue;
      double begin = -kInfinity;
      while (count > 0) {
        begin = crossing(feet_[count - 1], i);
        if (begin > from_[count - 1]) break;
        begin = -kInfinity;
        --count;
      }
      feet_[count] = i;
      from_[count] = begin;
      ++count;
    }
    return count;
  }

  /// Returns where the parabola on `b` becomes lower than that on `a` < b.
  [[nodiscard]] double crossing(std::size_t a, std::size_t b) const {
    const double at_a = place(a), at_b = place(b);
    return (line_[b] - line_[a] + at_b * at_b - at_a * at_a) / (2 * (at_b - at_a));
  }

  double pitch_;
  std::vector<double> line_;
  std::vector<std::size_t> feet_;
  std::vector<double> from_;
};

}  // namespace

void squared_distances(std::vector<double>& field, const Extent3& extent, const VoxelSize& pitch) {
  LineTransform along_x{extent.x, pitch.x_um}, along_y{extent.y, pitch.y_um},
      along_z{extent.z, pitch.z_um};
  const std::int64_t plane = extent.y * extent.x;
  for (std::int64_t row = 0; row < extent.z * extent.y; ++row)
    along_x.apply(field.data() + row * extent.x, 1);
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t x = 0; x < extent.x; ++x)
      along_y.apply(field.data() + z * plane + x, extent.x);
  if (extent.z == 1) return;
  for (std::int64_t column = 0; column < plane; ++column)
    along_z.apply(field.data() + column, plane);
}

}  // namespace synthoscope::score
