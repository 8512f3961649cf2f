// SPDX-License-Identifier: MIT
#include "python/files/given_stacks.hpp"
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <tuple>

namespace synthoscope::python {
namespace {

namespace nb = nanobind;

std::optional<std::string> file_name_in(const nb::object& given) {
  if (!nb::isinstance<nb::str>(given)) return std::nullopt;
  return nb::cast<std::string>(given);
}

std::optional<Index3> voxel_in(const nb::object& given) {
  using Voxel = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
  const auto voxel = nb::cast<std::optional<Voxel>>(given);
  if (!voxel) return std::nullopt;
  return Index3{std::get<0>(*voxel), std::get<1>(*voxel), std::get<2>(*voxel)};
}

}  // namespace

GivenStacks::GivenStacks(const nb::object& image, const nb::object& kernel,
                         const nb::object& result, const std::string& call, MemoryBudget& memory) {
  if (const auto file = file_name_in(image)) {
    image_stack_.file = *file;
  } else {
    image_.emplace(SlicedArray{image, "the image", call}, memory);
    image_stack_ = {{}, &*image_, "the image"};
  }
  if (const auto file = file_name_in(kernel)) {
    kernel_stack_.file = *file;
  } else {
    const auto& [voxels, center] = nb::cast<std::tuple<ReadArray, nb::object>>(kernel);
    kernel_voxels_ = voxels;
    kernel_.emplace(view_of(*kernel_voxels_));
    kernel_stack_ = {{}, &*kernel_, "array", voxel_in(center)};
  }
  if (const auto file = file_name_in(result))
    result_file_ = *file;
  else
    result_.emplace(SlicedArray{result, "the result", call}, memory);
}

std::optional<PixelType> GivenStacks::result_type() const {
  if (!result_) return std::nullopt;
  return result_->pixel_type();
}

void GivenStacks::warn_of_slowness(Log& log) const {
  if (image_)
    if (const std::string said = image_->slowness(); !said.empty()) log.warn(said);
  if (result_)
    if (const std::string said = result_->slowness(); !said.empty()) log.warn(said);
}

}  // namespace synthoscope::python
