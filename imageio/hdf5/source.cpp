// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstring>
#include "core/base/assert.hpp"
#include "core/volume/box.hpp"
#include "imageio/hdf5/stacks.hpp"
#include "imageio/input/byte_order.hpp"

namespace synthoscope::imageio {
namespace {

/// Elements from one position to the next along each axis of an array of this shape.
std::vector<std::int64_t> strides_of(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t i = shape.size() - 1; i-- > 0;) strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

/// One stack of an array that is stored contiguously.
class ContiguousHdf5 final : public Source {
 public:
  ContiguousHdf5(const Hdf5Stacks& stacks, std::int64_t channel, std::int64_t frame)
      : extent_{stacks.info.extent},
        axes_{stacks.axes},
        data_{stacks.data},
        storage_{data_->storage()},
        in_shape_{strides_of(storage_.shape)},
        base_(storage_.shape.size(), 0) {
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
    read_contiguous(box, out);
    if (!storage_.is_foreign_order || storage_.stored != StoredType::voxels) return;
    const std::int64_t voxel = size_of(storage_.type), pitch = out.pitch() * voxel;
    for (std::int64_t row = 0; row < box.size.z * box.size.y; ++row)
      swap_elements(out.data() + row * pitch, box.size.x, voxel);
  }

  void expect(const Box3& box) override {
    if (storage_.offset < 0) return;
    const std::int64_t bytes = box.size.y * extent_.x * storage_.element_bytes();
    for (std::int64_t z = box.origin.z; z < box.origin.z + box.size.z; ++z)
      data_->file().expect(storage_.offset + row_begin(z, box.origin.y), bytes);
  }

 private:
  void read_contiguous(const Box3& box, VoxelView out) const {
    const std::int64_t voxel = size_of(storage_.type), element = storage_.element_bytes(),
                       plane_bytes = box.size.y * out.pitch() * voxel;
    // Planes of several stacks may be interleaved
    const bool are_neighbours =
        row_begin(1, 0) - row_begin(0, 0) == extent_.y * extent_.x * element;
    const std::int64_t planes = are_neighbours ? box.size.z : 1;
    for (std::int64_t z = 0; z < box.size.z; z += planes) {
      const Box3 part{{0, box.origin.y, box.origin.x}, {planes, box.size.y, box.size.x}};
      const std::int64_t begin = row_begin(box.origin.z + z, 0);
      std::byte* to = out.data() + z * plane_bytes;
      for_each_run(extent_, part, out.pitch(), [&](auto first, auto at, auto count) {
        give_run(begin + first * element, count, to + at * voxel);
      });
    }
  }

  /// `count` voxels whose elements begin `from` bytes after the first one of the array.
  void give_run(std::int64_t from, std::int64_t count, std::byte* voxels) const {
    const std::int64_t element = storage_.element_bytes();
    if (storage_.stored == StoredType::voxels)
      return read_elements(from, {voxels, static_cast<std::size_t>(count * element)});
    constexpr std::int64_t kPiece = 4096;
    std::array<std::byte, kPiece * 8> numbers;
    for (std::int64_t done = 0; done < count; done += kPiece) {
      const std::int64_t some = std::min(kPiece, count - done);
      read_elements(from + done * element,
                    std::span{numbers}.first(static_cast<std::size_t>(some * element)));
      if (storage_.is_foreign_order) swap_elements(numbers.data(), some, element);
      convert_stored(storage_.stored, storage_.type, numbers.data(), some,
                     voxels + done * size_of(storage_.type), data_->name());
    }
  }

  void read_elements(std::int64_t from, std::span<std::byte> elements) const {
    if (storage_.offset < 0) return fill(elements);
    data_->file().read_at(storage_.offset + from, elements);
  }

  /// Bytes before a row of this stack in the array.
  [[nodiscard]] std::int64_t row_begin(std::int64_t z, std::int64_t y) const {
    std::int64_t first =
        z * ArrayAxes::along(in_shape_, axes_.z, extent_.y * extent_.x) + y * extent_.x;
    for (std::size_t i = 0; i < base_.size(); ++i) first += base_[i] * in_shape_[i];
    return first * storage_.element_bytes();
  }

