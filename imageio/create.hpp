// SPDX-License-Identifier: MIT
// imageio/create.hpp — creates an image file that appears under its name only when it is whole.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include "imageio/image/file.hpp"
#include "imageio/image/spec.hpp"

namespace synthoscope::imageio {

/// A path of HDF5 may name the data set: "out.h5:/path/to/it"; it is /image otherwise. An HDF5 file
/// holds that one image, has no flavour, and is uncompressed or packed by deflate, zstd or blosc,
/// of which readers know deflate without plug-ins.
///
/// An OME-Zarr is a folder: the image and a pyramid of smaller ones (pyramid.hpp), which are made
/// when it is built; uncompressed or packed by deflate, zstd or blosc.
///
/// For BigDataViewer, `path` (.h5) and an XML file that is called like it hold an image of uint8,
/// uint16 or float32 and its pyramid, packed as HDF5; both get their names when they are whole.
///
/// What each flavour of TIFF holds: `ome` and `plain` every pixel type and compression; `imagej`
/// uint8, uint16 and float32, uncompressed. Integers are compressed with the horizontal predictor.
/// Uncompressed files take boxes in any order from any thread; compressed ones whole planes in z
/// order.
///
/// Creates `path`.partial, laid out at once when uncompressed; `close` flushes, syncs and renames
/// it. Destroyed before `close`, it removes the partial file unless it is kept, and leaves an older
/// `path` alone.
/// @throws InvalidSpec  a type, size or compression that the format or flavour cannot hold, or
///                      `path` exists and `overwrite` is not set.
/// @throws IoError      the folder is missing or not writable, or the disk is full.
std::unique_ptr<ImageFile> create_image(const std::filesystem::path& path, const ImageSpec& spec);

/// Bytes that the sink of such a file (of TIFF, unless another format is said) holds beside
/// the voxels it is given, codecs included; the same for any number of threads.
std::int64_t buffered_bytes(const ImageSpec& spec);

/// Goes on with the `path`.partial that create_image began with the same `spec` and that was kept,
/// or whose process was killed: whatever was written after `settle` returned `state` counts as not
/// written. The finished file is the one that an uninterrupted process would have made.
/// @throws InvalidSpec  the partial file is gone or was not begun like this, and as create_image.
/// @throws IoError      another process is writing it, or it cannot be read.
std::unique_ptr<ImageFile> resume_image(const std::filesystem::path& path, const ImageSpec& spec,
                                        const std::string& state);

}  // namespace synthoscope::imageio
