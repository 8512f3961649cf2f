// SPDX-License-Identifier: MIT
// imageio/bdv/stacks.hpp — the stacks of a BigDataViewer series: setups as channels, time points as
// frames.
#pragma once
#include "imageio/image/stacks.hpp"

namespace synthoscope::imageio {

/// Reads the XML file `input` and describes the first image of the HDF5 file that it names.
/// @throws as read_bdv_xml and read_hdf5_stacks.
ImageStacks read_bdv(ImageInput input, const OpenOptions& options);

}  // namespace synthoscope::imageio
