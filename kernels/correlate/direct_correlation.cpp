// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <vector>
#include "core/base/round_up.hpp"
#include "core/run/stop.hpp"
#include "kernels/correlate/correlation.hpp"
#include "kernels/correlate/direct_rows.hpp"
#include "kernels/operation/copied_rows.hpp"

namespace synthoscope::kernels {
namespace {

// Products that are summed consecutively. Errors of such a sum grow with their number.
constexpr std::int64_t kProductsInARow = 64;
// Floats of a tile with the voxels around it: half of a second-level cache of 512 KiB
constexpr std::int64_t kTileFloats = 65536;
constexpr std::int64_t kMaxRows = 4;
// Most rows that are read in place: rows of an image may all map to one set of a cache of eight
// ways
constexpr std::int64_t kRowsInPlace = 6;
constexpr std::int64_t kMaxVectors = 4;
// Products between two checks for a stop
constexpr std::int64_t kProductsAtOnce = std::int64_t{1} << 25;

/// Returns blocks that do not depend on which results are made together, so that the order of sums
/// does not either.
std::vector<TapBlock> blocks_of(const Extent3& e) {
  const std::int64_t columns = std::min(e.x, kProductsInARow);
  const std::int64_t rows = std::clamp<std::int64_t>(kProductsInARow / columns, 1, e.y);
  const std::int64_t planes =
      rows < e.y ? 1 : std::clamp<std::int64_t>(kProductsInARow / (columns * rows), 1, e.z);
  // As even as possible: a block of few rows of weights could not share voxels
  const auto cut = [](std::int64_t whole, std::int64_t part, auto&& body) {
    const std::int64_t parts = (whole + part - 1) / part;
    for (std::int64_t i = 0; i < parts; ++i) body(i * whole / parts, (i + 1) * whole / parts);
  };
  std::vector<TapBlock> blocks;
  cut(e.z, planes, [&](std::int64_t z0, std::int64_t z1) {
    cut(e.y, rows, [&](std::int64_t y0, std::int64_t y1) {
      cut(e.x, columns, [&](std::int64_t x0, std::int64_t x1) {
        blocks.push_back({z0, z1, y0, y1, x0, x1});
      });
    });
  });
  return blocks;
}

std::int64_t fewest_rows(const std::vector<TapBlock>& blocks) {
  std::int64_t fewest = kMaxRows;
  for (const TapBlock& b : blocks) fewest = std::min(fewest, b.y1 - b.y0);
  return fewest;
}

class DirectCorrelation final : public TiledOperation {
 public:
  DirectCorrelation(const NeighbourhoodSetting& setting, const Stencil& stencil)
      : TiledOperation{setting, {stencil.extent, stencil.centre}},
        weights_(stencil.weights.begin(), stencil.weights.end()),
        blocks_{blocks_of(stencil.extent)},
        rows_{fewest_rows(blocks_)} {}
  [[nodiscard]] std::string_view stage() const override { return "filter"; }

 private:
  [[nodiscard]] Extent3 tile_of(const Extent3& box) const override;
  [[nodiscard]] std::int64_t scratch_floats(const Extent3& tile) const override {
    return held_floats(tile) + kMaxRows * row_pitch(tile.x + kMaxVectors * kMaxLanes);
  }
  void make_tile(const Window& in, const Box3& tile, float* scratch,
                 ResultRows& rows) const override;
  [[nodiscard]] std::int64_t columns_at_once(std::int64_t together) const;
  void correlate(const DirectTaps& taps, const DirectInput& in, std::int64_t width,
                 std::int64_t together, float* results, std::int64_t pitch) const;
  [[nodiscard]] std::optional<DirectInput> input_in_place(const Window& in, const Box3& tile,
                                                          std::int64_t together) const;

  /// Space to compute whole vectors of whole groups of rows; surplus results are discarded.
  [[nodiscard]] std::int64_t held_pitch(const Extent3& tile) const {
    return row_pitch(tile.x + kMaxVectors * kMaxLanes + reach().extent.x);
  }
  [[nodiscard]] std::int64_t held_rows(const Extent3& tile) const {
    return round_up(tile.y, kMaxRows) + reach().extent.y - 1;
  }
  [[nodiscard]] std::int64_t held_floats(const Extent3& tile) const {
    return (tile.z + reach().extent.z - 1) * held_rows(tile) * held_pitch(tile);
  }

