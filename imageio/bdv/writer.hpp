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

/// Returns the path of the XML file of an HDF5 file: the same name with another extension.
std::filesystem::path bdv_xml_path(const std::filesystem::path& images);

/// @throws InvalidSpec  something is there that must not be replaced, or is no XML of
/// BigDataViewer.
void require_new_bdv_xml(const std::filesystem::path& images, bool overwrite);

/// @throws InvalidSpec  files of BigDataViewer cannot hold what `spec` describes or have this name.
void check_bdv(const std::filesystem::path& path, const ImageSpec& spec);

/// Takes whole planes in z order. Chunks of all levels go to a log, from which both files are made
/// at the end. The XML is renamed first: an HDF5 file with its final name means that both are
/// whole.
std::unique_ptr<ImageFile> create_bdv(const std::filesystem::path& path, const ImageSpec& spec);
std::unique_ptr<ImageFile> resume_bdv(const std::filesystem::path& path, const ImageSpec& spec,
                                      const std::string& state);

/// What such a sink holds.
std::int64_t bdv_bytes(const ImageSpec& spec);
std::int64_t bdv_reading_bytes(const ImageSpec& spec);

}  // namespace synthoscope::imageio
