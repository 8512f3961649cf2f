// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <vector>
#include "core/assert.hpp"
#include "imageio/contiguous_box.hpp"
#include "imageio/hdf5_layout.hpp"
#include "imageio/hdf5_state.hpp"
#include "imageio/hdf5_writer.hpp"

namespace synthoscope::imageio {
namespace {

class LaidOutHdf5 final : public ImageFile {
 public:
  LaidOutHdf5(const ImageName& name, const ImageSpec& spec)
      : LaidOutHdf5{name, spec, Leftover::discard} {
    std::error_code ignored;
    std::filesystem::remove(partial_path(chunk_log_path(name.file)), ignored);
    offset_ = lay_out_hdf5(file_, name.data_set, spec_);
  }

  /// Goes on. Boxes that come again have the same voxels.
  LaidOutHdf5(const ImageName& name, const ImageSpec& spec, const std::string& state)
      : LaidOutHdf5{name, spec, spec.shared ? Leftover::share : Leftover::go_on} {
    const auto numbers = read_state(name, spec, state, {"voxels", "offset", "bytes"});
    written_ = numbers[0];
    offset_ = numbers[1];
    if (file_.size() == numbers[2]) return;
    refuse_to_go_on(name);
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
    written_ += count;
  }

  [[nodiscard]] std::string settle() override {
    return print_state(spec_, {{"voxels", written_}, {"offset", offset_}, {"bytes", file_.size()}});
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
      : spec_{spec}, grid_{hdf5_grid(spec)}, file_{name.file, spec.overwrite, leftover} {}

  void write_chunks(const Box3& box, ConstVoxelView voxels) {
    const Extent3& c = grid_.chunk;
    const auto after = [](std::int64_t origin, std::int64_t size, std::int64_t part) {
      return (origin + size + part - 1) / part;
    };
    for (std::int64_t z = box.origin.z / c.z; z < after(box.origin.z, box.size.z, c.z); ++z)
      for (std::int64_t y = box.origin.y / c.y; y < after(box.origin.y, box.size.y, c.y); ++y)
        for (std::int64_t x = box.origin.x / c.x; x < after(box.origin.x, box.size.x, c.x); ++x)
          write_part(grid_.number({z, y, x}), box, voxels);
  }

  /// What chunk `number` has of `box`: whole rows of chunks in one call per plane, else row by row.
  void write_part(std::int64_t number, const Box3& box, ConstVoxelView voxels) {
    const Box3 chunk = grid_.box(number), part = intersection(chunk, box);
    const std::int64_t voxel = size_of(spec_.type), row_bytes = part.size.x * voxel;
    const std::int64_t first = offset_ + number * grid_.chunk_bytes();
    const auto row_of = [&](std::int64_t z, std::int64_t y) {
      const std::int64_t row =
          (part.origin.z + z - box.origin.z) * box.size.y + (part.origin.y + y - box.origin.y);
      return voxels.data() + (row * voxels.pitch() + part.origin.x - box.origin.x) * voxel;
    };
    const bool is_whole_row =
        part.size.x == std::min(chunk.size.x, spec_.extent.x - chunk.origin.x);
    const std::int64_t pitch = chunk.size.x * voxel;
    std::vector<std::byte> rows;
    for (std::int64_t z = 0; z < part.size.z; ++z) {
      const std::int64_t at = first + (((part.origin.z - chunk.origin.z + z) * chunk.size.y +
                                        (part.origin.y - chunk.origin.y)) *
                                           chunk.size.x +
                                       (part.origin.x - chunk.origin.x)) *
                                          voxel;
      if (is_whole_row) {  // what lies beyond the far face is nobody's, and stays 0
        rows.assign(static_cast<std::size_t>(part.size.y * pitch), std::byte{0});
        for (std::int64_t y = 0; y < part.size.y; ++y)
          std::copy_n(row_of(z, y), row_bytes, rows.data() + y * pitch);
        file_.write_at(at, rows);
        continue;
      }
      for (std::int64_t y = 0; y < part.size.y; ++y)
        file_.write_at(at + y * pitch, {row_of(z, y), static_cast<std::size_t>(row_bytes)});
    }
  }

  ImageSpec spec_;
  Hdf5Grid grid_;
  PartialFile file_;
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