  std::vector<float> weights_;
  std::vector<TapBlock> blocks_;
  std::int64_t rows_;  ///< most rows that are made together
};

Extent3 DirectCorrelation::tile_of(const Extent3& box) const {
  Extent3 tile{1, std::min<std::int64_t>(box.y, kMaxRows), std::min<std::int64_t>(box.x, 512)};
  const auto grows = [&](std::int64_t Extent3::*axis, std::int64_t most) {
    Extent3 larger = tile;
    larger.*axis = std::min(2 * tile.*axis, box.*axis);
    if (larger == tile || larger.*axis > most || held_floats(larger) > kTileFloats) return false;
    tile = larger;
    return true;
  };
  // Growing along an axis copies fewer surrounding voxels again; y and z alternate
  bool more = true;
  while (more) {
    more = grows(&Extent3::y, 64);
    if (grows(&Extent3::z, 16)) more = true;
  }
  return tile;
}

/// Returns the voxels of the window itself if they are floats, few rows are read at once, and
/// nothing outside the window is read, not even for results that are discarded; otherwise nothing.
std::optional<DirectInput> DirectCorrelation::input_in_place(const Window& in, const Box3& tile,
                                                             std::int64_t together) const {
  const Extent3& k = reach().extent;
  if (in.voxels.type() != PixelType::float32 || k.z * (k.y + together - 1) > kRowsInPlace)
    return {};
  Box3 read = around(tile);
  read.origin = {read.origin.z - in.box.origin.z, read.origin.y - in.box.origin.y,
                 read.origin.x - in.box.origin.x};
  read.size.y = held_rows(tile.size);
  read.size.x = round_up(tile.size.x, kMaxVectors * kMaxLanes) + k.x - 1;
  if (!contains(in.box.size, read)) return {};
  const auto voxels = in.voxels.as<float>();
  return DirectInput{&voxels(read.origin.z, read.origin.y, read.origin.x), voxels.pitch(),
                     voxels.pitch() * voxels.extent().y};
}

/// Returns the columns of results that are made between two checks for a stop: whole vectors, so
/// that the division changes no sum.
std::int64_t DirectCorrelation::columns_at_once(std::int64_t together) const {
  constexpr std::int64_t kVectors = kMaxVectors * kMaxLanes;
  const std::int64_t fitting = kProductsAtOnce / together / volume(reach().extent);
  return std::max<std::int64_t>(fitting / kVectors, 1) * kVectors;
}

/// Makes `width` results of each of `together` rows.
void DirectCorrelation::correlate(const DirectTaps& taps, const DirectInput& in, std::int64_t width,
                                  std::int64_t together, float* results, std::int64_t pitch) const {
  with_lanes(setting().level, [&](auto lanes) SYNTHOSCOPE_INLINE {
    constexpr int kLanes = decltype(lanes)::value;
    if (together == 4)
      correlate_rows<kLanes, 4, 2>(taps, in, width, results, pitch);
    else if (together == 2)
      correlate_rows<kLanes, 2, 4>(taps, in, width, results, pitch);
    else
      correlate_rows<kLanes, 1, 4>(taps, in, width, results, pitch);
  });
}

void DirectCorrelation::make_tile(const Window& in, const Box3& tile, float* scratch,
                                  ResultRows& rows) const {
  const Box3 around = this->around(tile);
  const std::int64_t pitch = held_pitch(tile.size), plane = held_rows(tile.size) * pitch;
  const CopiedRows copied{in, setting().boundary, around, scratch, pitch, plane};
  float* const results = scratch + held_floats(tile.size);
  const std::int64_t results_pitch = row_pitch(tile.size.x + kMaxVectors * kMaxLanes);
  const DirectTaps taps{weights_.data(), reach().extent.y, reach().extent.x, blocks_};
  const std::int64_t together = rows_ >= 4 ? 4 : rows_ >= 2 ? 2 : 1;
  const auto in_place = input_in_place(in, tile, together);
  const std::int64_t at_once = columns_at_once(together);
  std::int64_t planes_before = 0;
  for (std::int64_t z = 0; z < tile.size.z; ++z) {
    const std::int64_t planes = z + reach().extent.z;
    for (std::int64_t y = 0, before = 0; y < tile.size.y; y += together) {
      const std::int64_t after = std::min(y + together + reach().extent.y - 1, around.size.y);
      for (std::int64_t i = planes_before; i < planes && !in_place; ++i)
        copied.copy(i, before, after, i);
      before = after;
      DirectInput input = in_place.value_or(DirectInput{scratch, pitch, plane});
      input.first += z * input.plane + y * input.pitch;
      for (std::int64_t x = 0; x < tile.size.x; x += at_once, input.first += at_once) {
        stop_point();
        correlate(taps, input, std::min(at_once, tile.size.x - x), together, results + x,
                  results_pitch);
      }
      for (std::int64_t r = 0; r < std::min(together, tile.size.y - y); ++r)
        rows.store(z, y + r, results + r * results_pitch);
    }
    planes_before = planes;
  }
}

}  // namespace

std::unique_ptr<TiledOperation> make_direct_correlation(const NeighbourhoodSetting& setting,
                                                        const Stencil& stencil) {
  require_usable(stencil);
  return std::make_unique<DirectCorrelation>(setting, stencil);
}

}  // namespace synthoscope::kernels
