// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <semaphore>
#include "core/assert.hpp"
#include "core/box_runs.hpp"
#include "imageio/byte_order.hpp"
#include "imageio/chunk_cache.hpp"
#include "imageio/hdf5_stacks.hpp"

namespace synthoscope::imageio {
namespace {

/// Elements from one position to the next along each axis of an array of this shape.
std::vector<std::int64_t> strides_of(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t i = shape.size() - 1; i-- > 0;) strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

/// Whoever holds one has a chunk or decodes it; one who waits for another's chunk waits for a
/// holder, so that somebody always goes on.
using Readers = std::counting_semaphore<>;

/// One stack of a data set.
class Hdf5Source final : public Source {
 public:
  Hdf5Source(const Hdf5Stacks& stacks, std::int64_t channel, std::int64_t frame,
             std::int64_t cached_chunks, std::int64_t readers)
      : extent_{stacks.info.extent},
        axes_{stacks.axes},
        data_{stacks.data},
        storage_{data_->storage()},
        grid_{storage_.grid()},
        in_shape_{strides_of(storage_.shape)},
        in_chunk_{strides_of(storage_.chunk)},
        in_grid_{strides_of(grid_)},
        base_(storage_.shape.size(), 0),
        cache_{cached_chunks},
        readers_{readers} {
    if (axes_.c >= 0) base_[static_cast<std::size_t>(axes_.c)] = channel;
    if (axes_.t >= 0) base_[static_cast<std::size_t>(axes_.t)] = frame;
  }

  [[nodiscard]] Extent3 extent() const override { return extent_; }
  [[nodiscard]] PixelType pixel_type() const override { return storage_.type; }

  void read(const Box3& box, VoxelView out) override {
    SYNTHOSCOPE_ASSERT(box.size, ==, out.extent());
    SYNTHOSCOPE_ASSERT(contains(extent_, box), ==, true);
    SYNTHOSCOPE_ASSERT(name_of(storage_.type), ==, name_of(out.type()));
    if (volume(box.size) == 0) return;
    if (storage_.kind == Hdf5Storage::Kind::contiguous)
      read_contiguous(box, out);
    else
      read_chunks(box, out);
    if (!storage_.is_foreign_order) return;
    const std::int64_t voxel = size_of(storage_.type), pitch = out.pitch() * voxel;
    for (std::int64_t row = 0; row < box.size.z * box.size.y; ++row)
      swap_elements(out.data() + row * pitch, box.size.x, voxel);
  }

  void expect(const Box3& box) override {
    if (storage_.kind != Hdf5Storage::Kind::contiguous || storage_.offset < 0) return;
    const std::int64_t bytes = box.size.y * extent_.x * size_of(storage_.type);
    for (std::int64_t z = box.origin.z; z < box.origin.z + box.size.z; ++z)
      data_->file().expect(storage_.offset + row_begin(z, box.origin.y), bytes);
  }

 private:
  /// Along axis `axis`, which a plane may lack.
  static std::int64_t along(const std::vector<std::int64_t>& values, int axis,
                            std::int64_t missing) {
    return axis < 0 ? missing : values[static_cast<std::size_t>(axis)];
  }

  void read_contiguous(const Box3& box, VoxelView out) const {
    const std::int64_t voxel = size_of(storage_.type),
                       plane_bytes = box.size.y * out.pitch() * voxel;
    // Planes of one stack may have those of others between them
    const bool are_neighbours = row_begin(1, 0) - row_begin(0, 0) == extent_.y * extent_.x * voxel;
    const std::int64_t planes = are_neighbours ? box.size.z : 1;
    for (std::int64_t z = 0; z < box.size.z; z += planes) {
      const Box3 part{{0, box.origin.y, box.origin.x}, {planes, box.size.y, box.size.x}};
      const std::int64_t begin = row_begin(box.origin.z + z, 0);
      std::byte* to = out.data() + z * plane_bytes;
      for_each_run(extent_, part, out.pitch(), [&](auto first, auto at, auto count) {
        const std::span run{to + at * voxel, static_cast<std::size_t>(count * voxel)};
        if (storage_.offset < 0)
          fill(run);
        else
          data_->file().read_at(storage_.offset + begin + first * voxel, run);
      });
    }
  }

  /// Bytes before a row of this stack in the array.
  [[nodiscard]] std::int64_t row_begin(std::int64_t z, std::int64_t y) const {
    std::int64_t first = z * along(in_shape_, axes_.z, extent_.y * extent_.x) + y * extent_.x;
    for (std::size_t i = 0; i < base_.size(); ++i) first += base_[i] * in_shape_[i];
    return first * size_of(storage_.type);
  }

  void fill(std::span<std::byte> voxels) const {
    const std::size_t voxel = storage_.fill.size();
    for (std::size_t at = 0; at < voxels.size(); at += voxel)
      std::memcpy(voxels.data() + at, storage_.fill.data(), voxel);
  }

