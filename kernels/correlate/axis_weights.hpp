// SPDX-License-Identifier: MIT
// kernels/correlate/axis_weights.hpp — the weights of a pass along one axis, in their fastest form.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace synthoscope::kernels {

/// none: nothing is done. all: any weights. symmetric and antisymmetric: the weights are the same
/// in reverse order, in the latter negated. box: all weights are equal.
enum class AxisForm { none, all, symmetric, antisymmetric, box };

struct AxisWeights {
  AxisForm form = AxisForm::none;
  std::vector<float> values;
  /// Limits of parts of `values`: products of a part are summed before they are added to others, so
  /// that errors do not grow with the number of weights. From 0 to the number of values, or to half
  /// of it in the folded forms.
  std::vector<std::int64_t> cuts;

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(values.size()); }
};

/// The forms that a pass supports in addition to `none` and `all`.
struct SupportedForms {
  bool folded = false;  ///< symmetric and antisymmetric
  bool box = false;
};
AxisWeights axis_weights(std::span<const double> weights, SupportedForms known);

/// size = length * parts + rest
struct BoxParts {
  std::int64_t length, parts, rest;
};
/// Returns the parts of a box that need the fewest sums.
BoxParts box_parts(std::int64_t size);

}  // namespace synthoscope::kernels
