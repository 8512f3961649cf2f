// SPDX-License-Identifier: MIT
// imageio/hdf5/writing/sinks.hpp — the two sinks that become HDF5 files: laid out, and compressed.
#pragma once
#include <memory>
#include <string>
#include "imageio/image/file.hpp"
#include "imageio/image/name.hpp"
#include "imageio/image/spec.hpp"

namespace synthoscope::imageio {

/// Laid out whole before the first voxel; boxes go in by pwrite in any order from any thread, so
/// that the library has no part in it and a kill leaves nothing half done.
std::unique_ptr<ImageFile> create_laid_out_hdf5(const ImageName& name, const ImageSpec& spec);
std::unique_ptr<ImageFile> resume_laid_out_hdf5(const ImageName& name, const ImageSpec& spec,
                                                const std::string& state);

/// Takes whole planes in z order. The threads of `spec.pool` pack chunks into a log
/// (chunks/log.hpp), from which the file is made at the end.
std::unique_ptr<ImageFile> create_compressed_hdf5(const ImageName& name, const ImageSpec& spec);
std::unique_ptr<ImageFile> resume_compressed_hdf5(const ImageName& name, const ImageSpec& spec,
                                                  const std::string& state);

/// What such a sink holds: one layer of chunks, the chunks that are packed at once, and where
/// each chunk is.
std::int64_t compressed_hdf5_bytes(const ImageSpec& spec);

}  // namespace synthoscope::imageio
