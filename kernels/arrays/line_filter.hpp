// SPDX-License-Identifier: MIT
// kernels/arrays/line_filter.hpp — filters along one axis of an array in memory, in double: whole
// lines are read, several side by side, before they are written.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include "core/run/run_context.hpp"
#include "core/volume/boundary.hpp"
#include "core/volume/view.hpp"
#include "kernels/lanes/whole_numbers.hpp"

namespace synthoscope::kernels {

/// `lanes` lines side by side: element i of line l is at [i * lanes + l].
struct LinesSideBySide {
  double* first;
  std::int64_t length, lanes;
};

/// Computes results of each line separately.
class LineFilter {
 public:
  virtual ~LineFilter() = default;

  /// Elements before and after a line that its first and last result need, not negative.
  struct Reach {
    std::int64_t before = 0, behind = 0;
  };
  [[nodiscard]] virtual Reach reach() const = 0;

  /// Returns whether a result depends on the one before it, so that vectors must hold several
  /// lines.
  [[nodiscard]] virtual bool goes_step_by_step() const = 0;
  /// Returns whether `results` is lines.first.
  [[nodiscard]] virtual bool works_in_place() const { return false; }

  /// Makes `length` results of each line.
  /// @param lines  with their reach: length + before + behind elements
  virtual void make(const LinesSideBySide& lines, std::int64_t length, double* results,
                    VectorLevel level) const = 0;
};

/// Returns the reach of `size` weights whose centre is at size/2 + origin.
/// @throws InvalidSpec  the centre is outside the weights.
LineFilter::Reach reach_about(std::int64_t size, std::int64_t origin);

/// Makes result(i) = sum over j of weights[j] line(i + j - size/2 - origin), in the order of
/// scipy.ndimage: weights that mirror each other are folded, the centre first.
/// @throws InvalidSpec  no weights, or as reach_about.
std::unique_ptr<LineFilter> line_correlation(std::span<const double> weights, std::int64_t origin);

/// Makes the mean of `size` elements, by a running sum if they are more than 16: exact for
/// integers. A NaN then spreads to the end of its line, as in scipy.ndimage; in a line that is
/// summed alone, in parts, it may spread to the end of its part only.
/// @throws InvalidSpec  a size < 1, or as reach_about.
std::unique_ptr<LineFilter> line_mean(std::int64_t size, std::int64_t origin);

/// Makes the coefficients of the B-spline of `order`, 2 to 5, that passes through the `length`
/// elements of a line, by a recursion in both directions for each pole; `boundary` is reflect,
/// mirror or wrap. A line of one element is unchanged.
/// @throws InvalidSpec  another order or boundary.
/// @source  Unser, Aldroubi, Eden, IEEE Trans. Signal Process. 41 (1993) 834,
///          doi:10.1109/78.193221, section II and table I.
std::unique_ptr<LineFilter> line_spline(int order, Boundary boundary, std::int64_t length);

/// How lines are continued, and how results are stored.
struct LineSetting {
  Boundary boundary = Boundary::reflect;
  double fill = 0;  ///< value outside under Boundary::zero
  Storing storing{};
  VectorLevel level = vector_level();
};

/// Returns the bytes that `filter_lines` allocates.
std::int64_t line_bytes(const LineFilter& filter, const Extent3& array, int threads);

/// Filters the lines along y of an array. For any axis of an array of any number of axes, z
/// combines the axes before it and x those after it. `to` may be `from` itself.
/// @throws PlanError    context.memory has no space for line_bytes.
/// @throws Interrupted  context.stop was set.
void filter_lines(const LineFilter& filter, const LineSetting& setting, const ConstVoxelView& from,
                  const VoxelView& to, const RunContext& context);

}  // namespace synthoscope::kernels
