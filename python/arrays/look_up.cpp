// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include "core/base/error.hpp"
#include "kernels/arrays/spline_lookup.hpp"
#include "kernels/coordinates/affine.hpp"
#include "python/arrays/functions.hpp"
#include "python/session/arrays.hpp"
#include "python/session/call.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;

constexpr const char* kAxes =
    R"(Looks an image up at coordinates that are separate for each axis.

image, result : arrays (z, y, x), C order, of int8 to uint32, float32 or float64, not the same.
z, y, x : float64 arrays of coordinates; empty if an axis keeps its voxels.
order : of the spline, 0 to 5.
outside : "zero", "grid-constant", "nearest", "reflect", "mirror", "wrap" or "scipy-wrap".
fill : the value outside, for zero and grid-constant.
fits : whether the spline is fitted to the image; else it holds coefficients.
whole : whether results are whole numbers, of floating types, too.
workers, memory : threads and bytes.
)";
constexpr const char* kAffine =
    R"(Looks an image up at matrix (z, y, x, 1), rows of four; `kept` tells which of z and y stay as
they are. For the rest see look_up_axes.)";
constexpr const char* kAt =
    R"(Looks an image up at `at`, a float64 array (axes, 1, voxels) of coordinates along the image's
last axes, for a result (1, 1, voxels). For the rest see look_up_axes.)";

// Seconds of one thread, for a voxel of a result, for each element that contributes to it, and for
// one that is fitted along an axis
constexpr double kVoxelSeconds = 6e-9, kElementSeconds = 1e-9, kFitSeconds = 3e-9;

/// What is looked up how; made from what all three functions are given.
struct LookUpCall {
  ConstVoxelView image;
  VoxelView result;
  kernels::SplineLookup how;
  Asked asked;

  [[nodiscard]] int axes() const {
    return 3 - (how.kept.z ? 1 : 0) - (how.kept.y ? 1 : 0) - (how.kept.x ? 1 : 0);
  }
  [[nodiscard]] double seconds() const {
    const double elements = std::pow(how.order + 1, axes());
    const double fitted = how.fits && how.order > 1 ? kFitSeconds * axes() : 0;
    return static_cast<double>(volume(result.extent())) *
               (kVoxelSeconds + kElementSeconds * elements) +
           static_cast<double>(volume(image.extent())) * fitted;
  }
};

/// Arguments other than image, result and coordinates.
struct HowLookedUp {
  int order;
  const std::string& outside;
  double fill;
  bool fits, whole;
};

LookUpCall look_up_call(const ReadArray& image, const WrittenArray& result, const HowLookedUp& said,
                        kernels::KeptAxes kept, Asked asked) {
  LookUpCall call{view_of(image), view_of(result), {}, std::move(asked)};
  const auto outside = kernels::outside_named(said.outside);
  if (!outside)
    throw InvalidSpec(fmt::format(
        "look up: outside is '{}'; use zero, grid-constant, nearest, reflect, mirror, wrap or "
        "scipy-wrap",
        said.outside));
  kernels::SplineLookup& how = call.how;
  how.order = said.order;
  how.outside = *outside;
  how.fill = said.fill;
  how.fits = said.fits;
  how.kept = kept;
  how.storing.in_any_type = said.whole;
  return call;
}

using Coordinates = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const double> span_of(const Coordinates& axis) {
  return {axis.data(), axis.shape(0)};
}

void look_up_axes(const ReadArray& image, const WrittenArray& result, const Coordinates& at_z,
                  const Coordinates& at_y, const Coordinates& at_x, int order,
                  const std::string& outside, double fill, bool fits, bool whole,
                  std::optional<int> workers, std::optional<std::string> memory) {
  const kernels::AxisCoordinates at{span_of(at_z), span_of(at_y), span_of(at_x)};
  const LookUpCall call =
      look_up_call(image, result, {order, outside, fill, fits, whole},
                   {at.z.empty(), at.y.empty(), at.x.empty()}, {workers, std::move(memory)});
  const Extent3& e = call.result.extent();
  const auto is_for = [](std::span<const double> axis, std::int64_t n, bool kept) {
    return kept || std::ssize(axis) == n;
  };
  if (!is_for(at.z, e.z, call.how.kept.z) || !is_for(at.y, e.y, call.how.kept.y) ||
      !is_for(at.x, e.x, call.how.kept.x))
    throw InvalidSpec(fmt::format(
        "look up: {}, {} and {} coordinates for a result of {}; give as many as it has voxels",
        at.z.size(), at.y.size(), at.x.size(), e));
  run_kernel(call.asked, call.seconds(), [&](const RunContext& context) {
    look_up(call.how, call.image, at, call.result, context);
  });
}

