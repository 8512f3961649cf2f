// SPDX-License-Identifier: MIT
#include "imageio/zarr/writer.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <atomic>
#include "core/base/assert.hpp"
#include "core/base/error.hpp"
#include "imageio/chunks/compressed_chunks.hpp"
#include "imageio/chunks/log.hpp"
#include "imageio/chunks/state.hpp"
#include "imageio/image/name.hpp"
#include "imageio/zarr/folder.hpp"

namespace synthoscope::imageio {
namespace {

/// A chunk of the pyramid takes more than one of the image, which is cut out and packed.
std::int64_t slot_bytes(const ImageSpec& spec) {
  const ChunkGrid grid = grid_of(spec);
  const std::int64_t packed = most_packed_bytes(zarr_codec(spec), grid.chunk_bytes());
  return pyramid_slot_bytes(grid) + packed;
}

std::int64_t slots_of(const ImageSpec& spec) {
  return std::clamp<std::int64_t>(spec.buffer_bytes / slot_bytes(spec), 1, grid_of(spec).chunks());
}

class LaidOutZarr final : public ImageFile {
 public:
  LaidOutZarr(const std::filesystem::path& path, const ImageSpec& spec, Leftover leftover)
      : spec_{spec}, folder_{path, spec, leftover} {}

  /// Resumes. Boxes that come again have the same voxels.
  void resume_from(const ImageName& name, const std::string& state) {
    written_ = read_state(name, spec_, state, {"voxels"}).front();
    read_pieces(name, state, pieces_);
    const auto read = [&](const Box3& box, std::span<std::byte> voxels) {
      return folder_.read_part(box, voxels);
    };
    if (!pieces_.are_there(planes_of_chunks(spec_.extent, folder_.grid()), read, spec_.pool,
                           spec_.stop))
      refuse_leftover(name.file);
  }

  [[nodiscard]] Extent3 extent() const override { return spec_.extent; }
  [[nodiscard]] PixelType pixel_type() const override { return spec_.type; }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::any; }

  void write(const Box3& box, ConstVoxelView voxels) override {
    SYNTHOSCOPE_ASSERT(box.size, ==, voxels.extent());
    SYNTHOSCOPE_ASSERT(contains(spec_.extent, box), ==, true);
    SYNTHOSCOPE_ASSERT(name_of(spec_.type), ==, name_of(voxels.type()));
    if (volume(box.size) == 0) return;
    const ChunkGrid& grid = folder_.grid();
    for_each_chunk(grid, box, [&](std::int64_t number) {
      write_chunk_part(grid.box(number), box, voxels, spec_.extent.x,
                       [&](std::int64_t at, auto bytes) { folder_.write_part(number, at, bytes); });
    });
    pieces_.add(box, voxels);
    written_ += volume(box.size);
  }

  [[nodiscard]] std::string checkpoint() override {
    return print_state(spec_, {{"voxels", written_}}, pieces_);
  }
  [[nodiscard]] std::int64_t written() const override { return written_; }
  void sync() override { folder_.sync(); }
  void keep(bool is_kept) noexcept override { folder_.keep(is_kept); }

  void build() override {
    SYNTHOSCOPE_ASSERT(written_.load(), ==, volume(spec_.extent));
    if (is_built_) return;
    folder_.build(slots_of(spec_));
    is_built_ = true;
  }

  void close() override {
    build();
    folder_.commit();
  }

 private:
  ImageSpec spec_;
  ZarrFolder folder_;
  WrittenPieces pieces_{spec_.extent, spec_.type};
  std::atomic<std::int64_t> written_{0};
  bool is_built_ = false;
};

/// Finished chunks have their files at once; the log holds planes of unfinished ones alone.
class ZarrChunkStore final : public ChunkStore {
 public:
  ZarrChunkStore(const std::filesystem::path& path, const ImageSpec& spec)
      : at_once_{slots_of(spec)},
        folder_{path, spec, Leftover::discard},
        log_{std::make_unique<ChunkLog>(chunk_log_path(path), 0)} {}

