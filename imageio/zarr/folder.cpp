// SPDX-License-Identifier: MIT
#include "imageio/zarr/folder.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <string_view>
#include "core/base/error.hpp"
#include "imageio/input/file.hpp"

namespace synthoscope::imageio {
namespace {

ZarrArray array_of(const ImageSpec& spec, const Extent3& extent, const Extent3& chunk) {
  ZarrArray array;
  array.version = zarr_version(spec);
  array.shape = {extent.z, extent.y, extent.x};
  array.chunk = {chunk.z, chunk.y, chunk.x};
  array.names = {"z", "y", "x"};
  if (spec.channel) {
    array.shape.insert(array.shape.begin(), 1);
    array.chunk.insert(array.chunk.begin(), 1);
    array.names.insert(array.names.begin(), "c");
  }
  array.type = spec.type;
  array.codec = zarr_codec(spec);
  array.prefix = array.version == ZarrVersion::ome_0_4 ? "" : "c/";
  return array;
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span{text});
}

}  // namespace

bool is_zarr_name(const std::string& path) {
  constexpr std::array<std::string_view, 6> kNames{".zgroup",    ".zattrs",   ".zarray",
                                                   ".zmetadata", "zarr.json", "c"};
  for (const auto& part : std::filesystem::path{path}) {
    const std::string name = part.string();
    const bool is_chunk =
        std::ranges::all_of(name, [](unsigned char c) { return std::isdigit(c) != 0 || c == '.'; });
    if (!is_chunk && std::ranges::find(kNames, name) == kNames.end()) return false;
  }
  return true;
}

void require_replaceable_zarr(const std::filesystem::path& folder, bool overwrite) {
  require_replaceable_folder(folder, overwrite, is_zarr_name);
}

ZarrFolder::ZarrFolder(const std::filesystem::path& path, const ImageSpec& spec, Leftover leftover)
    : spec_{spec},
      extents_{pyramid_extents(spec.extent)},
      folder_{path, spec.overwrite, leftover, is_zarr_name} {
  std::int64_t bytes = 0;
  for (const Extent3& extent : extents_) {
    grids_.push_back(grid_of(extent, grid_of(spec).chunk, spec.type));
    arrays_.push_back(array_of(spec, extent, grids_.back().chunk));
    bytes += grids_.back().chunks() * grids_.back().chunk_bytes();
    sizes_.emplace_back(static_cast<std::size_t>(grids_.back().chunks()));
  }
  if (leftover == Leftover::discard && !spec.is_compressed()) folder_.require_room(bytes);
}

std::string ZarrFolder::name_of_chunk(std::size_t level, std::int64_t number) const {
  const Extent3& count = grids_[level].count;
  std::vector<std::int64_t> at{number / count.x / count.y, number / count.x % count.y,
                               number % count.x};
  if (spec_.channel) at.insert(at.begin(), 0);
  return fmt::format("{}/{}", level, arrays_[level].chunk_name(at));
}

void ZarrFolder::write_part(std::int64_t number, std::int64_t offset,
                            std::span<const std::byte> bytes) {
  const bool is_there = size_of_file(0, number) > 0;
  folder_.write_part(name_of_chunk(0, number), grid().chunk_bytes(), offset, bytes, is_there);
  if (!is_there) set_size(0, number, grid().chunk_bytes());
}

bool ZarrFolder::read_part(const Box3& box, std::span<std::byte> voxels) {
  const std::int64_t number = grid().number_at(box.origin);
  const std::filesystem::path path = folder_ / name_of_chunk(0, number);
  std::error_code failure;
  const auto size = std::filesystem::file_size(path, failure);
  if (failure || static_cast<std::int64_t>(size) != grid().chunk_bytes()) return false;
  set_size(0, number, grid().chunk_bytes());
  const InputFile file{path};
  return read_chunk_part(grid().box(number), box, {voxels.data(), spec_.type, box.size},
                         [&](std::int64_t at, std::span<std::byte> row) {
                           return file.read_some(at, row) == row.size();
                         });
}

/// A chunk has less than 2^31 bytes, packed or not.
ContentSum ZarrFolder::sum_of_packed(std::int64_t number, std::span<const std::byte> bytes) {
  ContentSum sum;
  sum.add(number << 31, bytes);
  return sum;
}

