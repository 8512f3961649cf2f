// SPDX-License-Identifier: MIT
#include "imageio/chunks/codec.hpp"
#include <blosc.h>
#include <libdeflate.h>
#include <zstd.h>
#include <algorithm>
#include <memory>
#include <new>
#include "core/base/assert.hpp"
#include "core/base/error.hpp"
#include "imageio/chunks/filters.hpp"

namespace synthoscope::imageio {
namespace {

struct FreeDeflate {
  void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
  void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
};

/// What zstd and Blosc take for their tables at these levels, and what unpacking takes.
constexpr std::int64_t kCodecTables = std::int64_t{4} << 20;
constexpr std::int64_t kUnpackingTables = std::int64_t{256} << 10;

void gzip(std::span<const std::byte> bytes, std::vector<std::byte>& packed) {
  const std::unique_ptr<libdeflate_compressor, FreeDeflate> worker{
      libdeflate_alloc_compressor(kDeflateLevel)};
  if (!worker) throw std::bad_alloc{};
  packed.resize(libdeflate_gzip_compress_bound(worker.get(), bytes.size()));
  packed.resize(libdeflate_gzip_compress(worker.get(), bytes.data(), bytes.size(), packed.data(),
                                         packed.size()));
}

bool gunzip(std::span<const std::byte> packed, std::span<std::byte> bytes) {
  const std::unique_ptr<libdeflate_decompressor, FreeDeflate> worker{
      libdeflate_alloc_decompressor()};
  if (!worker) throw std::bad_alloc{};
  return libdeflate_gzip_decompress(worker.get(), packed.data(), packed.size(), bytes.data(),
                                    bytes.size(), nullptr) == LIBDEFLATE_SUCCESS;
}

void zstd(std::span<const std::byte> bytes, std::vector<std::byte>& packed) {
  packed.resize(ZSTD_compressBound(bytes.size()));
  const std::size_t got =
      ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), kZstdLevel);
  if (ZSTD_isError(got)) throw std::bad_alloc{};  // all else has room
  packed.resize(got);
}

bool unzstd(std::span<const std::byte> packed, std::span<std::byte> bytes) {
  return ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size()) == bytes.size();
}

/// One thread: the caller runs several codecs at once.
void blosc(std::span<const std::byte> bytes, std::int64_t element_bytes,
           std::vector<std::byte>& packed) {
  packed.resize(bytes.size() + BLOSC_MAX_OVERHEAD);
  const int got =
      blosc_compress_ctx(kBloscLevel, BLOSC_SHUFFLE, static_cast<std::size_t>(element_bytes),
                         bytes.size(), bytes.data(), packed.data(), packed.size(), "zstd", 0, 1);
  if (got <= 0) throw std::bad_alloc{};
  packed.resize(static_cast<std::size_t>(got));
}

bool unblosc(std::span<const std::byte> packed, std::span<std::byte> bytes) {
  std::size_t size = 0;
  if (packed.size() < BLOSC_MIN_HEADER_LENGTH ||
      blosc_cbuffer_validate(packed.data(), packed.size(), &size) < 0 || size != bytes.size())
    return false;
  return blosc_decompress_ctx(packed.data(), bytes.data(), bytes.size(), 1) ==
         static_cast<int>(bytes.size());
}

}  // namespace

std::int64_t most_packed_bytes(ChunkCodec codec, std::int64_t bytes) {
  const auto count = static_cast<std::size_t>(bytes);
  switch (codec) {
    case ChunkCodec::none:
      return bytes;
    case ChunkCodec::gzip:
      return static_cast<std::int64_t>(libdeflate_gzip_compress_bound(nullptr, count));
    case ChunkCodec::zlib:
      return most_deflated_bytes(bytes);
    case ChunkCodec::zstd:
      return static_cast<std::int64_t>(ZSTD_compressBound(count)) + kCodecTables;
    case ChunkCodec::blosc:
      break;
  }
  return bytes + BLOSC_MAX_OVERHEAD + kCodecTables;
}

void pack_chunk(ChunkCodec codec, std::span<const std::byte> voxels, std::int64_t element_bytes,
                std::vector<std::byte>& packed) {
  switch (codec) {
    case ChunkCodec::none:
      packed.assign(voxels.begin(), voxels.end());
      return;
    case ChunkCodec::gzip:
      return gzip(voxels, packed);
    case ChunkCodec::zlib:
      return deflate_bytes(voxels, kDeflateLevel, packed);
    case ChunkCodec::zstd:
      return zstd(voxels, packed);
    case ChunkCodec::blosc:
      break;
  }
  blosc(voxels, element_bytes, packed);
}

bool unpack_chunk(ChunkCodec codec, std::span<const std::byte> packed,
                  std::span<std::byte> voxels) {
  switch (codec) {
    case ChunkCodec::none:
      if (packed.size() != voxels.size()) return false;
      std::copy(packed.begin(), packed.end(), voxels.begin());
      return true;
    case ChunkCodec::gzip:
      return gunzip(packed, voxels);
    case ChunkCodec::zlib:
      return inflate_bytes(packed, voxels);
    case ChunkCodec::zstd:
      return unzstd(packed, voxels);
    case ChunkCodec::blosc:
      break;
  }
  return unblosc(packed, voxels);
}

/// Blosc works in blocks, and a frame may claim that one block is all of it. It then holds the
/// unpacked block, the block before unshuffling with the lengths of its elements, and one more
/// copy.
std::int64_t unpacking_bytes(ChunkCodec codec, std::int64_t bytes) {
  constexpr std::int64_t kLengths = BLOSC_MAX_TYPESIZE * std::int64_t{sizeof(std::int32_t)};
  switch (codec) {
    case ChunkCodec::none:
      return 0;
    case ChunkCodec::gzip:
    case ChunkCodec::zlib:
    case ChunkCodec::zstd:
      return kUnpackingTables;
    case ChunkCodec::blosc:
      break;
  }
  return 3 * bytes + kLengths + kUnpackingTables;
}

}  // namespace synthoscope::imageio