  ZarrChunkStore(const std::filesystem::path& path, const ImageSpec& spec, const ChunkLogState& log)
      : at_once_{slots_of(spec)},
        folder_{path, spec, Leftover::resume},
        log_{std::make_unique<ChunkLog>(chunk_log_path(path), 0, log, spec.stop)} {}

  void add(std::int64_t number, std::span<const std::byte> voxels) override {
    folder_.write_chunk(number, voxels);
  }
  [[nodiscard]] std::int64_t sum() const override { return folder_.sum(); }
  [[nodiscard]] bool holds(std::int64_t count, std::int64_t sum) override {
    return folder_.holds(count, sum);
  }
  void build() override { folder_.build(at_once_); }
  void sync() override {
    if (log_) log_->sync();
    folder_.sync();
  }
  void keep(bool is_kept) noexcept override {
    folder_.keep(is_kept);
    if (log_) log_->keep(is_kept);
  }
  void commit() override {
    folder_.commit();
    log_->keep(false);
    log_.reset();
  }
  [[nodiscard]] ChunkLog& log() override { return *log_; }

 private:
  std::int64_t at_once_;
  ZarrFolder folder_;
  std::unique_ptr<ChunkLog> log_;
};

}  // namespace

void check_zarr(const std::filesystem::path& path, const ImageSpec& spec) {
  if (spec.flavor != TiffFlavor::ome)
    throw InvalidSpec(
        fmt::format("create {}: OME-Zarr has no variants of metadata; leave --tiff-flavor out or "
                    "choose --format tiff",
                    path.string()));
  if (spec.compression == Compression::lzw)
    throw InvalidSpec(
        fmt::format("create {}: OME-Zarr does not support lzw compression; choose --compression "
                    "zstd, blosc, deflate or none",
                    path.string()));
  if (spec.labels && is_floating(spec.type))
    throw InvalidSpec(fmt::format(
        "create {}: labels are integers in OME-Zarr, not {}; choose an integer --output-type",
        path.string(), name_of(spec.type)));
  check_chunks(path, spec);
}

std::unique_ptr<ImageFile> create_zarr(const std::filesystem::path& given, const ImageSpec& spec) {
  const std::filesystem::path path = file_of(given);
  if (spec.is_compressed())
    return create_compressed_chunks(spec, slots_of(spec),
                                    std::make_unique<ZarrChunkStore>(path, spec));
  std::error_code ignored;
  std::filesystem::remove(partial_path(chunk_log_path(path)), ignored);
  return std::make_unique<LaidOutZarr>(path, spec, Leftover::discard);
}

std::unique_ptr<ImageFile> resume_zarr(const std::filesystem::path& given, const ImageSpec& spec,
                                       const std::string& state) {
  const std::filesystem::path path = file_of(given);
  const ImageName name{path, ""};
  if (spec.is_compressed()) {
    const auto begun = read_compressed_state(name, spec, state);
    return resume_compressed_chunks(name, spec, slots_of(spec), begun,
                                    std::make_unique<ZarrChunkStore>(path, spec, begun.log));
  }
  auto file =
      std::make_unique<LaidOutZarr>(path, spec, spec.shared ? Leftover::share : Leftover::resume);
  file->resume_from(name, state);
  return file;
}

std::int64_t zarr_bytes(const ImageSpec& spec) {
  const std::int64_t slots = spec.pool ? slots_of(spec) : 1;
  return slots * slot_bytes(spec) + ZarrFolder::bytes_for(grid_of(spec).chunks()) +
         (spec.is_compressed() ? compressed_chunks_bytes(spec) : 0);
}

/// One chunk is kept, and one is unpacked.
std::int64_t zarr_reading_bytes(const ImageSpec& spec) {
  const std::int64_t chunk = grid_of(spec).chunk_bytes();
  return 2 * chunk + most_stored_bytes(chunk) + unpacking_bytes(zarr_codec(spec), chunk);
}

}  // namespace synthoscope::imageio
