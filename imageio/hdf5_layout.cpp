// SPDX-License-Identifier: MIT
#include "imageio/hdf5_layout.hpp"
#include <hdf5.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include "imageio/hdf5_attributes.hpp"
#include "imageio/hdf5_making.hpp"

namespace synthoscope::imageio {
namespace {

/// Room for all that is no voxel.
constexpr std::int64_t kMetadataBytes = std::int64_t{1} << 16;

/// Voxels begin at a page of memory and of disk.
constexpr std::uint64_t kAlignment = 4096, kAlignedFrom = std::uint64_t{1} << 16;

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

std::array<hsize_t, 3> sizes(const Extent3& e) {
  return {static_cast<hsize_t>(e.z), static_cast<hsize_t>(e.y), static_cast<hsize_t>(e.x)};
}

/// One file that is being made by the library. Under its lock.
class MakingImage {
 public:
  MakingImage(PartialFile& file, const std::string& data_set, const ImageSpec& spec,
              std::int64_t voxel_bytes)
      : spec_{spec} {
    // A full disk is met here, not in the middle of what the library writes
    file.allocate(voxel_bytes + kMetadataBytes);
    // Chunks that lie back to back need no table, but the format of 1.10 to say so
    file_.emplace(file,
                  Hdf5Making::Form{.aligned_from = kAlignedFrom,
                                   .alignment = kAlignment,
                                   .format_of_1_10 = !is_packed() && !is_contiguous_hdf5(spec_)});
    create_groups(data_set);
    create_data_set(data_set);
    write_attributes();
  }

  [[nodiscard]] const Hdf5Handle& data_set() const { return data_set_; }

  void check(bool is_done, const char* step) const { file_->check(is_done, step); }

  void finish() {
    check(data_set_.close(), "close the data set");
    file_->finish();
  }

 private:
  [[nodiscard]] bool is_packed() const { return spec_.compression != Compression::none; }

  void create_groups(const std::string& data_set) {
    for (auto at = data_set.find('/', 1); at != std::string::npos; at = data_set.find('/', at + 1))
      static_cast<void>(file_->make_group(data_set.substr(0, at)));
  }

  void create_data_set(const std::string& name) {
    const Hdf5Handle creation{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
    H5Pset_obj_track_times(creation.get(), false);
    H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER);
    H5Pset_alloc_time(creation.get(), is_packed() ? H5D_ALLOC_TIME_INCR : H5D_ALLOC_TIME_EARLY);
    const auto chunk = sizes(grid_of(spec_).chunk), all = sizes(spec_.extent);
    if (!is_contiguous_hdf5(spec_)) H5Pset_chunk(creation.get(), 3, chunk.data());
    if (is_packed()) {
      H5Pset_shuffle(creation.get());
      H5Pset_deflate(creation.get(), kDeflateLevel);
    }
    const Hdf5Handle space{H5Screate_simple(3, all.data(), nullptr), H5Sclose};
    data_set_ = {H5Dcreate2(file_->get(), name.c_str(), memory_type(spec_.type), space.get(),
                            H5P_DEFAULT, creation.get(), H5P_DEFAULT),
                 H5Dclose};
    check(static_cast<bool>(data_set_), "make the data set");
  }

  void write_attributes() {
    const std::optional<double> um[] = {spec_.z_um, spec_.y_um, spec_.x_um};
    bool is_done = write_text(data_set_, kAxes, "zyx");
    if (um[0] && um[1] && um[2])
      is_done &= write_numbers(data_set_, kElementSize, std::array{*um[0], *um[1], *um[2]});
    else
      for (std::size_t i = 0; i < 3; ++i)
        if (um[i]) is_done &= write_numbers(data_set_, kVoxelSizes[i], std::array{*um[i]});
    if (const auto& c = spec_.kernel_center)
      is_done &= write_numbers(data_set_, kKernelCenter, std::array{c->z, c->y, c->x});
    if (!spec_.provenance.empty()) is_done &= write_text(data_set_, kProvenance, spec_.provenance);
    check(is_done, "write the attributes");
  }

  const ImageSpec& spec_;
  std::optional<Hdf5Making> file_;  // made when its room is there
  Hdf5Handle data_set_;             // closed first
};

}  // namespace

bool is_contiguous_hdf5(const ImageSpec& spec) {
  return spec.compression == Compression::none && !spec.chunks;
}

std::int64_t lay_out_hdf5(PartialFile& file, const std::string& data_set, const ImageSpec& spec) {
  const Hdf5Lock lock;
  const std::int64_t voxel_bytes = is_contiguous_hdf5(spec)
                                       ? volume(spec.extent) * size_of(spec.type)
                                       : grid_of(spec).chunks() * grid_of(spec).chunk_bytes();
  MakingImage making{file, data_set, spec, voxel_bytes};
  const hid_t made = making.data_set().get();
  haddr_t offset = HADDR_UNDEF;
  if (is_contiguous_hdf5(spec)) {
    offset = H5Dget_offset(made);
  } else {
    const ChunkGrid grid = grid_of(spec);
    const auto place_of = [&](std::int64_t number) {
      const Index3 at = grid.box(number).origin;
      const auto origin = sizes({at.z, at.y, at.x});
      unsigned skipped = 0;
      haddr_t place = HADDR_UNDEF;
      hsize_t bytes = 0;
      making.check(H5Dget_chunk_info_by_coord(made, origin.data(), &skipped, &place, &bytes) >= 0,
                   "say where its chunks are");
      return place;
    };
    offset = place_of(0);
    const auto last = static_cast<haddr_t>((grid.chunks() - 1) * grid.chunk_bytes());
    making.check(place_of(grid.chunks() - 1) == offset + last, "put its chunks back to back");
  }
  making.check(offset != HADDR_UNDEF, "say where its voxels are");
  making.finish();
  file.allocate(file.size());
  return static_cast<std::int64_t>(offset);
}

void build_hdf5(PartialFile& file, const std::string& data_set, const ImageSpec& spec,
                std::int64_t stored_bytes, const StoredChunk& stored) {
  const Hdf5Lock lock;
  MakingImage making{file, data_set, spec, stored_bytes};
  const ChunkGrid grid = grid_of(spec);
  for (std::int64_t number = 0; number < grid.chunks(); ++number) {
    const auto bytes = stored(number);
    const Index3 at = grid.box(number).origin;
    const auto origin = sizes({at.z, at.y, at.x});
    errno = 0;
    making.check(H5Dwrite_chunk(making.data_set().get(), H5P_DEFAULT, 0, origin.data(),
                                bytes.size(), bytes.data()) >= 0,
                 "store a chunk");
  }
  making.finish();
}

}  // namespace synthoscope::imageio
