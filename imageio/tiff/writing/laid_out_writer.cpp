// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include "core/base/assert.hpp"
#include "core/base/json.hpp"
#include "core/run/task_pool.hpp"
#include "imageio/chunks/contiguous_box.hpp"
#include "imageio/chunks/state.hpp"
#include "imageio/output/partial_file.hpp"
#include "imageio/tiff/planes/description.hpp"
#include "imageio/tiff/writing/layout.hpp"
#include "imageio/tiff/writing/sinks.hpp"

namespace synthoscope::imageio {
namespace {

/// Smallest and largest voxel of a box; NaN is passed over.
DisplayRange range_of(ConstVoxelView voxels) {
  DisplayRange range{INFINITY, -INFINITY};
  visit_pixel_type(voxels.type(), [&](auto zero) {
    const auto view = voxels.as<decltype(zero)>();
    const Extent3& e = view.extent();
    for (std::int64_t z = 0; z < e.z; ++z)
      for (std::int64_t y = 0; y < e.y; ++y)
        for (std::int64_t x = 0; x < e.x; ++x) {
          const auto v = static_cast<double>(view(z, y, x));
          range = {std::min(range.min, v), std::max(range.max, v)};
        }
  });
  return range;
}

ConstVoxelView plane_of(ConstVoxelView voxels, std::int64_t z) {
  const Extent3& e = voxels.extent();
  const std::int64_t plane_bytes = e.y * voxels.pitch() * size_of(voxels.type());
  return {voxels.data() + z * plane_bytes, voxels.type(), {1, e.y, e.x}, voxels.pitch()};
}

class LaidOutTiff final : public ImageFile {
 public:
  LaidOutTiff(const std::filesystem::path& path, const ImageSpec& spec,
              Leftover leftover = Leftover::discard)
      : spec_{spec},
        description_{describe(spec, path.filename().string(), {})},
        layout_{lay_out_tiff(path, spec, description_)},
        file_{spec.begun ? std::move(spec.begun->file) : nullptr} {
    if (!file_) file_ = std::make_unique<PartialFile>(path, spec.overwrite, leftover);
    if (leftover != Leftover::discard) return;
    file_->allocate_meanwhile(layout_.total_bytes);
    file_->write_at(0, layout_.head);
    expect_writers();
  }

  /// Counts what is in its place already. Boxes that come again have the same voxels.
  void resume_from(const std::string& state) {
    const ImageName name{file_->path(), ""};
    written_ = read_state(name, spec_, state, {"voxels"}).front();
    read_pieces(name, state, pieces_);
    try {
      const auto json = parse_json(state);
      if (json.contains("range")) range_ = {json["range"].at(0), json["range"].at(1)};
    } catch (const Json::exception&) {
      refuse_to_resume(name);
    }
    if (!has_same_head() || !has_same_voxels()) refuse_leftover(file_->path());
    expect_writers();
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
    write_in_place(box, voxels);
    if (spec_.flavor == TiffFlavor::imagej) widen_range(range_of(voxels));
    pieces_.add(box, voxels);
    written_ += count;
  }

  [[nodiscard]] std::string checkpoint() override {
    auto state = parse_json(print_state(spec_, {{"voxels", written_}}, pieces_));
    if (range_.min <= range_.max) state["range"] = {range_.min, range_.max};
    return text_of(state);
  }
  [[nodiscard]] std::int64_t written() const override { return written_; }
  void sync() override { file_->sync(); }
  void keep(bool is_kept) noexcept override { file_->keep(is_kept); }

  void build() override {
    SYNTHOSCOPE_ASSERT(written_.load(), ==, volume(spec_.extent));
    if (spec_.flavor == TiffFlavor::imagej && !is_built_) write_range();
    is_built_ = true;
  }

  void close() override {
    build();
    file_->commit();
  }

 private:
  void expect_writers() {
    if (spec_.pool) file_->expect_writers(spec_.pool->threads());
  }

