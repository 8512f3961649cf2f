// SPDX-License-Identifier: MIT
#include "imageio/hdf5/writing/layout.hpp"
#include <hdf5.h>
#include <algorithm>
#include <array>
#include <optional>
#include "imageio/hdf5/making.hpp"
#include "imageio/hdf5/writing/data_set.hpp"

namespace synthoscope::imageio {
namespace {

/// Room for all that is no voxel.
constexpr std::int64_t kMetadataBytes = std::int64_t{1} << 16;

/// Voxels begin at a page of memory and of disk.
constexpr std::uint64_t kAlignment = 4096, kAlignedFrom = std::uint64_t{1} << 16;

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
    data_set_ = make_data_set(*file_, data_set, spec_);
    describe_data_set(*file_, data_set_, spec_);
  }

  [[nodiscard]] const Hdf5Making& file() const { return *file_; }
  [[nodiscard]] const Hdf5Handle& data_set() const { return data_set_; }

  void check(bool is_done, const char* step) const { file_->check(is_done, step); }

  void finish() {
    check(data_set_.close(), "close the array");
    file_->finish();
  }

 private:
  [[nodiscard]] bool is_packed() const { return spec_.compression != Compression::none; }

  void create_groups(const std::string& data_set) {
    for (auto at = data_set.find('/', 1); at != std::string::npos; at = data_set.find('/', at + 1))
      static_cast<void>(file_->make_group(data_set.substr(0, at)));
  }

  const ImageSpec& spec_;
  std::optional<Hdf5Making> file_;  // made when its room is there
  Hdf5Handle data_set_;             // closed first
};

}  // namespace

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
                   "store where its chunks are");
      return place;
    };
    offset = place_of(0);
    const auto last = static_cast<haddr_t>((grid.chunks() - 1) * grid.chunk_bytes());
    making.check(place_of(grid.chunks() - 1) == offset + last, "put its chunks back to back");
  }
  making.check(offset != HADDR_UNDEF, "store where its voxels are");
  making.finish();
  file.allocate(file.size());
  return static_cast<std::int64_t>(offset);
}

void build_hdf5(PartialFile& file, const std::string& data_set, const ImageSpec& spec,
                std::int64_t stored_bytes, const StoredChunk& stored) {
  const Hdf5Lock lock;
  const NoHdf5PlugIns no_plug_ins;  // equal bytes, whatever is installed
  MakingImage making{file, data_set, spec, stored_bytes};
  const ChunkGrid grid = grid_of(spec);
  for (std::int64_t number = 0; number < grid.chunks(); ++number) {
    const auto bytes = stored(number);
    store_chunk(making.file(), making.data_set(), grid.box(number).origin, bytes);
  }
  making.finish();
}

}  // namespace synthoscope::imageio
