// SPDX-License-Identifier: MIT
// imageio/bdv/xml.hpp — the XML file of BigDataViewer, which describes the images in an HDF5 file.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "core/volume/extent.hpp"
#include "imageio/image/spec.hpp"
#include "imageio/input/file.hpp"
#include "imageio/input/limits.hpp"

namespace synthoscope::imageio {

/// Images of the same thing by one camera through one filter: a channel, as a rule.
struct BdvSetup {
  std::int64_t id = 0;
  std::optional<Extent3> extent;
  std::optional<double> z_um, y_um, x_um;
  ImageChannel channel;  ///< its name, unless it is a mere number
};

struct BdvSeries {
  std::filesystem::path images;          ///< the HDF5 file
  std::vector<BdvSetup> setups;          ///< as they are listed; at least one
  std::vector<std::int64_t> timepoints;  ///< at least one
};

/// Returns the XML file for `images`, which hold one setup at one time. Equal specs give equal
/// text.
std::string print_bdv_xml(const ImageSpec& spec, const std::filesystem::path& images);

/// True for XML whose root is SpimData.
bool is_bdv_xml(const InputFile& file);

/// @throws InvalidInput  it is not well formed, passes a limit, or its images are not in an HDF5
///                       file in its folder or below.
/// @throws IoError
BdvSeries read_bdv_xml(const InputFile& file, const InputLimits& limits);

}  // namespace synthoscope::imageio
