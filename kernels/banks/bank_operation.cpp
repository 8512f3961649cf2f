// SPDX-License-Identifier: MIT
#include "kernels/banks/bank_operation.hpp"
#include <algorithm>
#include "kernels/banks/device_filter_bank.hpp"
#include "kernels/banks/scaled_tile.hpp"
#include "kernels/banks/tiles.hpp"
#include "kernels/operation/scratch.hpp"

namespace synthoscope::kernels {
namespace {

class BankOperation final : public Operation {
 public:
  BankOperation(const NeighbourhoodSetting& setting, const FilterBankSpec& spec,
                const ResponseScale& scale)
      : setting_{setting}, tiles_{setting, spec}, scale_{scale}, store_{setting.type} {
    there_ = device::make_device_filter_bank(
        tiles_, setting.type, scale, [this](const StoredCounts& counts) { store_.count(counts); });
  }

  [[nodiscard]] std::string_view stage() const override { return "filter"; }
  [[nodiscard]] Extent3 extent() const override {
    return {setting_.image.z * tiles_.responses(), setting_.image.y, setting_.image.x};
  }
  [[nodiscard]] std::vector<PixelType> types() const override { return {setting_.type}; }
  [[nodiscard]] Box3 needs(const Box3& box) const override {
    return tiles_.needs(planes_of_responses(tiles_, box));
  }
  [[nodiscard]] std::int64_t working_bytes(const Extent3& box, int threads) const override {
    const Extent3 tile = tiles_.tile_of({most_planes(tiles_, box.z), box.y, box.x});
    return threads * floats_of(tile) * std::int64_t{sizeof(float)};
  }
  void apply(const Window& in, const Box3& box, std::span<const VoxelView> out,
             TaskPool& pool) override;
  [[nodiscard]] StoredCounts stored_counts() const override {
    return {store_.clipped(), store_.non_finite()};
  }
  [[nodiscard]] DeviceOperation* on_device() override { return there_.get(); }
  [[nodiscard]] double host_seconds() const { return tiles_.host_seconds(); }

 private:
  [[nodiscard]] std::int64_t floats_of(const Extent3& tile) const {
    return tiles_.responses() * BankTiles::pitch(tile) + tiles_.scratch_floats(tile);
  }
  void store(const Box3& tile, const ResponseRange& made, const float* responses, const Box3& box,
             const VoxelView& out);

  NeighbourhoodSetting setting_;
  BankTiles tiles_;
  ResponseScale scale_;
  StoreAs store_;
  std::unique_ptr<DeviceOperation> there_;
};

void BankOperation::apply(const Window& in, const Box3& box, std::span<const VoxelView> out,
                          TaskPool& pool) {
  const Box3 planes = planes_of_responses(tiles_, box);
  const Extent3 most = tiles_.tile_of(planes.size);
  ThreadScratch scratch{floats_of(most), pool};
  for_each_tile(planes, most, pool, [&](const Box3&, const Box3& tile) {
    float* const responses = scratch.mine();
    const std::int64_t pitch = BankTiles::pitch(tile.size);
    const ResponseRange made = scale_.normalises_contrast ? ResponseRange{0, tiles_.responses()}
                                                          : responses_wanted(tiles_, tile, box);
    tiles_.make(in, tile, made, responses, responses + tiles_.responses() * pitch);
    scale_tile(setting_.level, scale_,
               {responses, volume(tile.size), pitch, made.last - made.first});
    store(tile, made, responses, box, out[0]);
  });
}

/// Stores the responses that are in `box`.
void BankOperation::store(const Box3& tile, const ResponseRange& made, const float* responses,
                          const Box3& box, const VoxelView& out) {
  const std::int64_t n = tiles_.responses(), pitch = BankTiles::pitch(tile.size);
  const Extent3 plane{1, tile.size.y, tile.size.x};
  for (std::int64_t z = 0; z < tile.size.z; ++z)
    for (std::int64_t r = made.first; r < made.last; ++r) {
      const Index3 at{(tile.origin.z + z) * n + r - box.origin.z, tile.origin.y - box.origin.y,
                      tile.origin.x - box.origin.x};
      if (at.z < 0 || at.z >= box.size.z) continue;
      const float* const from = responses + (r - made.first) * pitch + z * volume(plane);
      std::byte* const to =
          out.data() + ((at.z * box.size.y + at.y) * out.pitch() + at.x) * size_of(setting_.type);
      store_.apply({at, plane}, HostView3<const float>{from, plane},
                   VoxelView{to, setting_.type, plane, out.pitch()});
    }
}

}  // namespace

ChosenBank make_scaled_bank(const NeighbourhoodSetting& setting, const FilterBankSpec& spec,
                            const ResponseScale& scale) {
  auto operation = std::make_unique<BankOperation>(setting, spec, scale);
  const double seconds = operation->host_seconds();
  return {std::move(operation), seconds};
}

ChosenBank make_filter_bank(const NeighbourhoodSetting& setting, const FilterBankSpec& spec) {
  return make_scaled_bank(setting, spec, {});
}

}  // namespace synthoscope::kernels