  void read_chunks(const Box3& box, VoxelView out) {
    const Extent3 chunk{along(storage_.chunk, axes_.z, 1), along(storage_.chunk, axes_.y, 1),
                        along(storage_.chunk, axes_.x, 1)};
    const auto end = [](std::int64_t origin, std::int64_t size) { return origin + size; };
    for (std::int64_t z = box.origin.z / chunk.z; z * chunk.z < end(box.origin.z, box.size.z); ++z)
      for (std::int64_t y = box.origin.y / chunk.y; y * chunk.y < end(box.origin.y, box.size.y);
           ++y)
        for (std::int64_t x = box.origin.x / chunk.x; x * chunk.x < end(box.origin.x, box.size.x);
             ++x) {
          const auto number = number_of({z, y, x});
          const Turn turn{readers_};
          const auto elements = cache_.get(
              number, [&](std::vector<std::byte>& bytes) { data_->read(number, bytes); });
          copy_rows(*elements, {{z * chunk.z, y * chunk.y, x * chunk.x}, chunk}, box, out);
        }
  }

  [[nodiscard]] std::int64_t number_of(const Index3& chunk) const {
    std::int64_t number = 0;
    for (std::size_t i = 0; i < base_.size(); ++i)
      number += base_[i] / storage_.chunk[i] * in_grid_[i];
    return number + chunk.z * along(in_grid_, axes_.z, 0) + chunk.y * along(in_grid_, axes_.y, 0) +
           chunk.x;
  }

  /// What `chunk`, whose elements these are, has of `box`.
  void copy_rows(const std::vector<std::byte>& elements, const Box3& chunk, const Box3& box,
                 VoxelView out) const {
    const Box3 part = intersection(chunk, box);
    const std::int64_t voxel = size_of(storage_.type);
    const std::int64_t plane = along(in_chunk_, axes_.z, 0), row = along(in_chunk_, axes_.y, 0);
    std::int64_t stack = 0;
    for (std::size_t i = 0; i < base_.size(); ++i)
      stack += base_[i] % storage_.chunk[i] * in_chunk_[i];
    for (std::int64_t z = 0; z < part.size.z; ++z)
      for (std::int64_t y = 0; y < part.size.y; ++y) {
        const Index3 p{part.origin.z + z, part.origin.y + y, part.origin.x};
        const std::int64_t from = stack + (p.z - chunk.origin.z) * plane +
                                  (p.y - chunk.origin.y) * row + (p.x - chunk.origin.x);
        const std::int64_t to =
            ((p.z - box.origin.z) * box.size.y + p.y - box.origin.y) * out.pitch() +
            (p.x - box.origin.x);
        std::memcpy(out.data() + to * voxel, elements.data() + from * voxel,
                    static_cast<std::size_t>(part.size.x * voxel));
      }
  }

  /// A place among those who read a chunk at once.
  class Turn {
   public:
    explicit Turn(Readers& readers) : readers_{readers} { readers_.acquire(); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() { readers_.release(); }

   private:
    Readers& readers_;
  };

  Extent3 extent_;
  Hdf5Axes axes_;
  std::shared_ptr<const Hdf5Chunks> data_;
  const Hdf5Storage& storage_;
  std::vector<std::int64_t> grid_, in_shape_, in_chunk_, in_grid_;
  std::vector<std::int64_t> base_;  ///< position of the stack along channel and frame
  ChunkCache cache_;
  Readers readers_;
};

}  // namespace

std::int64_t Hdf5Stacks::cached_chunks(std::int64_t most_bytes) const {
  const Hdf5Storage& s = data->storage();
  if (s.kind == Hdf5Storage::Kind::contiguous) return 0;
  const auto grid = s.grid();
  const std::int64_t layer =
      grid[static_cast<std::size_t>(axes.y)] * grid[static_cast<std::size_t>(axes.x)];
  const std::int64_t layers =
      axes.z < 0 ? 1 : std::min<std::int64_t>(2, grid[static_cast<std::size_t>(axes.z)]);
  return std::clamp<std::int64_t>(most_bytes / s.chunk_bytes(), 1, layers * layer);
}

std::int64_t Hdf5Stacks::readers(std::int64_t most_bytes) const {
  constexpr std::int64_t kMost = 64;
  return std::clamp<std::int64_t>(most_bytes / bytes_per_reader(), 1, kMost);
}

std::int64_t Hdf5Stacks::bytes_per_reader() const {
  return data->scratch_bytes() + data->storage().chunk_bytes();
}

std::int64_t Hdf5Stacks::buffer_bytes(std::int64_t most_bytes) const {
  const std::int64_t cached = cached_chunks(most_bytes);
  if (cached == 0) return 0;
  return cached * data->storage().chunk_bytes() + readers(most_bytes) * bytes_per_reader();
}

std::unique_ptr<Source> Hdf5Stacks::source(std::int64_t channel, std::int64_t frame,
                                           std::int64_t most_cache_bytes) const {
  return std::make_unique<Hdf5Source>(*this, channel, frame, cached_chunks(most_cache_bytes),
                                      readers(most_cache_bytes));
}

}  // namespace synthoscope::imageio
