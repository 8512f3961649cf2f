// SPDX-License-Identifier: MIT
// imageio/bdv/stacks.hpp — the stacks of a BigDataViewer series: setups as channels, time points as
// frames.
#pragma once
#include <cstdint>
#include "imageio/bdv/xml.hpp"
#include "imageio/hdf5/stacks.hpp"

namespace synthoscope::imageio {

/// The whole image of one setup at one time, with the size of voxels that the XML at `path` says.
/// Its stacks hold that one, whose info counts all.
/// @throws as read_hdf5_stacks.
Hdf5Stacks read_bdv_stack(const std::filesystem::path& path, const BdvSeries& series,
                          std::int64_t channel, std::int64_t frame, const InputLimits& limits);

}  // namespace synthoscope::imageio
