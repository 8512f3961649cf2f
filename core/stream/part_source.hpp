// SPDX-License-Identifier: MIT
// core/stream/part_source.hpp — a box of a volume as a separate volume.
#pragma once
#include <memory>
#include <utility>
#include "core/stream/stream.hpp"

namespace synthoscope {

class PartSource final : public Source {
 public:
  /// @param part  in `whole`
  PartSource(std::shared_ptr<Source> whole, const Box3& part)
      : whole_{std::move(whole)}, part_{part} {}
  /// @param whole  must outlive this
  PartSource(Source& whole, const Box3& part)
      : PartSource{std::shared_ptr<Source>{std::shared_ptr<void>{}, &whole}, part} {}
  [[nodiscard]] Extent3 extent() const override { return part_.size; }
  [[nodiscard]] PixelType pixel_type() const override { return whole_->pixel_type(); }
  void read(const Box3& box, VoxelView out) override {
    whole_->read(shifted(box, part_.origin), out);
  }
  void expect(const Box3& box) override { whole_->expect(shifted(box, part_.origin)); }

 private:
  std::shared_ptr<Source> whole_;
  Box3 part_;
};

}  // namespace synthoscope
