// SPDX-License-Identifier: MIT
#include <atomic>
#include "core/base/assert.hpp"
#include "imageio/chunks/contiguous_box.hpp"
#include "imageio/chunks/log.hpp"
#include "imageio/chunks/state.hpp"
#include "imageio/hdf5/writing/data_set.hpp"
#include "imageio/hdf5/writing/layout.hpp"
#include "imageio/hdf5/writing/sinks.hpp"

namespace synthoscope::imageio {
namespace {

class LaidOutHdf5 final : public ImageFile {
 public:
  LaidOutHdf5(const ImageName& name, const ImageSpec& spec)
      : LaidOutHdf5{name, spec, Leftover::discard} {
    std::error_code ignored;
    std::filesystem::remove(partial_path(chunk_log_path(name.file)), ignored);
    offset_ = lay_out_hdf5(file_, name.data_set, spec_);
    frame_ = sum_around();
  }

  /// Goes on. Boxes that come again have the same voxels.
  LaidOutHdf5(const ImageName& name, const ImageSpec& spec, const std::string& state)
      : LaidOutHdf5{name, spec, spec.shared ? Leftover::share : Leftover::resume} {
    const auto numbers = read_state(name, spec, state, {"voxels", "offset", "bytes", "frame"});
    read_pieces(name, state, pieces_);
    written_ = numbers[0];
    offset_ = numbers[1];
    frame_ = ContentSum{numbers[3]};
    if (file_.size() != numbers[2] || sum_around() != frame_ || !has_same_voxels())
      refuse_leftover(name.file);
  }

  [[nodiscard]] Extent3 extent() const override { return spec_.extent; }
  [[nodiscard]] PixelType pixel_type() const override { return spec_.type; }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::any; }

  void write(const Box3& box, ConstVoxelView voxels) override {
    SYNTHOSCOPE_ASSERT(box.size, ==, voxels.extent());
    SYNTHOSCOPE_ASSERT(contains(spec_.extent, box), ==, true);
    SYNTHOSCOPE_ASSERT(name_of(spec_.type), ==, name_of(voxels.type()));
    const std::int64_t count = volume(box.size);
    if (count == 0) return;
    if (is_contiguous_hdf5(spec_))
      write_contiguous(file_, offset_, spec_.extent, box, voxels);
    else
      write_chunks(box, voxels);
    pieces_.add(box, voxels);
    written_ += count;
  }

  [[nodiscard]] std::string checkpoint() override {
    return print_state(spec_,
                       {{"voxels", written_},
                        {"offset", offset_},
                        {"bytes", file_.size()},
                        {"frame", frame_.value()}},
                       pieces_);
  }
  [[nodiscard]] std::int64_t written() const override { return written_; }
  void sync() override { file_.sync(); }
  void keep(bool is_kept) noexcept override { file_.keep(is_kept); }

  void close() override {
    SYNTHOSCOPE_ASSERT(written_.load(), ==, volume(spec_.extent));
    file_.commit();
  }

 private:
  LaidOutHdf5(const ImageName& name, const ImageSpec& spec, Leftover leftover)
      : spec_{spec}, grid_{grid_of(spec)}, file_{name.file, spec.overwrite, leftover} {}

  void write_chunks(const Box3& box, ConstVoxelView voxels) {
    for_each_chunk(grid_, box, [&](std::int64_t number) {
      const std::int64_t first = offset_ + number * grid_.chunk_bytes();
      write_chunk_part(grid_.box(number), box, voxels, spec_.extent.x,
                       [&](std::int64_t at, auto bytes) { file_.write_at(first + at, bytes); });
    });
  }

  [[nodiscard]] std::int64_t voxel_bytes() const {
    return is_contiguous_hdf5(spec_) ? volume(spec_.extent) * size_of(spec_.type)
                                     : grid_.chunks() * grid_.chunk_bytes();
  }

  /// Returns the sum of what the library wrote before and after the voxels.
  [[nodiscard]] ContentSum sum_around() const {
    ContentSum sum = sum_of_file(file_, 0, offset_);
    sum.add(sum_of_file(file_, offset_ + voxel_bytes(), file_.size()));
    return sum;
  }

  [[nodiscard]] bool has_same_voxels() const {
    if (is_contiguous_hdf5(spec_))
      return pieces_.are_there(
          contiguous_grid(spec_.extent, spec_.type),
          [&](const Box3& box, std::span<std::byte> voxels) {
            return read_contiguous(file_, offset_, spec_.extent, box,
                                   {voxels.data(), spec_.type, box.size});
          },
          spec_.pool, spec_.stop);
    return pieces_.are_there(
        planes_of_chunks(spec_.extent, grid_),
        [&](const Box3& box, std::span<std::byte> voxels) { return read_chunk(box, voxels); },
        spec_.pool, spec_.stop);
  }

  /// A box that lies in one plane of one chunk.
  [[nodiscard]] bool read_chunk(const Box3& box, std::span<std::byte> voxels) const {
    const std::int64_t number = grid_.number_at(box.origin);
    const std::int64_t first = offset_ + number * grid_.chunk_bytes();
    return read_chunk_part(grid_.box(number), box, {voxels.data(), spec_.type, box.size},
                           [&](std::int64_t at, std::span<std::byte> row) {
                             return file_.read_some(first + at, row) == row.size();
                           });
  }

  ImageSpec spec_;
  ChunkGrid grid_;
  PartialFile file_;
  ContentSum frame_;  ///< of what is no voxel
  WrittenPieces pieces_{spec_.extent, spec_.type};
  std::int64_t offset_ = 0;
  std::atomic<std::int64_t> written_{0};
};

}  // namespace

std::unique_ptr<ImageFile> create_laid_out_hdf5(const ImageName& name, const ImageSpec& spec) {
  return std::make_unique<LaidOutHdf5>(name, spec);
}

std::unique_ptr<ImageFile> resume_laid_out_hdf5(const ImageName& name, const ImageSpec& spec,
                                                const std::string& state) {
  return std::make_unique<LaidOutHdf5>(name, spec, state);
}

}  // namespace synthoscope::imageio
