// SPDX-License-Identifier: MIT
// imageio/create.hpp — creates image files, which appear under their name only when they are whole.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include "imageio/image/file.hpp"
#include "imageio/image/spec.hpp"

namespace synthoscope::imageio {

/// Creates `path`.partial, which is laid out at once if it is uncompressed; `close` flushes, syncs
/// and renames it. If the object is destroyed before `close`, the partial file is removed unless it
/// is kept (ImageFile::keep), and an older `path` is unchanged.
///
/// HDF5: a path may name the array, "out.h5:/path/to/it"; the default is /image. The file holds
/// that one image, uncompressed or compressed by deflate, zstd or blosc, of which other readers
/// know deflate without plug-ins.
///
/// OME-Zarr: a folder with the image and its pyramid (chunks/pyramid.hpp), which is made by
/// `build`; uncompressed or compressed by deflate, zstd or blosc.
///
/// BigDataViewer: `path` (.h5) and an XML file of the same name hold an image of uint8, uint16 or
/// float32 and its pyramid, compressed like HDF5; both are renamed when they are whole.
///
/// TIFF: the flavours `ome` and `plain` hold every pixel type and compression; `imagej` holds
/// uint8, uint16 and float32, uncompressed. Integers are compressed with the horizontal predictor.
/// `ome` and `imagej` hold several channels and frames; the caller writes the planes of all stacks
/// as one volume in the order of ImageSpec::extent.
///
/// Uncompressed files take boxes in any order from any thread; compressed ones take whole planes in
/// z order.
/// @throws InvalidSpec  the format or flavour cannot hold the type, size or compression, or `path`
///                      exists and `overwrite` is not set.
/// @throws IoError      the folder is missing or not writable, or the disk is full.
std::unique_ptr<ImageFile> create_image(const std::filesystem::path& path, const ImageSpec& spec);

/// Creates `path`.partial, and starts a thread that takes disk space for its voxels while the
/// caller plans a run. Pass the returned object to create_image as `spec.begun`; the partial file
/// is removed if the object is destroyed before. Returns null if there is nothing to gain, or if
/// there is a partial file already, from which a run might be resumed.
/// @throws as create_image
std::shared_ptr<BegunFile> begin_image(const std::filesystem::path& path, const ImageSpec& spec);

/// Returns the memory that the sink of such a file uses, codecs included, in addition to the
/// caller's voxels. The format is TIFF unless the spec names another. Independent of the number of
/// threads.
std::int64_t buffered_bytes(const ImageSpec& spec);

/// Returns the most that OpenImage::buffer_bytes is of such a file, if it is opened with 0 for
/// OpenOptions::cache_bytes.
std::int64_t least_reading_bytes(const ImageSpec& spec);

/// Resumes `path`.partial, which create_image began with the same `spec` and which was kept, or
/// whose process was killed. Discards what was written after `checkpoint` returned `state`. The
/// finished file has the bytes of an uninterrupted process.
/// @throws InvalidSpec  the partial file is missing or was begun with another `spec`, and as
///                      create_image.
/// @throws IoError      another process is writing the partial file, or it cannot be read.
std::unique_ptr<ImageFile> resume_image(const std::filesystem::path& path, const ImageSpec& spec,
                                        const std::string& state);

}  // namespace synthoscope::imageio
