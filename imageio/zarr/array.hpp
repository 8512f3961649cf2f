// SPDX-License-Identifier: MIT
// imageio/zarr/array.hpp — one array of a Zarr folder: how it says what it holds.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>
#include "core/base/json_fwd.hpp"
#include "core/base/names.hpp"
#include "core/volume/pixel_type.hpp"
#include "imageio/chunks/codec.hpp"
#include "imageio/image/spec.hpp"
#include "imageio/image/stored_type.hpp"

namespace synthoscope::imageio {

/// Versions of OME-Zarr: on Zarr's format 2, which all readers know, or on 3.
enum class ZarrVersion { ome_0_4, ome_0_5 };

/// Of an image that is written.
constexpr ZarrVersion zarr_version(const ImageSpec& spec) {
  return spec.format == FileFormat::zarr3 ? ZarrVersion::ome_0_5 : ZarrVersion::ome_0_4;
}

ChunkCodec zarr_codec(const ImageSpec& spec);

/// Types of voxels by their names in format 2, without the byte order before them.
inline constexpr NameTable<PixelType, 8> kZarrTypes{{
    {PixelType::int8, "i1"},
    {PixelType::uint8, "u1"},
    {PixelType::int16, "i2"},
    {PixelType::uint16, "u2"},
    {PixelType::int32, "i4"},
    {PixelType::uint32, "u4"},
    {PixelType::float32, "f4"},
    {PixelType::float64, "f8"},
}};

/// Both versions call them so; format 3 knows no zlib.
inline constexpr NameTable<ChunkCodec, 4> kZarrCodecs{{
    {ChunkCodec::gzip, "gzip"},
    {ChunkCodec::zlib, "zlib"},
    {ChunkCodec::zstd, "zstd"},
    {ChunkCodec::blosc, "blosc"},
}};

/// Each chunk is a file; all have the same shape. A missing chunk holds `fill` everywhere.
struct ZarrArray {
  ZarrVersion version = ZarrVersion::ome_0_4;
  std::vector<std::int64_t> shape, chunk;  ///< along as many axes
  PixelType type = PixelType::uint8;       ///< that is read
  StoredType stored = StoredType::voxels;  ///< what the chunks hold
  bool is_foreign_order = false;  ///< elements are in the byte order that this machine has not
  ChunkCodec codec = ChunkCodec::none;
  std::vector<std::byte> fill;     ///< one element in the byte order of the chunks
  std::string prefix;              ///< of chunks' names: "c/" or nothing
  char separator = '/';            ///< between the numbers of a chunk
  std::vector<std::string> names;  ///< names of the axes; empty if the array has none

  /// Relative to the folder of the array; `at` counts chunks along each axis.
  [[nodiscard]] std::string chunk_name(const std::vector<std::int64_t>& at) const;
};

/// The file in an array's folder that describes it: ".zarray" or "zarr.json".
std::string_view array_file(ZarrVersion version);

/// What that file says. Equal arrays give equal text.
/// @source  Zarr storage specification 2 and core specification 3.0,
/// https://zarr-specs.readthedocs.io
std::string print_zarr_array(const ZarrArray& array);

/// The inverse. All values are members of closed sets, and what is not is refused by its name with
/// what is accepted: an unknown value may change what voxels mean.
/// @param path  of the array, for messages
/// @throws InvalidInput  the text is no such description, or of an array in column order, with
///                       filters, with another codec or another type.
ZarrArray parse_zarr_array(std::string_view text, ZarrVersion version,
                           const std::filesystem::path& path);

/// Returns whether a member that format 3 does not define may be ignored: it must be an object with
/// "must_understand": false.
bool may_be_ignored(const Json& member);

}  // namespace synthoscope::imageio
