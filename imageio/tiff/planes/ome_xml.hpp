// SPDX-License-Identifier: MIT
// imageio/tiff/planes/ome_xml.hpp — the part of OME-XML that says what planes a file set holds.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "core/volume/extent.hpp"
#include "imageio/image/spec.hpp"

namespace synthoscope::imageio {

/// A run of pages and the planes it holds.
struct OmeTiffData {
  std::optional<std::int64_t> first_page, count;
  std::int64_t c = 0, t = 0, z = 0;  ///< of the first plane
  std::string file, uuid;            ///< empty: the file that carries the XML
};

/// One image of an OME document.
struct OmeImage {
  std::string uuid;                 ///< of the document
  std::vector<std::string> images;  ///< of the document, a line for each
  std::string companion;            ///< file that describes the images; then there are none here
  std::int64_t x = 0, y = 0, z = 1, c = 1, t = 1;
  std::string order = "XYZCT";
  std::optional<double> z_um, y_um, x_um;
  std::optional<Index3> kernel_center;
  std::vector<ImageChannel> channels;  ///< for each of `c`, or none
  std::vector<OmeTiffData> data;
};

/// True if the root of a description is OME, with any prefix.
bool is_ome_xml(std::string_view text);

/// @throws InvalidInput  the text is no well-formed XML, declares a document type (and so
///                       entities), or its sizes are missing or not positive.
/// @source  OME schema 2016-06, https://www.openmicroscopy.org/Schemas/OME/2016-06/ome.xsd
/// @param image  which one, from 0; the first where there is no such image.
OmeImage parse_ome_xml(std::string_view text, const std::filesystem::path& path,
                       std::int64_t image = 0);

/// The document of a file with one image, whose pages are its planes in the order of
/// ImageSpec::extent (OME's XYZCT), in UTF-8. Equal arguments give equal text: the UUID (version 5)
/// is made from them.
/// @param name  the file's name; part of the UUID where `spec.provenance` is empty.
std::string print_ome_xml(const ImageSpec& spec, std::string_view name);

}  // namespace synthoscope::imageio