bool ZarrFolder::holds(std::int64_t count, std::int64_t sum) {
  const std::int64_t most = most_packed_bytes(arrays_[0].codec, grid().chunk_bytes());
  std::vector<std::byte> packed;
  ContentSum found;
  for (std::int64_t number = 0; number < count; ++number) {
    if (spec_.stop) spec_.stop->check();
    const std::filesystem::path path = folder_ / name_of_chunk(0, number);
    std::error_code failure;
    const auto size = static_cast<std::int64_t>(std::filesystem::file_size(path, failure));
    if (failure || size < 1 || size > most) return false;
    packed.resize(static_cast<std::size_t>(size));
    if (InputFile{path}.read_some(0, packed) != packed.size()) return false;
    found.add(sum_of_packed(number, packed));
    set_size(0, number, size);
  }
  sum_ = found;
  return found == ContentSum{sum};
}

std::uint32_t ZarrFolder::size_of_file(std::size_t level, std::int64_t number) {
  return std::atomic_ref{sizes_[level][static_cast<std::size_t>(number)]}.load();
}

void ZarrFolder::set_size(std::size_t level, std::int64_t number, std::int64_t bytes) {
  std::atomic_ref{sizes_[level][static_cast<std::size_t>(number)]}.store(
      static_cast<std::uint32_t>(bytes));
}

void ZarrFolder::commit() {
  for (std::size_t level = 0; level < grids_.size(); ++level)
    for (std::int64_t number = 0; number < grids_[level].chunks(); ++number) {
      const bool is_packed = arrays_[level].codec != ChunkCodec::none;
      const std::int64_t size =
          is_packed ? size_of_file(level, number) : grids_[level].chunk_bytes();
      folder_.require_size(name_of_chunk(level, number), size);
    }
  folder_.commit();
}

void ZarrFolder::write(std::size_t level, std::int64_t number, std::span<const std::byte> voxels) {
  if (arrays_[level].codec == ChunkCodec::none)
    return folder_.write_file(name_of_chunk(level, number), voxels);
  std::vector<std::byte> packed;
  pack_chunk(arrays_[level].codec, voxels, size_of(spec_.type), packed);
  folder_.write_file(name_of_chunk(level, number), packed);
  set_size(level, number, std::ssize(packed));
  if (level > 0) return;
  const ContentSum sum = sum_of_packed(number, packed);
  const std::lock_guard lock{mutex_};
  sum_.add(sum);
}

void ZarrFolder::read(std::size_t level, std::int64_t number, std::span<std::byte> voxels) {
  const InputFile file{folder_ / name_of_chunk(level, number)};
  std::vector<std::byte> packed(static_cast<std::size_t>(
      std::min(file.size(), most_packed_bytes(arrays_[level].codec, std::ssize(voxels)))));
  file.read_at(0, packed);
  if (!unpack_chunk(arrays_[level].codec, packed, voxels))
    throw IoError(fmt::format("read {}: its content is not what was written; check the disk",
                              file.path().string()));
}

void ZarrFolder::build(std::int64_t at_once) {
  build_pyramid(spec_.extent, grid().chunk, spec_.type, spec_.labels ? Shrink::mode : Shrink::mean,
                at_once, spec_.pool, spec_.stop, *this);
  describe();
}

/// From the smallest level: what a viewer shows first.
IntensityRange ZarrFolder::range_of_smallest() {
  const std::size_t level = grids_.size() - 1;
  const ChunkGrid& grid = grids_[level];
  std::vector<std::byte> voxels(static_cast<std::size_t>(grid.chunk_bytes()));
  IntensityRange range{std::numeric_limits<double>::infinity(),
                       -std::numeric_limits<double>::infinity()};
  for (std::int64_t number = 0; number < grid.chunks(); ++number) {
    read(level, number, voxels);
    const Box3 chunk = grid.box(number), part = intersection(chunk, whole(extents_[level]));
    visit_pixel_type(spec_.type, [&](auto zero) {
      using T = decltype(zero);
      const HostView3<const T> view{reinterpret_cast<const T*>(voxels.data()), chunk.size};
      for (std::int64_t z = 0; z < part.size.z; ++z)
        for (std::int64_t y = 0; y < part.size.y; ++y)
          for (std::int64_t x = 0; x < part.size.x; ++x) {
            const auto v = static_cast<double>(view(z, y, x));
            if (v < range.low) range.low = v;
            if (v > range.high) range.high = v;
          }
    });
  }
  // Of NaN alone nothing can be said
  return range.low <= range.high ? range : IntensityRange{0, 1};
}

/// Written last, so that no reader takes an unfinished folder for an image.
void ZarrFolder::describe() {
  for (std::size_t level = 0; level < arrays_.size(); ++level)
    folder_.write_file(fmt::format("{}/{}", level, array_file(zarr_version(spec_))),
                       bytes_of(print_zarr_array(arrays_[level])));
  const IntensityRange range = spec_.channel ? range_of_smallest() : IntensityRange{};
  for (const auto& [file, text] : print_ome_zarr(spec_, range))
    folder_.write_file(file, bytes_of(text));
}

}  // namespace synthoscope::imageio