  /// Where the file has a box that lies in one plane.
  [[nodiscard]] Box3 stored_box(const Box3& box) const {
    return {{stored_plane(spec_, box.origin.z), box.origin.y, box.origin.x}, box.size};
  }

  void write_in_place(const Box3& box, ConstVoxelView voxels) {
    if (spec_.flavor != TiffFlavor::imagej || spec_.channels == 1)
      return write_contiguous(*file_, layout_.pixels_offset, spec_.extent, box, voxels);
    const Extent3 size{1, box.size.y, box.size.x};
    for (std::int64_t z = 0; z < box.size.z; ++z)
      write_contiguous(*file_, layout_.pixels_offset, spec_.extent,
                       stored_box({{box.origin.z + z, box.origin.y, box.origin.x}, size}),
                       plane_of(voxels, z));
  }

  [[nodiscard]] bool has_same_head() const {
    std::vector<std::byte> head(layout_.head.size());
    if (file_->size() != layout_.total_bytes || file_->read_some(0, head) != head.size())
      return false;
    // The description may hold the range already
    const auto description = head.begin() + layout_.description_offset;
    std::copy_n(layout_.head.begin() + layout_.description_offset, description_.size(),
                description);
    return head == layout_.head;
  }

  [[nodiscard]] bool has_same_voxels() const {
    const auto read = [&](const Box3& box, std::span<std::byte> voxels) {
      SYNTHOSCOPE_ASSERT(box.size.z, ==, 1);
      return read_contiguous(*file_, layout_.pixels_offset, spec_.extent, stored_box(box),
                             {voxels.data(), spec_.type, box.size});
    };
    return pieces_.are_there(contiguous_grid(spec_.extent, spec_.type), read, spec_.pool,
                             spec_.stop);
  }

  void widen_range(const DisplayRange& range) {
    const std::lock_guard lock{mutex_};
    range_ = {std::min(range_.min, range.min), std::max(range_.max, range.max)};
  }

  void write_range() {
    if (!(range_.min <= range_.max)) range_ = {};
    const auto text = describe(spec_, file_->path().filename().string(), range_);
    SYNTHOSCOPE_ASSERT(text.size(), ==, description_.size());
    file_->write_at(layout_.description_offset, std::as_bytes(std::span{text}));
  }

  ImageSpec spec_;
  std::string description_;
  TiffLayout layout_;
  std::unique_ptr<PartialFile> file_;
  WrittenPieces pieces_{spec_.extent, spec_.type};
  std::atomic<std::int64_t> written_{0};
  bool is_built_ = false;
  std::mutex mutex_;
  DisplayRange range_{INFINITY, -INFINITY};
};

}  // namespace

/// Directories and a description that come to the voxels later are small.
std::shared_ptr<BegunFile> begin_laid_out_tiff(const std::filesystem::path& path,
                                               const ImageSpec& spec) {
  constexpr std::int64_t kWorthwhile = std::int64_t{64} << 20;
  const std::int64_t bytes = volume(spec.extent) * size_of(spec.type);
  std::error_code ignored;
  if (bytes < kWorthwhile || std::filesystem::exists(partial_path(path), ignored)) return nullptr;
  auto file = std::make_unique<PartialFile>(path, spec.overwrite);
  file->allocate_meanwhile(bytes);
  return std::make_shared<BegunFile>(BegunFile{std::move(file)});
}

std::unique_ptr<ImageFile> create_laid_out_tiff(const std::filesystem::path& path,
                                                const ImageSpec& spec) {
  return std::make_unique<LaidOutTiff>(path, spec);
}

std::unique_ptr<ImageFile> resume_laid_out_tiff(const std::filesystem::path& path,
                                                const ImageSpec& spec, const std::string& state) {
  return resume_file<LaidOutTiff>(path, spec, state);
}

}  // namespace synthoscope::imageio
