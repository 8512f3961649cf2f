// SPDX-License-Identifier: MIT
#include "imageio/hdf5/writing/data_set.hpp"
#include <blosc.h>
#include <hdf5.h>
#include <array>
#include <cerrno>
#include <optional>
#include <vector>
#include "imageio/chunks/filters.hpp"
#include "imageio/hdf5/attributes.hpp"

namespace synthoscope::imageio {
namespace {

hid_t memory_type(PixelType type) {
  switch (type) {
    case PixelType::int8:
      return H5T_NATIVE_INT8;
    case PixelType::uint8:
      return H5T_NATIVE_UINT8;
    case PixelType::int16:
      return H5T_NATIVE_INT16;
    case PixelType::uint16:
      return H5T_NATIVE_UINT16;
    case PixelType::int32:
      return H5T_NATIVE_INT32;
    case PixelType::uint32:
      return H5T_NATIVE_UINT32;
    case PixelType::float32:
      return H5T_NATIVE_FLOAT;
    case PixelType::float64:
      break;
  }
  return H5T_NATIVE_DOUBLE;
}

ChunkCodec hdf5_codec(Compression compression) {
  switch (compression) {
    case Compression::deflate:
      return ChunkCodec::zlib;
    case Compression::zstd:
      return ChunkCodec::zstd;
    case Compression::blosc:
      return ChunkCodec::blosc;
    default:
      return ChunkCodec::none;
  }
}

/// Blosc shuffles by itself.
bool is_shuffled(const ImageSpec& spec) {
  return spec.compression == Compression::deflate || spec.compression == Compression::zstd;
}

std::array<hsize_t, 3> zyx(std::int64_t z, std::int64_t y, std::int64_t x) {
  return {static_cast<hsize_t>(z), static_cast<hsize_t>(y), static_cast<hsize_t>(x)};
}

/// What the filter records: its version and the frame's, bytes of an element and of a chunk,
/// level, shuffle by bytes, and zstd's number.
/// @source  blosc_filter.c of https://github.com/Blosc/hdf5-blosc
std::array<unsigned, 7> blosc_values(const ImageSpec& spec) {
  constexpr unsigned kFilterVersion = 2;
  return {kFilterVersion,
          BLOSC_VERSION_FORMAT,
          static_cast<unsigned>(size_of(spec.type)),
          static_cast<unsigned>(grid_of(spec).chunk_bytes()),
          kBloscLevel,
          BLOSC_SHUFFLE,
          BLOSC_ZSTD};
}

/// Chunks come packed, so the library needs to know of a filter only what it is to record.
void set_filters(hid_t creation, const ImageSpec& spec) {
  if (is_shuffled(spec)) H5Pset_shuffle(creation);
  switch (hdf5_codec(spec.compression)) {
    case ChunkCodec::zlib:
      H5Pset_deflate(creation, kDeflateLevel);
      return;
    case ChunkCodec::zstd: {
      const std::array level{unsigned{kZstdLevel}};
      H5Pset_filter(creation, kHdf5Zstd, H5Z_FLAG_OPTIONAL, level.size(), level.data());
      return;
    }
    case ChunkCodec::blosc: {
      const auto values = blosc_values(spec);
      H5Pset_filter(creation, kHdf5Blosc, H5Z_FLAG_OPTIONAL, values.size(), values.data());
      return;
    }
    default:
      return;
  }
}

bool write_channel(const Hdf5Handle& data_set, const ImageChannel& channel) {
  bool is_done = channel.name.empty() || write_text_attribute(data_set, kChannelName, channel.name);
  if (channel.emission_nm)
    is_done &= write_numbers_attribute(data_set, kEmission, std::array{*channel.emission_nm});
  if (channel.excitation_nm)
    is_done &= write_numbers_attribute(data_set, kExcitation, std::array{*channel.excitation_nm});
  if (channel.rgb)
    is_done &= write_text_attribute(data_set, kChannelColour, print_colour(*channel.rgb));
  return is_done;
}

}  // namespace

bool is_contiguous_hdf5(const ImageSpec& spec) {
  return !spec.is_compressed() && !spec.chunks;
}

Hdf5Handle make_data_set(const Hdf5Making& file, const std::string& name, const ImageSpec& spec) {
  const Hdf5Handle creation{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
  H5Pset_obj_track_times(creation.get(), false);
  H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER);
  const bool is_packed = spec.compression != Compression::none;
  H5Pset_alloc_time(creation.get(), is_packed ? H5D_ALLOC_TIME_INCR : H5D_ALLOC_TIME_EARLY);
  const Extent3 &e = spec.extent, c = grid_of(spec).chunk;
  const auto all = zyx(e.z, e.y, e.x), chunk = zyx(c.z, c.y, c.x);
  if (!is_contiguous_hdf5(spec)) H5Pset_chunk(creation.get(), 3, chunk.data());
  set_filters(creation.get(), spec);
  const Hdf5Handle space{H5Screate_simple(3, all.data(), nullptr), H5Sclose};
  Hdf5Handle data_set{H5Dcreate2(file.get(), name.c_str(), memory_type(spec.type), space.get(),
                                 H5P_DEFAULT, creation.get(), H5P_DEFAULT),
                      H5Dclose};
  file.check(static_cast<bool>(data_set), "make the array");
  return data_set;
}

void describe_data_set(const Hdf5Making& file, const Hdf5Handle& data_set, const ImageSpec& spec) {
  const std::optional<double> um[] = {spec.z_um, spec.y_um, spec.x_um};
  bool is_done = write_text_attribute(data_set, kAxes, "zyx");
  if (um[0] && um[1] && um[2])
    is_done &= write_numbers_attribute(data_set, kElementSize, std::array{*um[0], *um[1], *um[2]});
  else
    for (std::size_t i = 0; i < 3; ++i)
      if (um[i]) is_done &= write_numbers_attribute(data_set, kVoxelSizes[i], std::array{*um[i]});
  if (const auto& c = spec.kernel_center)
    is_done &= write_numbers_attribute(data_set, kKernelCenter, std::array{c->z, c->y, c->x});
  if (spec.channel) is_done &= write_channel(data_set, *spec.channel);
  if (!spec.provenance.empty())
    is_done &= write_text_attribute(data_set, kProvenance, spec.provenance);
  file.check(is_done, "write the attributes");
}

void store_chunk(const Hdf5Making& file, const Hdf5Handle& data_set, const Index3& origin,
                 std::span<const std::byte> packed) {
  const auto at = zyx(origin.z, origin.y, origin.x);
  errno = 0;
  file.check(
      H5Dwrite_chunk(data_set.get(), H5P_DEFAULT, 0, at.data(), packed.size(), packed.data()) >= 0,
      "store a chunk");
}

void pack_hdf5_chunk(const ImageSpec& spec, std::span<const std::byte> voxels,
                     std::vector<std::byte>& packed) {
  const ChunkCodec codec = hdf5_codec(spec.compression);
  const std::int64_t voxel = size_of(spec.type);
  if (!is_shuffled(spec)) return pack_chunk(codec, voxels, voxel, packed);
  std::vector<std::byte> shuffled(voxels.size());
  shuffle_bytes(voxels, voxel, shuffled);
  pack_chunk(codec, shuffled, voxel, packed);
}

bool unpack_hdf5_chunk(const ImageSpec& spec, std::span<const std::byte> packed,
                       std::span<std::byte> voxels) {
  const ChunkCodec codec = hdf5_codec(spec.compression);
  if (!is_shuffled(spec)) return unpack_chunk(codec, packed, voxels);
  std::vector<std::byte> shuffled(voxels.size());
  if (!unpack_chunk(codec, packed, shuffled)) return false;
  unshuffle_bytes(shuffled, size_of(spec.type), voxels);
  return true;
}

std::int64_t hdf5_packing_bytes(const ImageSpec& spec) {
  const std::int64_t chunk = grid_of(spec).chunk_bytes();
  const ChunkCodec codec = hdf5_codec(spec.compression);
  return chunk + most_packed_bytes(codec, chunk) + unpacking_bytes(codec, chunk);
}

std::int64_t hdf5_chunk_reading_bytes(const ImageSpec& spec) {
  const std::int64_t chunk = grid_of(spec).chunk_bytes();
  return 3 * chunk + most_stored_bytes(chunk) +
         unpacking_bytes(hdf5_codec(spec.compression), chunk);
}

}  // namespace synthoscope::imageio
