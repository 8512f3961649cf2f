// SPDX-License-Identifier: MIT
#include <atomic>
#include "core/assert.hpp"
#include "imageio/chunk_state.hpp"
#include "imageio/contiguous_box.hpp"
#include "imageio/hdf5_data_set.hpp"
#include "imageio/hdf5_layout.hpp"
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
      : spec_{spec}, grid_{grid_of(spec)}, file_{name.file, spec.overwrite, leftover} {}

  void write_chunks(const Box3& box, ConstVoxelView voxels) {
    for_each_chunk(grid_, box, [&](std::int64_t number) {
      const std::int64_t first = offset_ + number * grid_.chunk_bytes();
      write_chunk_part(grid_.box(number), box, voxels, spec_.extent.x,
                       [&](std::int64_t at, auto bytes) { file_.write_at(first + at, bytes); });
    });
  }

  ImageSpec spec_;
  ChunkGrid grid_;
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