void look_up_affine(const ReadArray& image, const WrittenArray& result,
                    const std::array<std::array<double, 4>, 3>& matrix,
                    const std::array<bool, 2>& kept, int order, const std::string& outside,
                    double fill, bool fits, bool whole, std::optional<int> workers,
                    std::optional<std::string> memory) {
  const LookUpCall call = look_up_call(image, result, {order, outside, fill, fits, whole},
                                       {kept[0], kept[1], false}, {workers, std::move(memory)});
  run_kernel(call.asked, call.seconds(), [&](const RunContext& context) {
    look_up(call.how, call.image, kernels::AffineMap{{matrix}}, call.result, context);
  });
}

/// Coordinates that are given for every voxel of a row.
class GivenCoordinates final : public kernels::CoordinateMap {
 public:
  /// @param at  positions along z, y, x; null for an axis that has none
  explicit GivenCoordinates(const std::array<const double*, 3>& at) : at_{at} {}

  void row(std::int64_t, std::int64_t, std::int64_t x, std::int64_t count,
           const kernels::CoordinateRow& to) const override {
    const std::array<double*, 3> rows{to.z, to.y, to.x};
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (at_[axis]) std::copy_n(at_[axis] + x, count, rows[axis]);
  }
  [[nodiscard]] kernels::CoordinateRange range(const Box3&) const override {
    return kernels::CoordinateRange::everywhere();
  }

 private:
  std::array<const double*, 3> at_;
};

void look_up_at(const ReadArray& image, const WrittenArray& result, const ReadArray& at, int order,
                const std::string& outside, double fill, bool fits, bool whole,
                std::optional<int> workers, std::optional<std::string> memory) {
  const ConstVoxelView coordinates = view_of(at);
  const std::int64_t axes = coordinates.extent().z, count = coordinates.extent().x;
  const Extent3 result_extent = view_of(result).extent();
  if (coordinates.type() != PixelType::float64 || axes < 1 || axes > 3 ||
      result_extent != Extent3{1, 1, count})
    throw InvalidSpec(fmt::format(
        "look up: coordinates of type {} and extent {} for a result of {}; give float64 ones, a "
        "row for each of 1 to 3 axes",
        name_of(coordinates.type()), coordinates.extent(), result_extent));
  std::array<const double*, 3> rows{};
  for (std::int64_t axis = 0; axis < axes; ++axis)
    rows[static_cast<std::size_t>(3 - axes + axis)] = coordinates.as<double>().row(axis, 0);
  const LookUpCall call = look_up_call(image, result, {order, outside, fill, fits, whole},
                                       {axes < 3, axes < 2, false}, {workers, std::move(memory)});
  run_kernel(call.asked, call.seconds(), [&](const RunContext& context) {
    look_up(call.how, call.image, GivenCoordinates{rows}, call.result, context);
  });
}

}  // namespace

void add_look_up(nb::module_& module) {
  const auto image = nb::arg("image").noconvert(), result = nb::arg("result").noconvert();
  const auto workers = nb::arg("workers").none(), memory = nb::arg("memory").none();
  module.def("look_up_axes", look_up_axes, image, result, nb::arg("z").noconvert(),
             nb::arg("y").noconvert(), nb::arg("x").noconvert(), nb::arg("order"),
             nb::arg("outside"), nb::arg("fill"), nb::arg("fits"), nb::arg("whole"), workers,
             memory, kAxes);
  module.def("look_up_affine", look_up_affine, image, result, nb::arg("matrix"), nb::arg("kept"),
             nb::arg("order"), nb::arg("outside"), nb::arg("fill"), nb::arg("fits"),
             nb::arg("whole"), workers, memory, kAffine);
  module.def("look_up_at", look_up_at, image, result, nb::arg("at").noconvert(), nb::arg("order"),
             nb::arg("outside"), nb::arg("fill"), nb::arg("fits"), nb::arg("whole"), workers,
             memory, kAt);
}

}  // namespace synthoscope::python
