// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>
#include "core/base/round_up.hpp"
#include "kernels/arrays/looked_up.hpp"
#include "kernels/lanes/counted_doubles.hpp"
#include "kernels/splines/axis.hpp"

namespace synthoscope::kernels {
namespace {

// Voxels of a task
constexpr std::int64_t kTaskVoxels = 4096;

/// The coordinates of voxels, from those of each axis.
class AxesMap final : public CoordinateMap {
 public:
  explicit AxesMap(const AxisCoordinates& at) : at_{at} {}
  void row(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t count,
           const CoordinateRow& to) const override {
    const auto at = [](std::span<const double> axis, std::int64_t i) {
      return axis.empty() ? 0 : axis[static_cast<std::size_t>(i)];
    };
    std::fill_n(to.z, count, at(at_.z, z));
    std::fill_n(to.y, count, at(at_.y, y));
    if (!at_.x.empty()) std::copy_n(at_.x.data() + x, count, to.x);
  }
  [[nodiscard]] CoordinateRange range(const Box3&) const override {
    return CoordinateRange::everywhere();
  }

 private:
  AxisCoordinates at_;
};

/// Elements that contribute to each coordinate of an axis. put_fill_at gives those that stand for
/// the fill value an offset past the last element.
class AxisTable {
 public:
  AxisTable(const SplineLookup& how, const LookupAxis& axis, std::span<const double> at,
            std::int64_t kept, MemoryBudget& memory)
      : taps_{at.empty() ? 1 : how.order + 1},
        count_{at.empty() ? kept : static_cast<std::int64_t>(at.size())},
        offsets_{memory, count_ * taps_, "places along an axis"},
        weights_{memory, count_ * taps_, "weights along an axis"},
        is_inside_(static_cast<std::size_t>(count_), 1) {
    if (at.empty()) {
      for (std::int64_t i = 0; i < count_; ++i)
        offsets_.data()[i] = i * axis.stride, weights_.data()[i] = 1;
      return;
    }
    visit_order(how.order, [&](auto order) {
      for (std::int64_t i = 0; i < count_; ++i) {
        const auto number = static_cast<std::size_t>(i);
        std::int64_t* const offsets = offsets_.data() + i * taps_;
        is_inside_[number] =
            axis.find<decltype(order)::value>(at[number], offsets, weights_.data() + i * taps_);
        if (!is_inside_[number]) std::fill_n(offsets, taps_, 0);
      }
    });
  }

  /// Sets the offsets of fill values to `at`.
  void put_fill_at(std::int64_t at) {
    std::replace(offsets_.data(), offsets_.data() + count_ * taps_, kOutside, at);
  }

  [[nodiscard]] int taps() const { return taps_; }
  [[nodiscard]] bool is_inside(std::int64_t i) const {
    return is_inside_[static_cast<std::size_t>(i)] != 0;
  }
  [[nodiscard]] const std::int64_t* offsets(std::int64_t i) const {
    return offsets_.data() + i * taps_;
  }
  [[nodiscard]] const double* weights(std::int64_t i) const { return weights_.data() + i * taps_; }

 private:
  int taps_;
  std::int64_t count_;
  HostBuffer<std::int64_t> offsets_;
  HostBuffer<double> weights_;
  std::vector<char> is_inside_;
};

/// Adds `weight` times a row of voxels to sums.
template <class T>
void add_row(VectorLevel level, const T* row, std::int64_t count, double weight, double* sums) {
  vectorised(level, [=]() SYNTHOSCOPE_INLINE {
    for (std::int64_t x = 0; x < count; ++x) sums[x] += weight * static_cast<double>(row[x]);
  });
}

/// Rows of results, each from the sum of the rows of the image that count for it.
class RowsByAxes {
 public:
  RowsByAxes(const SplineLookup& how, const LookedUp& looked, const AxisCoordinates& at,
             const VoxelView& to, MemoryBudget& memory)
      : how_{how},
        looked_{looked},
        n_{looked.x().n},
        to_{to},
        z_{how, looked.z(), at.z, to.extent().z, memory},
        y_{how, looked.y(), at.y, to.extent().y, memory},
        x_{how, looked.x(), at.x, to.extent().x, memory} {
    x_.put_fill_at(n_);
  }

