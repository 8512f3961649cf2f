// SPDX-License-Identifier: MIT
#include "imageio/hdf5_stacks.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "imageio/bdv_layout.hpp"
#include "imageio/hdf5_attributes.hpp"
#include "imageio/hdf5_trial.hpp"

namespace synthoscope::imageio {
namespace {

ArrayAxes read_axes(const Hdf5Chunks& data) {
  const auto refuse = [&](const std::string& found) {
    refuse_hdf5(data.file().path(), fmt::format("its data set {} {}", data.data_set_name(), found),
                "accepted are y, x or z, y, x, and others as far as an attribute 'axes' names "
                "them by letters that end in yx, such as tczyx");
  };
  const std::size_t count = data.storage().shape.size();
  const auto letters = read_text(data.data_set(), kAxes, 64);
  if (!letters && count > 3) refuse(fmt::format("has {} axes, and none is named", count));
  const auto axes = axes_named(letters.value_or(count == 2 ? "yx" : "zyx"));
  if (!axes || (letters && letters->size() != count))
    refuse(fmt::format("has {} axes named '{}'", count, *letters));
  return *axes;
}

bool is_length(double um) {
  return std::isfinite(um) && um > 0;
}

void read_voxel_size(const Hdf5Handle& data_set, ImageInfo& info) {
  std::optional<double>* const axes[] = {&info.z_um, &info.y_um, &info.x_um};
  for (std::size_t i = 0; i < 3; ++i)
    if (const auto um = read_numbers(data_set, kVoxelSizes[i]))
      if (um->size() == 1 && is_length(um->front())) *axes[i] = um->front();
  const auto sizes = read_numbers(data_set, kElementSize);
  if (!sizes) return;
  if (sizes->size() == 3 && std::all_of(sizes->begin(), sizes->end(), is_length))
    for (std::size_t i = 0; i < 3; ++i) *axes[i] = (*sizes)[i];
  else
    info.notes.push_back(
        fmt::format("its {} is not three numbers above 0 and is passed over", kElementSize));
}

void read_kernel_center(const Hdf5Handle& data_set, ImageInfo& info) {
  const auto center = read_numbers(data_set, kKernelCenter);
  if (!center || center->size() != 3) return;
  const auto is_position = [](double v) { return std::abs(v) < 0x1p53 && v == std::floor(v); };
  if (!std::all_of(center->begin(), center->end(), is_position)) return;
  const auto at = [&](std::size_t i) { return static_cast<std::int64_t>((*center)[i]); };
  info.kernel_center = Index3{at(0), at(1), at(2)};
}

ImageInfo describe(const Hdf5Chunks& data, const ArrayAxes& axes) {
  const Hdf5Storage& s = data.storage();
  ImageInfo info;
  info.path = data.file().path();
  info.format = "HDF5";
  info.data_set = data.data_set_name();
  info.extent = axes.space(s.shape);
  info.type = s.type;
  info.channels = ArrayAxes::along(s.shape, axes.c);
  info.frames = ArrayAxes::along(s.shape, axes.t);
  if (s.stored_chunk != s.shape || !s.filter_names.empty())
    info.chunks = axes.space(s.stored_chunk);
  if (!s.filter_names.empty()) info.compression = s.filter_names;
  if (s.kind == Hdf5Storage::Kind::contiguous && s.offset < 0)
    info.notes.emplace_back("no voxel was ever written: all have the fill value");
  read_voxel_size(data.data_set(), info);
  read_kernel_center(data.data_set(), info);
  return info;
}

Hdf5Stacks read_stacks(const ImageName& name, const InputLimits& limits) {
  Hdf5Stacks stacks;
  stacks.data = std::make_shared<const Hdf5Chunks>(name, limits);
  const Hdf5Lock lock;
  stacks.axes = read_axes(*stacks.data);
  stacks.info = describe(*stacks.data, stacks.axes);
  if (const auto place = bdv_place(stacks.data->data_set_name()); place && place->level == 0)
    stacks.info.levels = bdv_levels(stacks.data->opened(), *place);
  if (stacks.info.channels > limits.channels)
    refuse_hdf5(
        name.file,
        fmt::format("it has {} channels, the limit is {}", stacks.info.channels, limits.channels),
        "raise it with --max-channels if you trust the file");
  return stacks;
}

}  // namespace

Hdf5Stacks read_hdf5_stacks(const ImageName& name, const InputLimits& limits) {
  return after_trial(name.file, [&] { return read_stacks(name, limits); });
}

}  // namespace synthoscope::imageio
