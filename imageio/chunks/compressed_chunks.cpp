// SPDX-License-Identifier: MIT
#include "imageio/chunks/compressed_chunks.hpp"
#include <algorithm>
#include <utility>
#include <vector>
#include "core/base/assert.hpp"
#include "core/run/task_pool.hpp"
#include "imageio/chunks/state.hpp"

namespace synthoscope::imageio {
namespace {

std::int64_t plane_bytes(const ImageSpec& spec) {
  return spec.extent.y * spec.extent.x * size_of(spec.type);
}

class CompressedChunks final : public ImageFile {
 public:
  CompressedChunks(const ImageSpec& spec, std::int64_t at_once, std::unique_ptr<ChunkStore> store)
      : spec_{spec},
        grid_{grid_of(spec)},
        at_once_{at_once},
        store_{std::move(store)},
        layer_(static_cast<std::size_t>(grid_.chunk.z * plane_bytes(spec))) {}

  /// False where the first planes are not all there as they were written.
  [[nodiscard]] bool resume_after(const CompressedState& state) {
    const std::int64_t planes = state.planes;
    if (planes < 0 || planes > spec_.extent.z) return false;
    next_z_ = logged_z_ = planes;
    const std::int64_t layers = (planes - pending()) / grid_.chunk.z;
    const std::int64_t finished =
        planes == spec_.extent.z ? grid_.chunks() : layers * grid_.count.y * grid_.count.x;
    if (!store_->holds(finished, state.sum)) return false;
    for (std::int64_t z = planes - pending(); z < planes; ++z)
      if (!store_->log().read_plane(z, plane_of_layer(z))) return false;
    return true;
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
      const Box3 here = plane(spec_.extent, next_z_);
      copy_common(box, voxels, here,
                  {plane_of_layer(next_z_).data(), spec_.type, here.size, spec_.extent.x});
      ++next_z_;
      if (next_z_ % grid_.chunk.z == 0 || next_z_ == spec_.extent.z) store_layer();
    }
  }

  /// Finished chunks are stored already; planes of the layer that is not go to the log, once.
  [[nodiscard]] std::string checkpoint() override {
    const std::int64_t begin = next_z_ - pending();
    for (std::int64_t z = std::max(begin, logged_z_); z < next_z_; ++z)
      store_->log().add_plane(z, plane_of_layer(z));
    logged_z_ = next_z_;
    const ChunkLogState log = store_->log().state();
    return print_state(spec_, {{"planes", next_z_},
                               {"log", log.length},
                               {"log sum", log.sum},
                               {"chunk sum", store_->sum()}});
  }
  [[nodiscard]] std::int64_t written() const override { return next_z_; }
  void sync() override { store_->sync(); }
  void keep(bool is_kept) noexcept override { store_->keep(is_kept); }

  void build() override {
    SYNTHOSCOPE_ASSERT(next_z_, ==, spec_.extent.z);
    if (is_built_) return;
    store_->build();
    is_built_ = true;
  }

  void close() override {
    build();
    store_->commit();
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

  void store_layer() {
    const std::int64_t per_layer = grid_.count.y * grid_.count.x;
    const std::int64_t layer = (next_z_ - 1) / grid_.chunk.z * per_layer;
    for (std::int64_t begin = 0; begin < per_layer; begin += at_once_)
      store_chunks(layer + begin, std::min(at_once_, per_layer - begin));
  }

  void store_chunks(std::int64_t first, std::int64_t count) {
    const auto store = [&](std::int64_t i) { store_chunk(first + i); };
    if (spec_.pool)
      spec_.pool->finish_each(count, store);
    else
      for (std::int64_t i = 0; i < count; ++i) store(i);
  }

  /// Beyond the far faces a chunk holds zeros.
  void store_chunk(std::int64_t number) {
    const Box3 chunk = grid_.box(number), part = intersection(chunk, whole(spec_.extent));
    const Box3 layer{{chunk.origin.z, 0, 0}, {part.size.z, spec_.extent.y, spec_.extent.x}};
    std::vector<std::byte> voxels(static_cast<std::size_t>(grid_.chunk_bytes()));
    copy_common(layer, {layer_.data(), spec_.type, layer.size}, chunk,
                {voxels.data(), spec_.type, chunk.size});
    store_->add(number, voxels);
  }

  ImageSpec spec_;
  ChunkGrid grid_;
  std::int64_t at_once_;
  std::unique_ptr<ChunkStore> store_;
  std::vector<std::byte> layer_;  ///< planes of the layer of chunks that is not finished
  std::int64_t next_z_ = 0;
  std::int64_t logged_z_ = 0;  ///< planes before this one are in the log
  bool is_built_ = false;
};

}  // namespace

std::int64_t compressed_chunks_bytes(const ImageSpec& spec) {
  const ChunkGrid grid = grid_of(spec);
  return grid.chunk.z * plane_bytes(spec) + ChunkLog::bytes_for(grid.chunks());
}

std::unique_ptr<ImageFile> create_compressed_chunks(const ImageSpec& spec, std::int64_t at_once,
                                                    std::unique_ptr<ChunkStore> store) {
  return std::make_unique<CompressedChunks>(spec, at_once, std::move(store));
}

CompressedState read_compressed_state(const ImageName& name, const ImageSpec& spec,
                                      const std::string& state) {
  const auto numbers = read_state(name, spec, state, {"planes", "log", "log sum", "chunk sum"});
  return {numbers[0], {numbers[1], numbers[2]}, numbers[3]};
}

std::unique_ptr<ImageFile> resume_compressed_chunks(const ImageName& name, const ImageSpec& spec,
                                                    std::int64_t at_once,
                                                    const CompressedState& state,
                                                    std::unique_ptr<ChunkStore> store) {
  auto file = std::make_unique<CompressedChunks>(spec, at_once, std::move(store));
  if (!file->resume_after(state)) refuse_leftover(name.file);
  return file;
}

}  // namespace synthoscope::imageio
