// SPDX-License-Identifier: MIT
// core/stream/joined_source.hpp — a volume that lies in several others.
#pragma once
#include <utility>
#include <vector>
#include "core/stream/stream.hpp"

namespace synthoscope {

/// Reads a volume whose boxes lie in different sources. The boxes cover it once.
class JoinedSource final : public Source {
 public:
  struct Piece {
    Source* source;  ///< outlives this; all have the same type
    Box3 box;        ///< in the volume
    Index3 origin;   ///< of the source, in the volume
  };
  JoinedSource(const Extent3& extent, std::vector<Piece> pieces)
      : extent_{extent}, pieces_{std::move(pieces)} {}

  [[nodiscard]] Extent3 extent() const override { return extent_; }
  [[nodiscard]] PixelType pixel_type() const override {
    return pieces_.front().source->pixel_type();
  }
  /// @throws what the sources throw
  void read(const Box3& box, VoxelView out) override {
    for (std::int64_t z = 0; z < box.size.z; ++z) {
      const Box3 plane{{box.origin.z + z, box.origin.y, box.origin.x}, {1, box.size.y, box.size.x}};
      for (const Piece& piece : pieces_) {
        const Box3 here = intersection(plane, piece.box);
        if (volume(here.size) == 0) continue;
        const Index3 at = shifted(here, box.origin, -1).origin;
        const std::int64_t first = (at.z * box.size.y + at.y) * out.pitch() + at.x;
        piece.source->read(
            shifted(here, piece.origin, -1),
            {out.data() + first * size_of(out.type()), out.type(), here.size, out.pitch()});
      }
    }
  }

 private:
  Extent3 extent_;
  std::vector<Piece> pieces_;
};

}  // namespace synthoscope
