// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>
#include "core/assert.hpp"
#include "core/stop.hpp"
#include "core/task_pool.hpp"
#include "imageio/hdf5_chunk_log.hpp"
#include "imageio/hdf5_filters.hpp"
#include "imageio/hdf5_state.hpp"
#include "imageio/hdf5_writer.hpp"

namespace synthoscope::imageio {
namespace {

std::int64_t plane_bytes(const ImageSpec& spec) {
  return spec.extent.y * spec.extent.x * size_of(spec.type);
}

/// A chunk, the same shuffled, and deflated.
std::int64_t chunk_slot_bytes(const ImageSpec& spec) {
  const std::int64_t chunk = hdf5_grid(spec).chunk_bytes();
  return 2 * chunk + most_deflated_bytes(chunk);
}

std::int64_t chunks_at_once(const ImageSpec& spec) {
  const Hdf5Grid grid = hdf5_grid(spec);
  return std::clamp<std::int64_t>(spec.buffer_bytes / chunk_slot_bytes(spec), 1,
                                  grid.count.y * grid.count.x);
}

class CompressedHdf5 final : public ImageFile {
 public:
  CompressedHdf5(const ImageName& name, const ImageSpec& spec)
      : spec_{spec},
        data_set_{name.data_set},
        grid_{hdf5_grid(spec)},
        file_{name.file, spec.overwrite},
        log_{std::make_unique<Hdf5ChunkLog>(chunk_log_path(name.file), grid_.chunks())},
        layer_(static_cast<std::size_t>(grid_.chunk.z * plane_bytes(spec))) {}

  /// Goes on behind the `planes` first planes, which the log holds.
  CompressedHdf5(const ImageName& name, const ImageSpec& spec, std::int64_t planes,
                 std::int64_t length)
      : spec_{spec},
        data_set_{name.data_set},
        grid_{hdf5_grid(spec)},
        file_{name.file, spec.overwrite, Leftover::go_on},
        log_{std::make_unique<Hdf5ChunkLog>(chunk_log_path(name.file), grid_.chunks(), length)},
        layer_(static_cast<std::size_t>(grid_.chunk.z * plane_bytes(spec))),
        next_z_{planes},
        logged_z_{planes} {
    bool is_whole = planes >= 0 && planes <= spec.extent.z;
    const std::int64_t layers = (planes - pending()) / grid_.chunk.z;
    const std::int64_t finished =
        planes == spec.extent.z ? grid_.chunks() : layers * grid_.count.y * grid_.count.x;
    for (std::int64_t i = 0; is_whole && i < finished; ++i) is_whole = log_->has_chunk(i);
    for (std::int64_t z = planes - pending(); is_whole && z < planes; ++z)
      is_whole = log_->read_plane(z, plane_of_layer(z));
    if (!is_whole) refuse_to_go_on(name);
  }

  [[nodiscard]] Extent3 extent() const override { return spec_.extent; }
  [[nodiscard]] PixelType pixel_type() const override { return spec_.type; }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::planes_in_order; }

  void write(const Box3& box, ConstVoxelView voxels) override {
    SYNTHOSCOPE_ASSERT(box, ==,
                       (Box3{{next_z_, 0, 0}, {box.size.z, spec_.extent.y, spec_.extent.x}}));
    SYNTHOSCOPE_ASSERT(box.size, ==, voxels.extent());
    SYNTHOSCOPE_ASSERT(name_of(spec_.type), ==, name_of(voxels.type()));
    for (std::int64_t z = 0; z < box.size.z; ++z) {
      copy_plane(voxels, z);
      ++next_z_;
      if (next_z_ % grid_.chunk.z == 0 || next_z_ == spec_.extent.z) store_layer();
    }
  }

  /// Finished chunks are in the log already; planes of the layer that is not go there too, once.
  [[nodiscard]] std::string settle() override {
    const std::int64_t begin = next_z_ - pending();
    for (std::int64_t z = std::max(begin, logged_z_); z < next_z_; ++z)
      log_->add_plane(z, plane_of_layer(z));
    logged_z_ = next_z_;
    return print_state(spec_, {{"planes", next_z_}, {"log", log_->length()}});
  }
  [[nodiscard]] std::int64_t written() const override { return next_z_; }
  void sync() override {
    log_->sync();
    if (is_built_) file_.sync();
  }
  void keep(bool is_kept) noexcept override {
    file_.keep(is_kept);
    if (log_) log_->keep(is_kept);
  }

