// SPDX-License-Identifier: MIT
#include "kernels/variance/merge_steps.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <utility>

namespace synthoscope::kernels {
namespace {

/// Steps along one axis. Sizes count parts, which are `apart` voxels apart.
class AxisChain {
 public:
  AxisChain(std::vector<MergeStep>& steps, Axis axis, std::int64_t apart)
      : steps_{steps}, axis_{axis}, apart_{apart} {}

  /// Returns the box of `size` parts of the signal `in`.
  int box(int in, std::int64_t size) {
    if (size == 1) return in;
    if (size % 3 == 0) {
      const int third = box(in, size / 3);
      return merge(third, third, size / 3, 1.0 / 3);
    }
    const double whole = static_cast<double>(size);
    if (size % 4 == 3) {
      const int half = box(in, size / 2);
      return merge(half, in, (size + 1) / 4, static_cast<double>(size / 2) / whole);
    }
    return merge(in, box(in, size - 2), size / 2, 1 / whole);
  }

  int triangle(int in, std::int64_t size) {
    if (size % 2 == 1) return box(box(in, size), size);
    const int half = triangle(in, size / 2);
    return merge(half, half, size / 2, 0.25);
  }

  int gaussian(int in, double size) {
    const std::vector<double> taps = half_weights(WindowShape::gaussian, size);
    return taps.size() == 1 ? in : add({axis_, in, in, 1, 0, taps});
  }

 private:
  int merge(int sides, int centre, std::int64_t parts, double side) {
    return add({axis_, sides, centre, parts * apart_, side, {}});
  }
  int add(MergeStep step) {
    steps_.push_back(std::move(step));
    return static_cast<int>(steps_.size());
  }

  std::vector<MergeStep>& steps_;
  Axis axis_;
  std::int64_t apart_;
};

double size_along(const LocalWindow& window, Axis axis) {
  return axis == Axis::z ? window.z : axis == Axis::y ? window.y : window.x;
}

std::int64_t& along(Extent3& extent, Axis axis) {
  return axis == Axis::z ? extent.z : axis == Axis::y ? extent.y : extent.x;
}

[[noreturn]] void refuse(const LocalWindow& before, const LocalWindow& window) {
  throw InvalidSpec(fmt::format(
      "compute the window {} from {} before it: only triangles can be computed from one another, "
      "and each size must be a whole multiple of the one before; give such sizes, or one window",
      print_window(window), print_window(before)));
}

/// Adds the steps that make `window` from the signal `in`, which is `before`.
int add_window(std::vector<MergeStep>& steps, const LocalWindow& before, const LocalWindow& window,
               int in) {
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    const double size = size_along(window, axis);
    const auto whole = static_cast<std::int64_t>(size);
    const auto apart = static_cast<std::int64_t>(size_along(before, axis));
    AxisChain chain{steps, axis, apart};
    switch (window.shape) {
      case WindowShape::triangle:
        if (whole % apart != 0) refuse(before, window);
        in = chain.triangle(in, whole / apart);
        break;
      case WindowShape::box:
        in = chain.box(in, whole);
        break;
      case WindowShape::gaussian:
        in = chain.gaussian(in, size);
        break;
    }
  }
  return in;
}

std::vector<Extent3> margins_of(const std::vector<MergeStep>& steps) {
  std::vector<Extent3> margins(steps.size() + 1);
  const auto widen = [&](int signal, const Extent3& by) {
    Extent3& margin = margins[static_cast<std::size_t>(signal)];
    margin = {std::max(margin.z, by.z), std::max(margin.y, by.y), std::max(margin.x, by.x)};
  };
  for (std::size_t i = steps.size(); i-- > 0;) {
    Extent3 wanted = margins[i + 1];
    widen(steps[i].centre, wanted);
    along(wanted, steps[i].axis) += steps[i].reach();
    widen(steps[i].sides, wanted);
  }
  return margins;
}

}  // namespace

MergeSteps merge_steps(std::span<const LocalWindow> windows) {
  MergeSteps made;
  LocalWindow before{};  // a voxel
  int in = 0;
  for (const LocalWindow& window : windows) {
    require_valid(window);
    if (!made.results.empty() &&
        (window.shape != WindowShape::triangle || before.shape != WindowShape::triangle))
      refuse(before, window);
    in = add_window(made.steps, before, window, in);
    made.results.push_back(in);
    before = window;
  }
  made.margins = margins_of(made.steps);
  return made;
}

}  // namespace synthoscope::kernels
