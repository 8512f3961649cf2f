// SPDX-License-Identifier: MIT
#include "fit/light/background_tiles.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include "score/surfaces/distance_transform.hpp"

namespace synthoscope::fit {
namespace {

constexpr std::int64_t kTilesAcross = 12, kTilesAcrossOfStack = 6, kTilesDeep = 4;
constexpr std::int64_t kLeastTile = 8;  ///< pixels along y and x
constexpr double kLeastFarShare = 0.1;  ///< of a tile's pixels that are background
constexpr double kLeastPixels = 16;
constexpr double kLeastBackground = 0.02;  ///< share of an image's voxels
constexpr double kLeastWidths = 0.5;

/// Sums products of pixel values at two places.
struct Products {
  double sum = 0, first = 0, second = 0, pairs = 0;
  void add(double a, double b) {
    sum += a * b;
    first += a;
    second += b;
    ++pairs;
  }
  [[nodiscard]] double covariance() const { return (sum - first * second / pairs) / pairs; }
};

/// Pixels of an image, and which of them are background.
struct FarPixels {
  const LabelledImage& image;
  std::span<const double> squared_widths;
  double least_square;

  [[nodiscard]] std::size_t place(std::int64_t z, std::int64_t y, std::int64_t x) const {
    const Extent3& extent = image.grid.extent;
    return static_cast<std::size_t>((z * extent.y + y) * extent.x + x);
  }
  [[nodiscard]] bool is_far(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return squared_widths[place(z, y, x)] >= least_square;
  }
  [[nodiscard]] double counts(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return static_cast<double>(image.counts.voxels[place(z, y, x)]);
  }
};

/// Gives the tile its covariances.
void measure_grain(const FarPixels& pixels, const Box3& box, std::int64_t apart,
                   BackgroundTile& tile) {
  Products near, far;
  const auto add = [&](Products& to, std::int64_t z, std::int64_t y, std::int64_t x,
                       std::int64_t step) {
    // Both diagonals: rows and columns of cameras have noise of their own
    if (y + step >= box.origin.y + box.size.y) return;
    for (const std::int64_t other : {x - step, x + step}) {
      if (other < box.origin.x || other >= box.origin.x + box.size.x) continue;
      if (pixels.is_far(z, y + step, other))
        to.add(pixels.counts(z, y, x) - tile.mean, pixels.counts(z, y + step, other) - tile.mean);
    }
  };
  for (std::int64_t z = box.origin.z; z < box.origin.z + box.size.z; ++z)
    for (std::int64_t y = box.origin.y; y < box.origin.y + box.size.y; ++y)
      for (std::int64_t x = box.origin.x; x < box.origin.x + box.size.x; ++x)
        if (pixels.is_far(z, y, x)) {
          add(near, z, y, x, 1);
          add(far, z, y, x, apart);
        }
  if (near.pairs < kLeastPixels || far.pairs < kLeastPixels) return;
  tile.grain = near.covariance() - far.covariance();
  tile.pairs = near.pairs;
}

BackgroundTile tile_of(const FarPixels& pixels, const Box3& box) {
  const simulator::Grid& grid = pixels.image.grid;
  BackgroundTile tile;
  double z_sum = 0, y_sum = 0, x_sum = 0, sum = 0;
  for (std::int64_t z = box.origin.z; z < box.origin.z + box.size.z; ++z)
    for (std::int64_t y = box.origin.y; y < box.origin.y + box.size.y; ++y)
      for (std::int64_t x = box.origin.x; x < box.origin.x + box.size.x; ++x) {
        if (!pixels.is_far(z, y, x)) continue;
        ++tile.pixels;
        sum += pixels.counts(z, y, x);
        z_sum += static_cast<double>(z) + 0.5;
        y_sum += static_cast<double>(y) + 0.5;
        x_sum += static_cast<double>(x) + 0.5;
      }
  if (tile.pixels == 0) return tile;
  tile.mean = sum / tile.pixels;
  tile.z_um = z_sum / tile.pixels * grid.pitch.z_um;
  tile.y_um = y_sum / tile.pixels * grid.pitch.y_um;
  tile.x_um = x_sum / tile.pixels * grid.pitch.x_um;
  const auto height = static_cast<double>(grid.extent.y),
             width = static_cast<double>(grid.extent.x);
  const double down = y_sum / tile.pixels - height / 2, right = x_sum / tile.pixels - width / 2;
  tile.along_y = down / height;
  tile.along_x = right / width;
  tile.radial = 4 * (down * down + right * right) / (height * height + width * width);
  return tile;
}

}  // namespace

std::vector<double> squared_widths_from_labels(const LabelledImage& image, const LightRule& rule) {
  std::vector<double> field(static_cast<std::size_t>(volume(image.grid.extent)),
                            std::numeric_limits<double>::infinity());
  if (!image.has_labels()) return field;
  std::transform(image.labels.voxels.begin(), image.labels.voxels.end(), field.begin(),
                 [](std::uint32_t label) {
                   return label == 0 ? std::numeric_limits<double>::infinity() : 0.0;
                 });
  const VoxelSize& pitch = image.grid.pitch;
  score::squared_distances(
      field, image.grid.extent,
      {pitch.z_um / rule.axial_um, pitch.y_um / rule.lateral_um, pitch.x_um / rule.lateral_um});
  return field;
}

double far_widths_within(std::span<const double> squared_widths, const LightRule& rule) {
  constexpr double kSmaller = 0.8;
  double widths = rule.far_widths;
  for (; widths > kLeastWidths; widths *= kSmaller) {
    const auto far = std::count_if(squared_widths.begin(), squared_widths.end(),
                                   [&](double square) { return square >= widths * widths; });
    if (static_cast<double>(far) >= kLeastBackground * static_cast<double>(squared_widths.size()))
      return widths;
  }
  return kLeastWidths;
}

std::vector<BackgroundTile> background_tiles(const LabelledImage& image,
                                             std::span<const double> squared_widths,
                                             const LightRule& rule) {
  const Extent3& extent = image.grid.extent;
  const FarPixels pixels{image, squared_widths, rule.far_widths * rule.far_widths};
  const std::int64_t across = image.is_plane() ? kTilesAcross : kTilesAcrossOfStack;
  const std::int64_t side =
      std::max(kLeastTile, (std::max(extent.y, extent.x) + across - 1) / across);
  const std::int64_t depth = (extent.z + kTilesDeep - 1) / kTilesDeep;
  std::vector<BackgroundTile> tiles;
  for (std::int64_t z = 0; z < extent.z; z += depth)
    for (std::int64_t y = 0; y < extent.y; y += side)
      for (std::int64_t x = 0; x < extent.x; x += side) {
        const Box3 box{{z, y, x},
                       {std::min(depth, extent.z - z), std::min(side, extent.y - y),
                        std::min(side, extent.x - x)}};
        BackgroundTile tile = tile_of(pixels, box);
        const double least =
            std::max(kLeastPixels, kLeastFarShare * static_cast<double>(volume(box.size)));
        if (tile.pixels < least) continue;
        measure_grain(pixels, box, rule.apart, tile);
        tiles.push_back(tile);
      }
  return tiles;
}

}  // namespace synthoscope::fit