  /// Returns the doubles of a thread: sums, then the fill value, then results.
  [[nodiscard]] std::int64_t doubles() const {
    return round_up(n_ + 1 + to_.extent().x, std::int64_t{8});
  }

  void make(std::int64_t z, std::int64_t y, double* scratch) const {
    const std::int64_t count = to_.extent().x;
    double* const sums = scratch;
    double* const results = how_.kept.x ? sums : scratch + n_ + 1;
    if (z_.is_inside(z) && y_.is_inside(y)) {
      sum_rows(z, y, sums);
      if (!how_.kept.x)
        visit_order(how_.order,
                    [&](auto order) { go_along<decltype(order)::value>(sums, results); });
    } else {
      std::fill_n(results, count, how_.fill);
    }
    store_looked_up(how_, results, {z, y, 0}, count, to_);
  }

 private:
  void sum_rows(std::int64_t z, std::int64_t y, double* sums) const {
    std::fill_n(sums, n_, 0.0);
    sums[n_] = how_.fill;
    visit_pixel_type(looked_.voxels().type(), [&](auto zero) {
      const auto* const voxels = looked_.voxels().as<decltype(zero)>().data();
      for (int i = 0; i < z_.taps(); ++i)
        for (int j = 0; j < y_.taps(); ++j) {
          const std::int64_t in_z = z_.offsets(z)[i], in_y = y_.offsets(y)[j];
          const double weight = z_.weights(z)[i] * y_.weights(y)[j];
          if (in_z < 0 || in_y < 0)
            for (std::int64_t x = 0; x < n_; ++x) sums[x] += weight * how_.fill;
          else if (weight != 0)
            add_row(how_.level, voxels + in_z + in_y, n_, weight, sums);
        }
    });
  }

  template <int kOrder>
  void go_along(const double* sums, double* results) const {
    constexpr int kTaps = kOrder + 1;
    const std::int64_t count = to_.extent().x;
    const std::int64_t* offsets = x_.offsets(0);
    const double* weights = x_.weights(0);
    for (std::int64_t x = 0; x < count; ++x, offsets += kTaps, weights += kTaps) {
      double sum = 0;
      for (int k = 0; k < kTaps; ++k) sum += weights[k] * sums[offsets[k]];
      results[x] = x_.is_inside(x) ? sum : how_.fill;
    }
  }

  const SplineLookup& how_;
  const LookedUp& looked_;
  std::int64_t n_;  ///< elements of a row that is looked up
  const VoxelView& to_;
  AxisTable z_, y_, x_;
};

}  // namespace

void look_up(const SplineLookup& how, const ConstVoxelView& image, const AxisCoordinates& at,
             const VoxelView& to, const RunContext& context) {
  require_look_up(how, image.extent(), to.extent());
  // Summing whole rows does not pay if little of them is looked up, and few rows do not occupy all
  // threads
  constexpr std::int64_t kSparse = 8, kFewRows = 8;
  const Extent3 e = to.extent();
  if (image.extent().x > kSparse * e.x || e.z * e.y < kFewRows)
    return look_up(how, image, AxesMap{at}, to, context);
  const LookedUp looked{how, image, context};
  const RowsByAxes rows{how, looked, at, to, context.memory};
  const HostBuffer<double> scratch =
      counted_doubles(context.memory, context.pool.threads() * rows.doubles(), "look up rows");
  const std::int64_t together = std::max<std::int64_t>(1, kTaskVoxels / e.x);
  context.pool.for_ranges(e.z * e.y, together, [&](std::int64_t row, std::int64_t end) {
    context.stop.check();
    for (; row < end; ++row)
      rows.make(row / e.y, row % e.y, scratch.data() + TaskPool::slot() * rows.doubles());
  });
}

}  // namespace synthoscope::kernels
