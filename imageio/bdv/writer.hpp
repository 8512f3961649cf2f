// SPDX-License-Identifier: MIT
// imageio/bdv/writer.hpp — sinks that become files of BigDataViewer: HDF5 with a pyramid, and XML.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include "imageio/image/file.hpp"
#include "imageio/image/spec.hpp"

namespace synthoscope::imageio {

/// The XML beside the HDF5 file: its name with another ending.
std::filesystem::path bdv_xml_path(const std::filesystem::path& images);

/// @throws InvalidSpec  something is there that must not be replaced, or is no XML of
/// BigDataViewer.
void require_new_bdv_xml(const std::filesystem::path& images, bool overwrite);

/// Whole planes in z order. Chunks of all levels go to a log beside the file, from which both files
/// are made at the end. The XML gets its name first: the HDF5 file under its name says that all is
/// there.
std::unique_ptr<ImageFile> create_bdv(const std::filesystem::path& path, const ImageSpec& spec);
std::unique_ptr<ImageFile> resume_bdv(const std::filesystem::path& path, const ImageSpec& spec,
                                      const std::string& state);

/// What such a sink holds.
std::int64_t bdv_bytes(const ImageSpec& spec);

}  // namespace synthoscope::imageio
