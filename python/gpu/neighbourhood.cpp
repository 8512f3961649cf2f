// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <array>
#include <memory>
#include "core/base/error.hpp"
#include "kernels/coordinates/affine.hpp"
#include "kernels/filters/filter.hpp"
#include "kernels/resample/resample.hpp"
#include "python/arrays/local_statistics.hpp"
#include "python/gpu/arrays.hpp"
#include "python/gpu/on_gpu.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;

constexpr const char* kCorrelate =
    R"(Correlates a volume on a GPU with weights, in single precision.

image : array (z, y, x), C order, of int8 to uint32 or float32, on a GPU.
weights : array (z, y, x), C order, of float64, on the host.
centre : (z, y, x) of the weight at the position of a result.
boundary : "zero", "nearest", "reflect", "mirror" or "wrap".
type : of the result, "float32" or of integers, which are rounded to nearest and clipped.

Returns an array on the same GPU, for DLPack.
)";
constexpr const char* kCorrelateAxes =
    R"(The same with the product of weights along each axis: lists of numbers.)";
constexpr const char* kLookUpAffine =
    R"(Looks a volume on a GPU up at matrix (z, y, x, 1), rows of four.

shape : of the result.
order : of the spline, 0, 1 or 3.
outside : "zero", "grid-constant", "nearest", "reflect", "mirror", "wrap" or "scipy-wrap".
fill : the value outside, for zero and grid-constant.
type : of the result, as for correlate_on_gpu.
)";
constexpr const char* kLocalStatistics =
    R"(Computes mean and variance of the neighbourhood of every voxel of a volume on a GPU.

Arguments are those of local_statistics; returns float32 arrays on the same GPU: of each window the
mean, then the variance.
)";

using PerAxis = std::array<std::int64_t, 3>;

PixelType type_of(const std::string& name) {
  if (const auto type = pixel_type_named(name); type && *type != PixelType::float64) return *type;
  throw InvalidSpec(
      fmt::format("make an array on a GPU: its type is '{}'; use float32, or integers of 8 to 32 "
                  "bits, or copy the array to the host",
                  name));
}

kernels::NeighbourhoodSetting setting_of(const GpuArray& image, const std::string& boundary,
                                         const std::string& type) {
  const auto outside = boundary_named(boundary);
  if (!outside)
    throw InvalidSpec(fmt::format(
        "filter on a GPU: the boundary is '{}'; use zero, nearest, reflect, mirror or wrap",
        boundary));
  return {extent_of(image), *outside, type_of(type)};
}

MadeArray filtered(const GpuArray& image, const kernels::NeighbourhoodSetting& setting,
                   const kernels::FilterKernel& kernel) {
  const auto filter = kernels::make_filter(setting, kernel);
  return std::move(results_there(*filter.operation, image).front());
}

MadeArray correlate(const GpuArray& image, const ReadArray& weights, const PerAxis& centre,
                    const std::string& boundary, const std::string& type) {
  const ConstVoxelView w = view_of(weights);
  if (w.type() != PixelType::float64)
    throw InvalidSpec(fmt::format("correlate on a GPU: weights are {}; use float64", w.type()));
  const auto* const first = reinterpret_cast<const double*>(w.data());
  return filtered(
      image, setting_of(image, boundary, type),
      kernels::Stencil{
          w.extent(), {first, first + volume(w.extent())}, {centre[0], centre[1], centre[2]}});
}

MadeArray correlate_axes(const GpuArray& image, std::vector<double> z, std::vector<double> y,
                         std::vector<double> x, const PerAxis& centre, const std::string& boundary,
                         const std::string& type) {
  kernels::SeparableStencil stencil =
      kernels::separable_stencil(std::move(z), std::move(y), std::move(x));
  stencil.centre = {centre[0], centre[1], centre[2]};
  return filtered(image, setting_of(image, boundary, type), stencil);
}

kernels::Interpolation interpolation_of(int order) {
  if (order == 0) return kernels::Interpolation::nearest;
  if (order == 1) return kernels::Interpolation::linear;
  if (order == 3) return kernels::Interpolation::cubic;
  throw InvalidSpec(fmt::format(
      "look up on a GPU: the order is {}; use 0, 1 or 3, or copy the array to the host", order));
}

MadeArray look_up_affine(const GpuArray& image, const std::array<std::array<double, 4>, 3>& matrix,
                         const PerAxis& shape, int order, const std::string& outside, double fill,
                         const std::string& type) {
  const auto known = kernels::outside_named(outside);
  if (!known)
    throw InvalidSpec(fmt::format("look up on a GPU: outside is '{}'; see look_up_axes", outside));
  kernels::ResampleSpec spec;
  spec.result = {shape[0], shape[1], shape[2]};
  spec.interpolation = interpolation_of(order);
  spec.outside = *known;
  spec.fill = fill;
  spec.type = type_of(type);
  kernels::Resample operation{extent_of(image),
                              std::make_shared<kernels::AffineMap>(kernels::Affine{matrix}), spec};
  return std::move(results_there(operation, image).front());
}

std::vector<MadeArray> local_statistics(const GpuArray& image, const std::string& window,
                                        const std::vector<std::array<double, 3>>& sizes,
                                        const std::string& boundary) {
  const ConstVoxelView voxels = device_view_of(image);
  const auto operation = kernels::local_variance(mean_and_variance(window, sizes, boundary),
                                                 voxels.extent(), voxels.type());
  return results_there(*operation, image);
}

}  // namespace

void add_neighbourhood_on_gpu(nb::module_& module) {
  const auto image = nb::arg("image").noconvert();
  module.def("correlate_on_gpu", correlate, image, nb::arg("weights").noconvert(),
             nb::arg("centre"), nb::arg("boundary"), nb::arg("type"), kCorrelate);
  module.def("correlate_axes_on_gpu", correlate_axes, image, nb::arg("z"), nb::arg("y"),
             nb::arg("x"), nb::arg("centre"), nb::arg("boundary"), nb::arg("type"), kCorrelateAxes);
  module.def("look_up_affine_on_gpu", look_up_affine, image, nb::arg("matrix"), nb::arg("shape"),
             nb::arg("order"), nb::arg("outside"), nb::arg("fill"), nb::arg("type"), kLookUpAffine);
  module.def("local_statistics_on_gpu", local_statistics, image, nb::arg("window"),
             nb::arg("sizes"), nb::arg("boundary"), kLocalStatistics);
}

}  // namespace synthoscope::python
