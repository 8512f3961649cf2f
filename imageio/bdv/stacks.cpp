// SPDX-License-Identifier: MIT
#include "imageio/bdv/stacks.hpp"
#include <algorithm>
#include "imageio/bdv/xml.hpp"
#include "imageio/hdf5/bdv_layout.hpp"
#include "imageio/hdf5/stacks.hpp"

namespace synthoscope::imageio {
namespace {

/// The whole image of one setup at one time, with the size of voxels that the XML at `path` says.
/// Its stacks hold that one, whose info counts all.
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

}  // namespace

ImageStacks read_bdv(ImageInput input, const OpenOptions& options) {
  const BdvSeries series = read_bdv_xml(*input.file, options.limits);
  const auto stack_of = [path = input.name.file, series, limits = options.limits](
                            std::int64_t channel, std::int64_t frame) {
    return read_bdv_stack(path, series, channel, frame, limits);
  };
  const std::int64_t most = options.cache_bytes;
  return {stack_of(0, 0).info, [stack_of, most](std::int64_t channel, std::int64_t frame) {
            const Hdf5Stacks stack = stack_of(channel, frame);
            return OpenImage{stack.info, stack.source(0, 0, most), stack.buffer_bytes(most)};
          }};
}

}  // namespace synthoscope::imageio
