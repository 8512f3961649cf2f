// SPDX-License-Identifier: MIT
// imageio/tiff/writing/sinks.hpp — the two sinks that become TIFF files: laid out, and compressed.
#pragma once
#include <filesystem>
#include <memory>
#include "imageio/image/file.hpp"
#include "imageio/image/spec.hpp"
#include "imageio/output/partial_file.hpp"

namespace synthoscope::imageio {

/// Takes space for the voxels: see begin_image.
std::shared_ptr<BegunFile> begin_laid_out_tiff(const std::filesystem::path& path,
                                               const ImageSpec& spec);

/// Laid out whole before the first voxel; boxes go in by pwrite in any order from any thread.
std::unique_ptr<ImageFile> create_laid_out_tiff(const std::filesystem::path& path,
                                                const ImageSpec& spec);
std::unique_ptr<ImageFile> resume_laid_out_tiff(const std::filesystem::path& path,
                                                const ImageSpec& spec, const std::string& state);

/// Takes whole planes in z order and appends each; libtiff's codecs compress the strips.
std::unique_ptr<ImageFile> create_compressed_tiff(const std::filesystem::path& path,
                                                  const ImageSpec& spec);
std::unique_ptr<ImageFile> resume_compressed_tiff(const std::filesystem::path& path,
                                                  const ImageSpec& spec, const std::string& state);

/// A `File` that goes on from `state`.
template <class File>
std::unique_ptr<ImageFile> resume_file(const std::filesystem::path& path, const ImageSpec& spec,
                                       const std::string& state) {
  auto file = std::make_unique<File>(path, spec, spec.shared ? Leftover::share : Leftover::resume);
  file->resume_from(state);
  return file;
}

/// What a compressed file's sink holds, the same for any number of threads.
std::int64_t compressed_tiff_bytes(const ImageSpec& spec);

}  // namespace synthoscope::imageio
