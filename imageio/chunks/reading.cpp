// SPDX-License-Identifier: MIT
#include "imageio/chunks/reading.hpp"
#include <algorithm>
#include <cstring>
#include <semaphore>
#include "core/base/assert.hpp"
#include "imageio/chunks/cache.hpp"
#include "imageio/input/byte_order.hpp"

namespace synthoscope::imageio {
namespace {

/// From one position to the next along each axis of an array of this shape.
std::vector<std::int64_t> steps_of(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> steps(shape.size(), 1);
  for (std::size_t i = shape.size() - 1; i-- > 0;) steps[i] = steps[i + 1] * shape[i + 1];
  return steps;
}

/// Copies `count` elements of `size` bytes that are `step` elements apart, and contiguous in `to`.
void copy_elements(const std::byte* from, std::int64_t step, std::int64_t count, std::int64_t size,
                   std::byte* to) {
  if (step == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(count * size));
    return;
  }
  for (std::int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * size, from + i * step * size, static_cast<std::size_t>(size));
}

/// A thread that holds a slot has a chunk or decodes one. A thread that waits for a chunk waits for
/// a holder, so that there is always one that makes progress.
using Readers = std::counting_semaphore<>;

/// One stack of an array.
class ChunkedSource final : public Source {
 public:
  ChunkedSource(const ChunkReading& reading, std::int64_t channel, std::int64_t frame,
                std::int64_t cached_chunks, std::int64_t readers)
      : array_{reading.array},
        axes_{reading.axes},
        decoder_{reading.decoder},
        extent_{axes_.space(array_.shape)},
        in_chunk_{steps_of(array_.chunk)},
        in_grid_{steps_of(array_.grid())},
        base_(array_.shape.size(), 0),
        cache_{cached_chunks},
        readers_{readers} {
    if (axes_.c >= 0) base_[static_cast<std::size_t>(axes_.c)] = channel;
    if (axes_.t >= 0) base_[static_cast<std::size_t>(axes_.t)] = frame;
  }

  [[nodiscard]] Extent3 extent() const override { return extent_; }
  [[nodiscard]] PixelType pixel_type() const override { return array_.type; }

  void read(const Box3& box, VoxelView out) override {
    SYNTHOSCOPE_ASSERT(box.size, ==, out.extent());
    SYNTHOSCOPE_ASSERT(contains(extent_, box), ==, true);
    SYNTHOSCOPE_ASSERT(name_of(array_.type), ==, name_of(out.type()));
    if (volume(box.size) == 0) return;
    read_chunks(box, out);
  }

 private:
  void read_chunks(const Box3& box, VoxelView out) {
    const Extent3 chunk = axes_.space(array_.chunk);
    const auto end = [](std::int64_t origin, std::int64_t size) { return origin + size; };
    for (std::int64_t z = box.origin.z / chunk.z; z * chunk.z < end(box.origin.z, box.size.z); ++z)
      for (std::int64_t y = box.origin.y / chunk.y; y * chunk.y < end(box.origin.y, box.size.y);
           ++y)
        for (std::int64_t x = box.origin.x / chunk.x; x * chunk.x < end(box.origin.x, box.size.x);
             ++x) {
          const auto number = number_of({z, y, x});
          const Turn turn{readers_};
          const auto elements = cache_.get(
              number, [&](std::vector<std::byte>& bytes) { decoder_->read(number, bytes); });
          copy_rows(*elements, {{z * chunk.z, y * chunk.y, x * chunk.x}, chunk}, box, out);
        }
  }

  [[nodiscard]] std::int64_t number_of(const Index3& chunk) const {
    std::int64_t number = 0;
    for (std::size_t i = 0; i < base_.size(); ++i)
      number += base_[i] / array_.chunk[i] * in_grid_[i];
    return number + chunk.z * ArrayAxes::along(in_grid_, axes_.z, 0) +
           chunk.y * ArrayAxes::along(in_grid_, axes_.y, 0) +
           chunk.x * ArrayAxes::along(in_grid_, axes_.x, 0);
  }