  void fill(std::span<std::byte> voxels) const {
    const std::size_t voxel = storage_.fill.size();
    for (std::size_t at = 0; at < voxels.size(); at += voxel)
      std::memcpy(voxels.data() + at, storage_.fill.data(), voxel);
  }

  Extent3 extent_;
  ArrayAxes axes_;
  std::shared_ptr<const Hdf5Chunks> data_;
  const Hdf5Storage& storage_;
  std::vector<std::int64_t> in_shape_;
  std::vector<std::int64_t> base_;  ///< position of the stack along channel and frame
};

/// Pieces of contiguous elements whose rows along x are not contiguous.
class Hdf5Pieces final : public ChunkDecoder {
 public:
  Hdf5Pieces(std::shared_ptr<const Hdf5Chunks> data, ArrayShape shape)
      : data_{std::move(data)}, shape_{std::move(shape)} {}

  void read(std::int64_t number, std::vector<std::byte>& elements) const override {
    const Hdf5Storage& storage = data_->storage();
    elements.resize(static_cast<std::size_t>(shape_.chunk_bytes()));
    const auto in_shape = strides_of(shape_.shape);
    const auto place = shape_.place_of(number);
    std::int64_t first = 0, count = 1;
    for (std::size_t i = 0; i < place.size(); ++i) {
      const std::int64_t begin = place[i] * shape_.chunk[i];
      first += begin * in_shape[i];
      count *= std::min(shape_.chunk[i], shape_.shape[i] - begin);
    }
    const std::int64_t element = shape_.element_bytes();
    const std::span stored{elements.data(), static_cast<std::size_t>(count * element)};
    if (storage.offset >= 0) return data_->file().read_at(storage.offset + first * element, stored);
    for (std::size_t at = 0; at < stored.size(); at += storage.fill.size())
      std::memcpy(stored.data() + at, storage.fill.data(), storage.fill.size());
  }

  [[nodiscard]] std::int64_t scratch_bytes() const override { return 0; }
  [[nodiscard]] std::string name() const override { return data_->name(); }

 private:
  std::shared_ptr<const Hdf5Chunks> data_;
  ArrayShape shape_;
};

/// Cut along the first axes alone, so that each piece is one run of bytes.
ArrayShape in_pieces(const ArrayShape& whole) {
  constexpr std::int64_t kPieceBytes = std::int64_t{1} << 20;
  ArrayShape shape = whole;
  shape.chunk = whole.shape;
  for (std::size_t i = 0; i < shape.chunk.size() && shape.chunk_bytes() > kPieceBytes; ++i) {
    const std::int64_t bytes_of_one = shape.chunk_bytes() / shape.chunk[i];
    shape.chunk[i] = std::clamp<std::int64_t>(kPieceBytes / bytes_of_one, 1, shape.chunk[i]);
    if (shape.chunk[i] > 1) break;
  }
  return shape;
}

}  // namespace

bool Hdf5Stacks::has_rows() const {
  const Hdf5Storage& storage = data->storage();
  return storage.kind == Hdf5Storage::Kind::contiguous && axes.has_rows_last(storage.shape.size());
}

ChunkReading Hdf5Stacks::reading() const {
  const ArrayShape& stored = data->storage();
  if (data->storage().kind != Hdf5Storage::Kind::contiguous) return {stored, axes, data};
  const ArrayShape shape = in_pieces(data->storage());
  return {shape, axes, std::make_shared<const Hdf5Pieces>(data, shape)};
}

std::int64_t Hdf5Stacks::buffer_bytes(std::int64_t most_bytes) const {
  return has_rows() ? 0 : reading().buffer_bytes(most_bytes);
}

std::unique_ptr<Source> Hdf5Stacks::source(std::int64_t channel, std::int64_t frame,
                                           std::int64_t most_cache_bytes) const {
  if (has_rows()) return std::make_unique<ContiguousHdf5>(*this, channel, frame);
  return reading().source(channel, frame, most_cache_bytes);
}

}  // namespace synthoscope::imageio
