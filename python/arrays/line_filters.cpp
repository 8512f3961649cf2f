// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include "core/base/error.hpp"
#include "kernels/arrays/line_filter.hpp"
#include "python/arrays/functions.hpp"
#include "python/session/arrays.hpp"
#include "python/session/call.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;

constexpr const char* kCorrelateLines =
    R"(Correlates the lines along an axis of an array with weights, in double.

image, result : arrays of one shape, C order, of int8 to uint32, float32 or float64; they may be the
    same. Integers are truncated towards zero.
axis : from 0 on.
weights : numbers; result(i) = sum of weights[j] image(i + j - len(weights) // 2 - origin).
boundary : what lies outside: "reflect", "mirror", "nearest", "wrap", or "zero", for `fill`.
whole : whether results of floating types are truncated to whole numbers, too.
workers, memory : threads and bytes.
)";
constexpr const char* kMeanLines =
    R"(Computes means of `size` elements along an axis, as correlate_lines computes sums.)";
constexpr const char* kSplineLines =
    R"(Computes the coefficients of the B-spline of `order` (2 to 5) along an axis, for boundaries
"reflect", "mirror" and "wrap".)";

// Seconds of one thread, for an element: to read, convert and write it, and for each weight
constexpr double kElementSeconds = 2e-9, kWeightSeconds = 1.5e-10;

using AnyReadArray = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
using AnyWrittenArray = nb::ndarray<nb::c_contig, nb::device::cpu>;

/// An array as the axes before an axis, the axis, and the axes after it.
template <class Array>
Extent3 extent_about(const Array& array, std::size_t axis) {
  if (axis >= array.ndim())
    throw InvalidSpec(
        fmt::format("filter lines along axis {} of an array that has {} axes; use 0 "
                    "to {}",
                    axis, array.ndim(), array.ndim() - 1));
  Extent3 extent{1, static_cast<std::int64_t>(array.shape(axis)), 1};
  for (std::size_t i = 0; i < array.ndim(); ++i)
    if (i != axis) (i < axis ? extent.z : extent.x) *= static_cast<std::int64_t>(array.shape(i));
  return extent;
}

struct LineCall {
  ConstVoxelView image;
  VoxelView result;
  kernels::LineSetting setting;
  Asked asked;
};

LineCall line_call(const AnyReadArray& image, const AnyWrittenArray& result, std::size_t axis,
                   const std::string& boundary, double fill, bool whole, std::optional<int> workers,
                   std::optional<std::string> memory) {
  LineCall call{{static_cast<const std::byte*>(image.data()), pixel_type_of(image.dtype()),
                 extent_about(image, axis)},
                {static_cast<std::byte*>(result.data()), pixel_type_of(result.dtype()),
                 extent_about(result, axis)},
                {},
                {workers, std::move(memory)}};
  if (call.image.extent() != call.result.extent())
    throw InvalidSpec(fmt::format("filter lines: the result has room for {}, the image is {}",
                                  call.result.extent(), call.image.extent()));
  const auto known = boundary_named(boundary);
  if (!known)
    throw InvalidSpec(fmt::format(
        "filter lines: the boundary is '{}'; use zero, nearest, reflect, mirror or wrap",
        boundary));
  call.setting.boundary = *known;
  call.setting.fill = fill;
  call.setting.storing.in_any_type = whole;
  return call;
}

void run(const LineCall& call, const kernels::LineFilter& filter, double weights) {
  const double seconds = static_cast<double>(volume(call.image.extent())) *
                         (kElementSeconds + weights * kWeightSeconds);
  run_kernel(call.asked, seconds, [&](const RunContext& context) {
    filter_lines(filter, call.setting, call.image, call.result, context);
  });
}

void correlate_lines(const AnyReadArray& image, const AnyWrittenArray& result, std::size_t axis,
                     const std::vector<double>& weights, std::int64_t origin,
                     const std::string& boundary, double fill, bool whole,
                     std::optional<int> workers, std::optional<std::string> memory) {
  const LineCall call =
      line_call(image, result, axis, boundary, fill, whole, workers, std::move(memory));
  run(call, *kernels::line_correlation(weights, origin), static_cast<double>(weights.size()));
}

void mean_lines(const AnyReadArray& image, const AnyWrittenArray& result, std::size_t axis,
                std::int64_t size, std::int64_t origin, const std::string& boundary, double fill,
                bool whole, std::optional<int> workers, std::optional<std::string> memory) {
  const LineCall call =
      line_call(image, result, axis, boundary, fill, whole, workers, std::move(memory));
  run(call, *kernels::line_mean(size, origin), 0);
}

void spline_lines(const AnyReadArray& image, const AnyWrittenArray& result, std::size_t axis,
                  int order, const std::string& boundary, bool whole, std::optional<int> workers,
                  std::optional<std::string> memory) {
  const LineCall call =
      line_call(image, result, axis, boundary, 0, whole, workers, std::move(memory));
  run(call, *kernels::line_spline(order, call.setting.boundary, call.image.extent().y), 0);
}

}  // namespace

void add_line_filters(nb::module_& module) {
  const auto image = nb::arg("image").noconvert(), result = nb::arg("result").noconvert();
  const auto axis = nb::arg("axis");
  module.def("correlate_lines", correlate_lines, image, result, axis, nb::arg("weights"),
             nb::arg("origin"), nb::arg("boundary"), nb::arg("fill"), nb::arg("whole"),
             nb::arg("workers").none(), nb::arg("memory").none(), kCorrelateLines);
  module.def("mean_lines", mean_lines, image, result, axis, nb::arg("size"), nb::arg("origin"),
             nb::arg("boundary"), nb::arg("fill"), nb::arg("whole"), nb::arg("workers").none(),
             nb::arg("memory").none(), kMeanLines);
  module.def("spline_lines", spline_lines, image, result, axis, nb::arg("order"),
             nb::arg("boundary"), nb::arg("whole"), nb::arg("workers").none(),
             nb::arg("memory").none(), kSplineLines);
}

}  // namespace synthoscope::python
