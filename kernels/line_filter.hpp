// SPDX-License-Identifier: MIT
// kernels/line_filter.hpp — filters along one axis of an array in memory, in double: lines are read
// whole, several side by side, before they are written.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include "core/run/run_context.hpp"
#include "core/volume/boundary.hpp"
#include "core/volume/view.hpp"
#include "kernels/whole_numbers.hpp"

namespace synthoscope::kernels {

/// `lanes` lines side by side: element i of line l is at [i * lanes + l].
struct LinesSideBySide {
  double* first;
  std::int64_t length, lanes;
};

/// What is made of each line by itself.
class LineFilter {
 public:
  virtual ~LineFilter() = default;

  /// Elements before and behind a line that its first and last result need, not negative.
  struct Reach {
    std::int64_t before = 0, behind = 0;
  };
  [[nodiscard]] virtual Reach reach() const = 0;

  /// Whether a result is made of the one before it, so that vectors are made of several lines.
  [[nodiscard]] virtual bool goes_step_by_step() const = 0;
  /// Whether `results` is lines.first.
  [[nodiscard]] virtual bool works_in_place() const { return false; }

  /// Makes `length` results of each line.
  /// @param lines  with their reach: of length + before + behind elements
  virtual void make(const LinesSideBySide& lines, std::int64_t length, double* results,
                    VectorLevel level) const = 0;
};

/// That of `size` weights whose centre is at size/2 + origin.
/// @throws InvalidSpec  the centre is outside of them.
LineFilter::Reach reach_about(std::int64_t size, std::int64_t origin);

/// result(i) = sum over j of weights[j] line(i + j - size/2 - origin), in the order of
/// scipy.ndimage: weights that mirror each other are folded, the centre first.
/// @throws InvalidSpec  no weights, or as reach_about.
std::unique_ptr<LineFilter> line_correlation(std::span<const double> weights, std::int64_t origin);

/// The mean of `size` elements, by a sum that goes along where they are more than 16: exact for
/// integers; a NaN then spreads to the end of its line, as in scipy.ndimage.
/// @throws InvalidSpec  a size < 1, or as reach_about.
std::unique_ptr<LineFilter> line_mean(std::int64_t size, std::int64_t origin);

/// Coefficients of the B-spline of `order`, 2 to 5, that passes through the `length` elements of
/// a line, by a recursion in both directions for each pole; `boundary` is reflect, mirror or wrap.
/// A line of one element stays as it is.
/// @throws InvalidSpec  another order or boundary.
/// @source  Unser, Aldroubi, Eden, IEEE Trans. Signal Process. 41 (1993) 834,
///          doi:10.1109/78.193221, section II and table I.
std::unique_ptr<LineFilter> line_spline(int order, Boundary boundary, std::int64_t length);

/// How lines go on, and how results are stored.
struct LineSetting {
  Boundary boundary = Boundary::reflect;
  double fill = 0;  ///< stands outside under Boundary::zero
  Storing storing{};
  VectorLevel level = vector_level();
};

/// What `filter_lines` takes, in bytes.
std::int64_t line_bytes(const LineFilter& filter, const Extent3& array, int threads);

/// Filters the lines along y of an array that is seen as what is before an axis, the axis, and what
/// is behind it: any axis of an array of any number of axes. `to` may be `from` itself.
/// @throws PlanError    context.memory has no room for line_bytes.
/// @throws Interrupted  context.stop was set.
void filter_lines(const LineFilter& filter, const LineSetting& setting, const ConstVoxelView& from,
                  const VoxelView& to, const RunContext& context);

}  // namespace synthoscope::kernels
