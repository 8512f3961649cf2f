// SPDX-License-Identifier: MIT
// imageio/hdf5/writing/data_set.hpp — an image in an HDF5 file that is being made, and what is said
// of it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include "imageio/chunks/codec.hpp"
#include "imageio/chunks/grid.hpp"
#include "imageio/hdf5/making.hpp"
#include "imageio/image/spec.hpp"

namespace synthoscope::imageio {

/// Returns true if the voxels are contiguous: uncompressed, and no chunks were requested.
bool is_contiguous_hdf5(const ImageSpec& spec);

/// In groups that are there. Under the library's lock, as all of these. @throws IoError
Hdf5Handle make_data_set(const Hdf5Making& file, const std::string& name, const ImageSpec& spec);

/// Writes axes, voxel size, kernel centre and provenance, as far as they are known. @throws IoError
void describe_data_set(const Hdf5Making& file, const Hdf5Handle& data_set, const ImageSpec& spec);

/// A chunk that `pack_hdf5_chunk` packed. @throws IoError
void store_chunk(const Hdf5Making& file, const Hdf5Handle& data_set, const Index3& origin,
                 std::span<const std::byte> packed);

/// Packs voxels as the filters of `spec` do, and the inverse, which is false unless `packed` is
/// sound. Both hold as much as `hdf5_packing_bytes` says.
void pack_hdf5_chunk(const ImageSpec& spec, std::span<const std::byte> voxels,
                     std::vector<std::byte>& packed);
[[nodiscard]] bool unpack_hdf5_chunk(const ImageSpec& spec, std::span<const std::byte> packed,
                                     std::span<std::byte> voxels);

/// In addition to the voxels: the shuffled ones and the packed ones.
std::int64_t hdf5_packing_bytes(const ImageSpec& spec);

/// Memory for reading chunks of a data set: one is kept, and one is unpacked and unshuffled.
std::int64_t hdf5_chunk_reading_bytes(const ImageSpec& spec);

}  // namespace synthoscope::imageio
