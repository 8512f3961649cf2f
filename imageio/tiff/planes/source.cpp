// SPDX-License-Identifier: MIT
#include <cstring>
#include "core/base/assert.hpp"
#include "imageio/tiff/planes/stacks.hpp"

namespace synthoscope::imageio {
namespace {

using TiffFiles = std::vector<std::shared_ptr<TiffPageReader>>;

std::vector<std::shared_ptr<const TiffIndex>> indices_of(const TiffFiles& files) {
  std::vector<std::shared_ptr<const TiffIndex>> indices;
  for (const auto& file : files) indices.push_back(file->shared_index());
  return indices;
}

TiffBlockCosts costs_of(const TiffFiles& files, std::span<const StackPlane> planes) {
  TiffBlockCosts costs;
  for (const StackPlane& plane : planes) {
    const TiffPageReader& file = *files[plane.file];
    if (file.is_direct(plane.page)) continue;
    const TiffIndex& index = file.index();
    costs.add(index.format_of(plane.page), index.pages[static_cast<std::size_t>(plane.page)]);
  }
  return costs;
}

/// Makes signed numbers of unsigned ones that are 32768 larger.
void take_off_offset(std::byte* row, std::int64_t count) {
  constexpr std::uint16_t kSign = 0x8000;
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint16_t value;
    std::memcpy(&value, row + 2 * i, sizeof value);
    value ^= kSign;
    std::memcpy(row + 2 * i, &value, sizeof value);
  }
}

/// One stack: a plane per z in the files that hold it.
class TiffSource final : public Source {
 public:
  TiffSource(const TiffStacks& stacks, std::int64_t sample, std::vector<StackPlane> planes,
             std::int64_t most_bytes)
      : extent_{stacks.info.extent},
        type_{stacks.info.type},
        sample_{sample},
        as_stored_{stacks.as_stored},
        is_offset_{stacks.is_signed_by_offset},
        files_{stacks.files},
        planes_{std::move(planes)},
        blocks_{indices_of(files_), costs_of(files_, planes_), most_bytes} {}

  [[nodiscard]] Extent3 extent() const override { return extent_; }
  [[nodiscard]] PixelType pixel_type() const override { return type_; }

  void read(const Box3& box, VoxelView out) override {
    SYNTHOSCOPE_ASSERT(box.size, ==, out.extent());
    SYNTHOSCOPE_ASSERT(contains(extent_, box), ==, true);
    SYNTHOSCOPE_ASSERT(name_of(type_), ==, name_of(out.type()));
    const std::int64_t row_bytes = out.pitch() * size_of(type_);
    for (std::int64_t z = 0; z < box.size.z; ++z) {
      const StackPlane& plane = planes_[static_cast<std::size_t>(box.origin.z + z)];
      std::byte* const rows = out.data() + z * box.size.y * row_bytes;
      files_[plane.file]->read({plane.page, sample_, plane.skip_bytes, as_stored_},
                               {box.origin.y, box.origin.x, box.size.y, box.size.x}, rows,
                               row_bytes, blocks_, plane.file);
      for (std::int64_t y = 0; is_offset_ && y < box.size.y; ++y)
        take_off_offset(rows + y * row_bytes, box.size.x);
    }
  }

  void expect(const Box3& box) override {
    for (std::int64_t z = box.origin.z; z < box.origin.z + box.size.z; ++z) {
      const StackPlane& plane = planes_[static_cast<std::size_t>(z)];
      files_[plane.file]->expect({plane.page, sample_, plane.skip_bytes}, box.origin.y, box.size.y);
    }
  }

 private:
  Extent3 extent_;
  PixelType type_;
  std::int64_t sample_;
  bool as_stored_, is_offset_;
  std::vector<std::shared_ptr<TiffPageReader>> files_;
  std::vector<StackPlane> planes_;
  TiffBlocks blocks_;
};

}  // namespace

std::span<const StackPlane> TiffStacks::stack(std::int64_t channel, std::int64_t frame) const {
  const std::int64_t number = frame * page_channels + channel / info.samples_per_pixel;
  return std::span{planes}.subspan(static_cast<std::size_t>(number * info.extent.z),
                                   static_cast<std::size_t>(info.extent.z));
}

std::unique_ptr<Source> TiffStacks::source(std::int64_t channel, std::int64_t frame,
                                           std::int64_t most_bytes) const {
  const auto chosen = stack(channel, frame);
  return std::make_unique<TiffSource>(*this, channel % info.samples_per_pixel,
                                      std::vector<StackPlane>{chosen.begin(), chosen.end()},
                                      most_bytes);
}

std::int64_t TiffStacks::buffer_bytes(std::int64_t channel, std::int64_t frame,
                                      std::int64_t most_bytes) const {
  return costs_of(files, stack(channel, frame)).buffer_bytes(most_bytes);
}

}  // namespace synthoscope::imageio
