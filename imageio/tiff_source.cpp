// SPDX-License-Identifier: MIT
#include "core/assert.hpp"
#include "imageio/tiff_stacks.hpp"

namespace synthoscope::imageio {
namespace {

/// One stack: a plane per z in the files that hold it.
class TiffSource final : public Source {
 public:
  TiffSource(const TiffStacks& stacks, std::int64_t sample, std::vector<StackPlane> planes)
      : extent_{stacks.info.extent},
        type_{stacks.info.type},
        sample_{sample},
        files_{stacks.files},
        planes_{std::move(planes)} {}

  [[nodiscard]] Extent3 extent() const override { return extent_; }
  [[nodiscard]] PixelType pixel_type() const override { return type_; }

  void read(const Box3& box, VoxelView out) override {
    SYNTHOSCOPE_ASSERT(box.size, ==, out.extent());
    SYNTHOSCOPE_ASSERT(contains(extent_, box), ==, true);
    SYNTHOSCOPE_ASSERT(name_of(type_), ==, name_of(out.type()));
    const std::int64_t row_bytes = out.pitch() * size_of(type_);
    for (std::int64_t z = 0; z < box.size.z; ++z) {
      const StackPlane& plane = planes_[static_cast<std::size_t>(box.origin.z + z)];
      files_[plane.file]->read({plane.page, sample_, plane.skip_bytes},
                               {box.origin.y, box.origin.x, box.size.y, box.size.x},
                               out.data() + z * box.size.y * row_bytes, row_bytes);
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
  std::vector<std::shared_ptr<TiffPageReader>> files_;
  std::vector<StackPlane> planes_;
};

}  // namespace

std::unique_ptr<Source> TiffStacks::source(std::int64_t channel, std::int64_t frame) const {
  const std::int64_t samples = info.samples_per_pixel;
  const std::int64_t stack = frame * page_channels + channel / samples;
  const auto first = planes.begin() + stack * info.extent.z;
  return std::make_unique<TiffSource>(*this, channel % samples,
                                      std::vector<StackPlane>{first, first + info.extent.z});
}

}  // namespace synthoscope::imageio