  void build() override {
    SYNTHOSCOPE_ASSERT(next_z_, ==, spec_.extent.z);
    if (is_built_) return;
    std::vector<std::byte> bytes;
    build_hdf5(file_, data_set_, spec_, log_->chunk_bytes(), [&](std::int64_t number) {
      if (spec_.stop) spec_.stop->check();
      log_->read_chunk(number, bytes);
      return std::span<const std::byte>{bytes};
    });
    is_built_ = true;
  }

  void close() override {
    build();
    file_.commit();
    log_->keep(false);
    log_.reset();
  }

 private:
  /// Planes at the end of what was written that belong to an unfinished layer.
  [[nodiscard]] std::int64_t pending() const {
    return next_z_ == spec_.extent.z ? 0 : next_z_ % grid_.chunk.z;
  }

  std::span<std::byte> plane_of_layer(std::int64_t z) {
    const std::int64_t bytes = plane_bytes(spec_);
    return {layer_.data() + z % grid_.chunk.z * bytes, static_cast<std::size_t>(bytes)};
  }

  void copy_plane(ConstVoxelView voxels, std::int64_t z) {
    const std::int64_t voxel = size_of(spec_.type), row = spec_.extent.x * voxel;
    std::byte* to = plane_of_layer(next_z_).data();
    for (std::int64_t y = 0; y < spec_.extent.y; ++y)
      std::copy_n(voxels.data() + (z * spec_.extent.y + y) * voxels.pitch() * voxel, row,
                  to + y * row);
  }

  /// As many chunks at once as there is memory for, whatever the number of threads.
  void store_layer() {
    const std::int64_t per_layer = grid_.count.y * grid_.count.x, at_once = chunks_at_once(spec_);
    const std::int64_t layer = (next_z_ - 1) / grid_.chunk.z * per_layer;
    for (std::int64_t begin = 0; begin < per_layer; begin += at_once)
      store_chunks(layer + begin, std::min(at_once, per_layer - begin));
  }

  void store_chunks(std::int64_t first, std::int64_t count) {
    const auto store = [&](std::int64_t i) { store_chunk(first + i); };
    if (spec_.pool)
      spec_.pool->for_each(count, store);
    else
      for (std::int64_t i = 0; i < count; ++i) store(i);
  }

  /// Beyond the far faces a chunk holds zeros.
  void store_chunk(std::int64_t number) {
    const Box3 chunk = grid_.box(number), part = intersection(chunk, whole(spec_.extent));
    const std::int64_t voxel = size_of(spec_.type);
    std::vector<std::byte> voxels(static_cast<std::size_t>(grid_.chunk_bytes())),
        shuffled(voxels.size()), packed;
    for (std::int64_t z = 0; z < part.size.z; ++z)
      for (std::int64_t y = 0; y < part.size.y; ++y) {
        const std::int64_t from = (z * spec_.extent.y + part.origin.y + y) * spec_.extent.x;
        const std::int64_t to = (z * chunk.size.y + y) * chunk.size.x;
        std::copy_n(layer_.data() + (from + part.origin.x) * voxel, part.size.x * voxel,
                    voxels.data() + to * voxel);
      }
    shuffle_bytes(voxels, voxel, shuffled);
    deflate_bytes(shuffled, kDeflateLevel, packed);
    log_->add_chunk(number, packed);
  }

  ImageSpec spec_;
  std::string data_set_;
  Hdf5Grid grid_;
  PartialFile file_;
  std::unique_ptr<Hdf5ChunkLog> log_;
  std::vector<std::byte> layer_;  ///< planes of the layer of chunks that is not finished
  std::int64_t next_z_ = 0;
  std::int64_t logged_z_ = 0;  ///< planes before this one are in the log
  bool is_built_ = false;
};

}  // namespace

std::filesystem::path chunk_log_path(const std::filesystem::path& file) {
  auto path = file;
  return path += ".chunks";
}

std::int64_t compressed_hdf5_bytes(const ImageSpec& spec) {
  const std::int64_t slots = spec.pool ? chunks_at_once(spec) : 1;
  return hdf5_grid(spec).chunk.z * plane_bytes(spec) + slots * chunk_slot_bytes(spec) +
         Hdf5ChunkLog::bytes_for(hdf5_grid(spec).chunks());
}

std::unique_ptr<ImageFile> create_compressed_hdf5(const ImageName& name, const ImageSpec& spec) {
  return std::make_unique<CompressedHdf5>(name, spec);
}

std::unique_ptr<ImageFile> resume_compressed_hdf5(const ImageName& name, const ImageSpec& spec,
                                                  const std::string& state) {
  const auto numbers = read_state(name, spec, state, {"planes", "log"});
  return std::make_unique<CompressedHdf5>(name, spec, numbers[0], numbers[1]);
}

}  // namespace synthoscope::imageio
