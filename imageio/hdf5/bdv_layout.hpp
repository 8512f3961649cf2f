// SPDX-License-Identifier: MIT
// imageio/hdf5/bdv_layout.hpp — where BigDataViewer's HDF5 files keep their images.
// @source  https://imagej.net/plugins/bdv/, "XML/HDF5 file format"
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "core/volume/extent.hpp"
#include "imageio/hdf5/library.hpp"

namespace synthoscope::imageio {

/// One level of the pyramid of one setup (a channel, as a rule) at one time.
struct BdvPlace {
  std::int64_t timepoint = 0, setup = 0, level = 0;
};

/// "/t00000/s00/0/cells".
std::string bdv_cells(const BdvPlace& place);

/// The inverse; nothing for other names.
std::optional<BdvPlace> bdv_place(std::string_view data_set);

/// Whether the int16 of an array are uint16, bit for bit: the format was made for a library that
/// had no others, and its readers still take them so. Under the library's lock, as the next.
bool is_bdv_uint16(const Hdf5Handle& file, std::string_view data_set);

/// Extents of all levels of the image at `whole`, itself first.
std::vector<Extent3> bdv_levels(const Hdf5Handle& file, const BdvPlace& whole);

}  // namespace synthoscope::imageio
