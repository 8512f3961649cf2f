// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <array>
#include "core/base/error.hpp"
#include "kernels/arrays/double_correlation.hpp"
#include "python/arrays/functions.hpp"
#include "python/session/arrays.hpp"
#include "python/session/call.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;

constexpr const char* kDocstring =
    R"(Correlates a volume with weights, in double.

image, result : arrays (z, y, x), C order, of int8 to uint32, float32 or float64, not the same.
    Integers are truncated towards zero.
weights : float64 array (z, y, x); result(p) = sum of weights[k] image(p + k - centre).
centre : (z, y, x).
boundary, fill, whole, workers, memory : as correlate_lines has them.
)";

// Seconds of one thread, for a voxel, and for each of its weights
constexpr double kVoxelSeconds = 2e-9, kWeightSeconds = 1.2e-10;

void correlate(const ReadArray& image, const ReadArray& weights, const WrittenArray& result,
               const std::array<std::int64_t, 3>& centre, const std::string& boundary, double fill,
               bool whole, std::optional<int> workers, std::optional<std::string> memory) {
  const ConstVoxelView from = view_of(image), kernel = view_of(weights);
  const VoxelView to = view_of(result);
  if (from.extent() != to.extent() || kernel.type() != PixelType::float64)
    throw InvalidSpec(fmt::format(
        "correlate: the result has room for {}, the image is {}, the weights are of type {}; give "
        "both the same extent, and weights of type float64",
        to.extent(), from.extent(), name_of(kernel.type())));
  const auto known = boundary_named(boundary);
  if (!known)
    throw InvalidSpec(fmt::format(
        "correlate: the boundary is '{}'; use zero, nearest, reflect, mirror or wrap", boundary));
  const auto first = kernel.as<double>().data();
  kernels::DoubleCorrelation correlation;
  correlation.stencil = {
      kernel.extent(), {first, first + volume(kernel.extent())}, {centre[0], centre[1], centre[2]}};
  correlation.boundary = *known;
  correlation.fill = fill;
  correlation.storing.in_any_type = whole;
  const double seconds =
      static_cast<double>(volume(from.extent())) *
      (kVoxelSeconds + kWeightSeconds * static_cast<double>(volume(kernel.extent())));
  run_kernel({workers, std::move(memory)}, seconds, [&](const RunContext& context) {
    correlate_in_double(correlation, from, to, context);
  });
}

}  // namespace

void add_correlate(nb::module_& module) {
  module.def("correlate", correlate, nb::arg("image").noconvert(), nb::arg("weights").noconvert(),
             nb::arg("result").noconvert(), nb::arg("centre"), nb::arg("boundary"), nb::arg("fill"),
             nb::arg("whole"), nb::arg("workers").none(), nb::arg("memory").none(), kDocstring);
}

}  // namespace synthoscope::python
