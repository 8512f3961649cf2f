// SPDX-License-Identifier: MIT
#include "imageio/bdv/stacks.hpp"
#include <algorithm>
#include "imageio/hdf5/bdv_layout.hpp"

namespace synthoscope::imageio {

Hdf5Stacks read_bdv_stack(const std::filesystem::path& path, const BdvSeries& series,
                          std::int64_t channel, std::int64_t frame, const InputLimits& limits) {
  const BdvSetup& setup = series.setups[static_cast<std::size_t>(channel)];
  const std::int64_t timepoint = series.timepoints[static_cast<std::size_t>(frame)];
  auto stacks = read_hdf5_stacks({series.images, bdv_cells({timepoint, setup.id, 0})},
                                 {.channel = {}, .frame = {}, .limits = limits});
  ImageInfo& info = stacks.info;
  info.path = path;
  info.further_files = {series.images};
  info.format = "BigDataViewer HDF5";
  info.channels = std::ssize(series.setups);
  info.frames = std::ssize(series.timepoints);
  info.axes.clear();  // those of one image of the series
  info.axes_assumed = false;
  info.channel_names.clear();
  for (const BdvSetup& one : series.setups) info.channel_names.push_back(one.channel);
  info.z_um = setup.z_um;
  info.y_um = setup.y_um;
  info.x_um = setup.x_um;
  if (std::ranges::any_of(series.setups,
                          [&](const BdvSetup& s) { return s.extent != setup.extent; }))
    info.notes.emplace_back("its setups, which are the channels, differ in size");
  return stacks;
}

}  // namespace synthoscope::imageio
