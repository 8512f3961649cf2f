// SPDX-License-Identifier: MIT
// imageio/chunks/codec.hpp — packs and unpacks chunks in the calling thread.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace synthoscope::imageio {

/// What a chunk is packed by: gzip of RFC 1952, zlib of RFC 1950, Zstandard of RFC 8878, or a frame
/// of Blosc 1, which shuffles elements and packs them by zstd.
enum class ChunkCodec { none, gzip, zlib, zstd, blosc };

/// Returns the most bytes that `pack_chunk` may produce for `bytes`; also an upper bound of its
/// working memory.
std::int64_t most_packed_bytes(ChunkCodec codec, std::int64_t bytes);

/// Packs voxels of `element_bytes` each; `packed` is resized. Equal bytes give equal bytes for one
/// version of the libraries.
void pack_chunk(ChunkCodec codec, std::span<const std::byte> voxels, std::int64_t element_bytes,
                std::vector<std::byte>& packed);

/// Unpacks a chunk. Returns false unless `packed` is valid and has exactly the bytes of `voxels`.
[[nodiscard]] bool unpack_chunk(ChunkCodec codec, std::span<const std::byte> packed,
                                std::span<std::byte> voxels);

/// Returns the memory that `unpack_chunk` uses for `bytes` of voxels, whatever `packed` claims.
std::int64_t unpacking_bytes(ChunkCodec codec, std::int64_t bytes);

/// Returns more than any encoder makes of a chunk that does not pack.
constexpr std::int64_t most_stored_bytes(std::int64_t chunk_bytes) {
  return 2 * chunk_bytes + 4096;
}

/// Compression levels of all formats; OME-Zarr and HDF5 store them as metadata. Images packed at
/// the levels of libtiff (6 of deflate, 9 of zstd) and at level 5 of Blosc are up to 14 % smaller,
/// but take two to six times as long.
inline constexpr int kDeflateLevel = 4, kZstdLevel = 3, kBloscLevel = 3;

}  // namespace synthoscope::imageio
