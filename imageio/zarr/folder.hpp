// SPDX-License-Identifier: MIT
// imageio/zarr/folder.hpp — the folder of an OME-Zarr that is being made: chunks of all levels.
#pragma once
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <span>
#include <string>
#include <vector>
#include "core/math/content_sum.hpp"
#include "imageio/chunks/pyramid.hpp"
#include "imageio/image/spec.hpp"
#include "imageio/output/partial_folder.hpp"
#include "imageio/zarr/array.hpp"
#include "imageio/zarr/ome_zarr.hpp"

namespace synthoscope::imageio {

/// Returns whether a writer of OME-Zarr would create this relative path, or this folder if it ends
/// in "/": files of images by any writer, but neither hand-drawn labels nor metadata of
/// microscopes.
bool is_zarr_name(const std::string& path);

/// @throws InvalidSpec  as require_replaceable_folder: what is there is no folder of such files.
void require_replaceable_zarr(const std::filesystem::path& folder, bool overwrite);

/// Owns the unfinished folder.
class ZarrFolder final : private PyramidChunks {
 public:
  /// @throws as PartialFolder.
  ZarrFolder(const std::filesystem::path& path, const ImageSpec& spec, Leftover leftover);

  [[nodiscard]] const ChunkGrid& grid() const { return grids_.front(); }

  /// A chunk of the image itself, or bytes of it from `offset` on where chunks are not packed.
  /// Several threads may write at once. @throws IoError
  void write_chunk(std::int64_t number, std::span<const std::byte> voxels) {
    write(0, number, voxels);
  }
  void write_part(std::int64_t number, std::int64_t offset, std::span<const std::byte> bytes);

  /// Reads voxels of a box that lies in one chunk of the image, where chunks are not packed.
  /// @returns false where the chunk is not there or is too short
  [[nodiscard]] bool read_part(const Box3& box, std::span<std::byte> voxels);

  /// The sum of all packed chunks of the image that were written.
  [[nodiscard]] std::int64_t sum() const { return sum_.value(); }
  /// Reads the first `count` chunks again. @returns whether all are there and have this sum
  [[nodiscard]] bool holds(std::int64_t count, std::int64_t sum);

  /// What is held for an image of so many chunks: how large each file is.
  [[nodiscard]] static std::int64_t bytes_for(std::int64_t chunks) {
    return 2 * chunks * static_cast<std::int64_t>(sizeof(std::uint32_t));
  }

  /// All chunks of the image are written: makes the pyramid and says what there is.
  /// @param at_once  chunks that are made at once  @throws IoError, Interrupted
  void build(std::int64_t at_once);

  void sync() { folder_.sync(); }
  void keep(bool is_kept) noexcept { folder_.keep(is_kept); }
  /// @throws as PartialFolder, OutputLost also where the file of a chunk is gone or was cut.
  void commit();

 private:
  void read(std::size_t level, std::int64_t number, std::span<std::byte> voxels) override;
  void write(std::size_t level, std::int64_t number, std::span<const std::byte> voxels) override;
  [[nodiscard]] std::string name_of_chunk(std::size_t level, std::int64_t number) const;
  [[nodiscard]] IntensityRange range_of_smallest();
  void describe();
  [[nodiscard]] std::uint32_t size_of_file(std::size_t level, std::int64_t number);
  void set_size(std::size_t level, std::int64_t number, std::int64_t bytes);
  [[nodiscard]] static ContentSum sum_of_packed(std::int64_t number,
                                                std::span<const std::byte> bytes);

  ImageSpec spec_;
  std::vector<Extent3> extents_;
  std::vector<ChunkGrid> grids_;  ///< of every level
  std::vector<ZarrArray> arrays_;
  PartialFolder folder_;
  std::vector<std::vector<std::uint32_t>> sizes_;  ///< of the files of chunks; 0: not written yet
  std::mutex mutex_;
  ContentSum sum_;
};

}  // namespace synthoscope::imageio
