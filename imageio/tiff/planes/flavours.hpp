// SPDX-License-Identifier: MIT
// imageio/tiff/planes/flavours.hpp — where the planes lie in the pages of each flavour of TIFF:
// ImageJ, OME, shaped (tifffile), STK (MetaMorph).
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>
#include "imageio/input/key_lines.hpp"
#include "imageio/tiff/planes/ome_xml.hpp"
#include "imageio/tiff/planes/stacks.hpp"

namespace synthoscope::imageio {

struct ImagejShape {
  std::int64_t channels = 1, slices = 1, frames = 1;
};

/// The shape that a description gives to `images` planes; either of slices and frames may be left
/// out. Nothing when it does not fit.
std::optional<ImagejShape> imagej_shape(const KeyLines& lines, std::int64_t images);

/// Fills `stacks`, whose file has the full-size pages `pages`, with planes in the order of storage
/// and the voxel size. Returns the axes of the planes.
/// @throws InvalidInput
/// @source  ImageJ 1.x, ij/io/TiffDecoder.java, FileOpener.java and FileSaver.java: order of planes
///          XYCZT; a stack beyond 4 GB has one directory, and its planes follow the first one;
///          signed 16 bits are stored with an offset that the calibration takes off.
AxesOfFile place_imagej_planes(const KeyLines& lines, const std::vector<std::int64_t>& pages,
                               const InputLimits& limits, TiffStacks& stacks);

/// Fills `stacks`, whose first file carries the XML or is described by a companion file, with the
/// planes that `image` declares, and opens the other files of the set: only ones in the same
/// folder. Frames at the end that no page holds are left out with a note, as an acquisition that
/// was stopped leaves them. Returns the axes of the planes.
/// @throws InvalidInput  a plane is missing, declared outside the image, or in a file elsewhere, or
///                       the document describes other files than this one.
/// @throws IoError       a file of the set is missing.
AxesOfFile place_ome_planes(const OmeImage& image, const OpenOptions& options, TiffStacks& stacks);

/// True if a description looks like tifffile's.
bool is_shaped(std::string_view text);

/// Fills `stacks`, whose file has the full-size pages `pages`, with planes in the order of storage
/// and the voxel size. A file may hold several arrays, one after the other: `options.image`
/// chooses. Returns the axes of the planes; nothing, with a note, if the description does not fit
/// the file.
/// @throws InvalidInput, InvalidSpec
/// @source  tifffile 2023, TiffFile._series_shaped
std::optional<AxesOfFile> place_shaped_planes(std::string_view text,
                                              const std::vector<std::int64_t>& pages,
                                              const OpenOptions& options, TiffStacks& stacks);

/// Fills `stacks`, whose file has one page of full size, `page`, with the planes that the tag UIC2
/// counts. They are z where every plane has a distance, and t where the times differ.
/// @throws InvalidInput  the planes are compressed, or the file is too short for them.
/// @source  MetaMorph Stack (STK) Image File Format, Molecular Devices; tifffile 2023, _series_stk
AxesOfFile place_stk_planes(std::int64_t page, const InputLimits& limits, TiffStacks& stacks);

}  // namespace synthoscope::imageio
