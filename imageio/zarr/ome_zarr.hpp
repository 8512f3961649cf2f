// SPDX-License-Identifier: MIT
// imageio/zarr/ome_zarr.hpp — how the folder of an OME-Zarr says what its arrays are.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "imageio/image/spec.hpp"
#include "imageio/input/limits.hpp"
#include "imageio/zarr/array.hpp"

namespace synthoscope::imageio {

/// What a viewer is to show from black to white.
struct IntensityRange {
  double low = 0, high = 0;
};

/// Returns the files of the group (name and text), which list the levels "0", "1", ... of the
/// image; its name is that of the folder. Equal specs give equal text. `range` is that of the
/// channel, if the spec has one.
/// @source  OME-NGFF 0.4 and 0.5, https://ngff.openmicroscopy.org
std::vector<std::pair<std::string, std::string>> print_ome_zarr(const ImageSpec& spec,
                                                                const IntensityRange& range);

/// One array of a pyramid.
struct OmeZarrLevel {
  std::string path;  ///< its folder, relative to the group's folder
  std::optional<double> z_um, y_um, x_um;
};

/// One image of a group.
struct OmeZarrImage {
  ZarrVersion version = ZarrVersion::ome_0_4;
  std::string axes;                  ///< "tczyx"
  std::vector<OmeZarrLevel> levels;  ///< the largest first
  std::vector<std::string> labels;   ///< names of the images in labels/
  std::optional<Index3> kernel_center;
  std::vector<std::string> images;     ///< of the group, a line for each
  std::vector<ImageChannel> channels;  ///< as "omero" lists them
};

/// Reads the description of the group in `folder`; nothing if it is no group with an image.
/// @throws InvalidInput  it says what OME-NGFF does not allow, or an array lies outside the folder.
/// @throws IoError
/// @param image  which one, from 0; the first where there is no such image.
std::optional<OmeZarrImage> read_ome_zarr(const std::filesystem::path& folder,
                                          const InputLimits& limits, std::int64_t image = 0);

/// Folders of the images of a group that is no image itself, "0", "1", ..., as bioformats2raw
/// writes them; empty for any other group.
/// @throws InvalidInput, IoError
std::vector<std::string> images_in_series(const std::filesystem::path& folder,
                                          const InputLimits& limits);

/// Returns the text of a small metadata file; nothing if there is no such file.
/// @throws InvalidInput  it passes the limit of descriptions.  @throws IoError
std::optional<std::string> read_description(const std::filesystem::path& file,
                                            const InputLimits& limits);

}  // namespace synthoscope::imageio