  /// What `chunk`, whose elements these are, has of `box`.
  void copy_rows(const std::vector<std::byte>& elements, const Box3& chunk, const Box3& box,
                 VoxelView out) const {
    const Box3 part = intersection(chunk, box);
    const std::int64_t voxel = size_of(array_.type), element = array_.element_bytes();
    const std::int64_t plane = ArrayAxes::along(in_chunk_, axes_.z, 0),
                       row = ArrayAxes::along(in_chunk_, axes_.y, 0),
                       column = ArrayAxes::along(in_chunk_, axes_.x, 0);
    std::int64_t stack = 0;
    for (std::size_t i = 0; i < base_.size(); ++i)
      stack += base_[i] % array_.chunk[i] * in_chunk_[i];
    for (std::int64_t z = 0; z < part.size.z; ++z)
      for (std::int64_t y = 0; y < part.size.y; ++y) {
        const Index3 p{part.origin.z + z, part.origin.y + y, part.origin.x};
        const std::int64_t from = stack + (p.z - chunk.origin.z) * plane +
                                  (p.y - chunk.origin.y) * row + (p.x - chunk.origin.x) * column;
        const std::int64_t to =
            ((p.z - box.origin.z) * box.size.y + p.y - box.origin.y) * out.pitch() +
            (p.x - box.origin.x);
        give_row(elements.data() + from * element, column, part.size.x, out.data() + to * voxel);
      }
  }

  /// Voxels of `count` elements that are `step` elements apart.
  void give_row(const std::byte* elements, std::int64_t step, std::int64_t count,
                std::byte* voxels) const {
    const std::int64_t element = array_.element_bytes();
    if (array_.stored == StoredType::voxels) {
      copy_elements(elements, step, count, element, voxels);
      if (array_.is_foreign_order) swap_elements(voxels, count, element);
      return;
    }
    std::vector<std::byte> numbers(static_cast<std::size_t>(count * element));
    copy_elements(elements, step, count, element, numbers.data());
    if (array_.is_foreign_order) swap_elements(numbers.data(), count, element);
    convert_stored(array_.stored, array_.type, numbers.data(), count, voxels, decoder_->name());
  }

  /// A slot: the right to read a chunk, for a limited number of threads at once.
  class Turn {
   public:
    explicit Turn(Readers& readers) : readers_{readers} { readers_.acquire(); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() { readers_.release(); }

   private:
    Readers& readers_;
  };

  ArrayShape array_;
  ArrayAxes axes_;
  std::shared_ptr<const ChunkDecoder> decoder_;
  Extent3 extent_;
  std::vector<std::int64_t> in_chunk_, in_grid_;
  std::vector<std::int64_t> base_;  ///< position of the stack along channel and frame
  ChunkCache cache_;
  Readers readers_;
};

}  // namespace

std::int64_t ArrayShape::chunk_bytes() const {
  std::int64_t bytes = element_bytes();
  for (const std::int64_t n : chunk) bytes *= n;
  return bytes;
}

std::vector<std::int64_t> ArrayShape::grid() const {
  std::vector<std::int64_t> counts;
  for (std::size_t i = 0; i < shape.size(); ++i)
    counts.push_back((shape[i] + chunk[i] - 1) / chunk[i]);
  return counts;
}

std::vector<std::int64_t> ArrayShape::place_of(std::int64_t number) const {
  const auto counts = grid();
  std::vector<std::int64_t> place(counts.size());
  for (std::size_t i = counts.size(); i-- > 0; number /= counts[i]) place[i] = number % counts[i];
  return place;
}

std::int64_t ChunkReading::cached_chunks(std::int64_t most_bytes) const {
  const auto grid = array.grid();
  const std::int64_t layer = ArrayAxes::along(grid, axes.y) * ArrayAxes::along(grid, axes.x);
  const std::int64_t layers = std::min<std::int64_t>(2, ArrayAxes::along(grid, axes.z));
  return std::clamp<std::int64_t>(most_bytes / array.chunk_bytes(), 1, layers * layer);
}

std::int64_t ChunkReading::readers(std::int64_t most_bytes) const {
  constexpr std::int64_t kMax = 64;
  return std::clamp<std::int64_t>(most_bytes / bytes_per_reader(), 1, kMax);
}

std::int64_t ChunkReading::bytes_per_reader() const {
  return decoder->scratch_bytes() + array.chunk_bytes();
}

std::int64_t ChunkReading::buffer_bytes(std::int64_t most_bytes) const {
  return cached_chunks(most_bytes) * array.chunk_bytes() + readers(most_bytes) * bytes_per_reader();
}

std::unique_ptr<Source> ChunkReading::source(std::int64_t channel, std::int64_t frame,
                                             std::int64_t most_cache_bytes) const {
  return std::make_unique<ChunkedSource>(*this, channel, frame, cached_chunks(most_cache_bytes),
                                         readers(most_cache_bytes));
}

}  // namespace synthoscope::imageio
