// SPDX-License-Identifier: MIT
// imageio/chunks/filters.hpp — HDF5's shuffle, deflate and checksums, done in the calling thread,
// and the numbers of filters that its library has not.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace synthoscope::imageio {

/// Other programs need plug-ins for these.
/// @source  HDF5's registered filters, https://github.com/HDFGroup/hdf5_plugins
inline constexpr int kHdf5Zstd = 32015, kHdf5Blosc = 32001, kHdf5Lzf = 32000;

/// Groups the first bytes of all elements, then the second bytes and so on; an incomplete element
/// at the end stays in place. Both spans have the same length.
/// @source  HDF5's shuffle filter (H5Zshuffle.c describes it; K. Yang, HDF Group, 2002).
void shuffle_bytes(std::span<const std::byte> elements, std::int64_t element_bytes,
                   std::span<std::byte> shuffled);
void unshuffle_bytes(std::span<const std::byte> shuffled, std::int64_t element_bytes,
                     std::span<std::byte> elements);

/// Bytes that `deflate_bytes` may give for `bytes` at most.
std::int64_t most_deflated_bytes(std::int64_t bytes);

/// Packs as zlib's format (RFC 1950) at `level` 1 ... 9; `packed` is resized. Equal bytes give
/// equal bytes for one version of the library.
void deflate_bytes(std::span<const std::byte> bytes, int level, std::vector<std::byte>& packed);

/// Unpacks; false unless `packed` is sound and gives exactly as many bytes as `bytes` has.
[[nodiscard]] bool inflate_bytes(std::span<const std::byte> packed, std::span<std::byte> bytes);

/// Unpacks what h5py's LZF filter packed; false unless it gives exactly as many bytes as `bytes`
/// has.
/// @source  LibLZF 3.6 (M. Lehmann), lzf_d.c describes the format.
[[nodiscard]] bool unlzf_bytes(std::span<const std::byte> packed, std::span<std::byte> bytes);

/// Returns `stored` without the checksum at its end; nothing if the checksum does not match.
/// @source  HDF5's Fletcher32 filter; J. G. Fletcher, IEEE Trans. Commun. 30 (1982) 247.
[[nodiscard]] std::optional<std::span<const std::byte>> without_fletcher32(
    std::span<const std::byte> stored);

}  // namespace synthoscope::imageio
