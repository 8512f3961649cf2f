// SPDX-License-Identifier: MIT
#include "simulator/light/kept_light.hpp"
#include "core/stream/carry.hpp"
#include "core/stream/store_as.hpp"

namespace synthoscope::simulator {
namespace {

Extent3 with_rows_first(const Extent3& extent) {
  return {extent.y, extent.z, extent.x};
}

/// Returns the voxels of row `y` of all planes of `box`.
Box3 rows_of(const Box3& box, std::int64_t y) {
  return {{box.origin.y + y, box.origin.z, box.origin.x}, {1, box.size.z, box.size.x}};
}

/// Calls `move(box, view)` for parts of a box that lie together in both orders of rows: the whole
/// of a box of one row per plane, otherwise row by row.
template <class View, class Move>
void for_rows(const Box3& box, View voxels, Move&& move) {
  const std::int64_t voxel = size_of(voxels.type());
  const auto at = [&](std::int64_t z, std::int64_t y) {
    return voxels.data() + (z * box.size.y + y) * voxels.pitch() * voxel;
  };
  for (std::int64_t y = 0; y < box.size.y; ++y) {
    const Box3 rows = rows_of(box, y);
    if (box.size.y == 1)
      return move(rows, View{at(0, 0), voxels.type(), rows.size, voxels.pitch()});
    for (std::int64_t z = 0; z < box.size.z; ++z) {
      const Box3 one{{rows.origin.z, rows.origin.y + z, rows.origin.x}, {1, 1, rows.size.x}};
      move(one, View{at(z, y), voxels.type(), one.size});
    }
  }
}

}  // namespace

/// Takes planes in any order.
class KeptLight::Writing final : public Sink {
 public:
  explicit Writing(KeptLight& light) : light_{light} {}
  [[nodiscard]] Extent3 extent() const override { return light_.extent_; }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::any; }
  void write(const Box3& box, ConstVoxelView voxels) override {
    if (!light_.by_rows_) return light_.kept_.write(box, voxels);
    for_rows(box, voxels,
             [&](const Box3& rows, ConstVoxelView view) { light_.kept_.write(rows, view); });
  }
  void close() override {}

 private:
  KeptLight& light_;
};

KeptLight::KeptLight(const Extent3& extent, MemoryBudget& memory)
    : extent_{extent}, kept_{extent, PixelType::float32, memory, "light that is read again"} {}

KeptLight::KeptLight(const Extent3& extent, const std::filesystem::path& folder, bool by_rows)
    : extent_{extent},
      by_rows_{by_rows},
      kept_{by_rows ? with_rows_first(extent) : extent, PixelType::float32, folder} {}

std::int64_t KeptLight::bytes(const Extent3& extent) {
  return volume(extent) * size_of(PixelType::float32);
}

void KeptLight::render(Source& light, const RunContext& context) {
  StoreAs as_it_is{PixelType::float32};
  Writing writing{*this};
  carry("light", light, as_it_is, writing, context);
}

void KeptLight::read(const Box3& box, VoxelView out) {
  if (!by_rows_) return kept_.read(box, out);
  for_rows(box, out, [&](const Box3& rows, VoxelView view) { kept_.read(rows, view); });
}

}  // namespace synthoscope::simulator
