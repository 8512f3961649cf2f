// SPDX-License-Identifier: MIT
#include "simulator/report/survey.hpp"
#include <algorithm>
#include <cmath>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "simulator/pictures/projections.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kBandVoxels = std::int64_t{1} << 19;
constexpr double kBinsPerRoot = 4;  ///< bins are a quarter of the shot noise wide
constexpr std::size_t kMaxBins = 1 << 14;

/// Rows of the image, and the matching rows of photons and labels.
template <class Count>
class Band {
 public:
  Band(const FrameStacks& stacks, std::int64_t rows)
      : stacks_{stacks},
        image_{{1, rows, stacks.grid.extent.x}},
        photons_{{1, rows * stacks.bin, stacks.grid.extent.x * stacks.bin}},
        labels_{photons_.extent} {
    for (auto* row : {&counts, &expected, &ids})
      row->resize(static_cast<std::size_t>(stacks.grid.extent.x));
  }

  void read(std::int64_t z, std::int64_t first, std::int64_t rows) {
    first_ = first;
    const auto take = [&](Source& source, auto& room, std::int64_t bin) {
      const Box3 box{{z, first * bin, 0}, {1, rows * bin, room.extent.x}};
      source.read(box, VoxelView{HostView3<std::remove_reference_t<decltype(room.voxels[0])>>{
                           room.voxels.data(), box.size}});
    };
    take(stacks_.image, image_, 1);
    take(stacks_.photons, photons_, stacks_.bin);
    take(stacks_.labels, labels_, stacks_.bin);
  }

  /// Fills the three rows for row `y` of the image.
  void take_row(std::int64_t y) {
    const std::int64_t bin = stacks_.bin, width = stacks_.grid.extent.x, wide = photons_.extent.x;
    const std::int64_t top = (y - first_) * bin;
    for (std::int64_t x = 0; x < width; ++x) {
      float sum = 0;
      for (std::int64_t row = top; row < top + bin; ++row)
        for (std::int64_t column = x * bin; column < (x + 1) * bin; ++column)
          sum += photons_.voxels[static_cast<std::size_t>(row * wide + column)];
      const auto i = static_cast<std::size_t>(x);
      expected[i] = sum;
      counts[i] = image_.voxels[static_cast<std::size_t>((y - first_) * width + x)];
      ids[i] = labels_.voxels[static_cast<std::size_t>((top + bin / 2) * wide + x * bin + bin / 2)];
    }
  }

  std::vector<float> counts, expected, ids;

 private:
  const FrameStacks& stacks_;
  std::int64_t first_ = 0;
  Volume<Count> image_;
  Volume<float> photons_;
  Volume<std::uint16_t> labels_;
};

std::int64_t band_rows(const FrameStacks& stacks) {
  const std::int64_t under = stacks.grid.extent.x * stacks.bin * stacks.bin;
  return std::clamp<std::int64_t>(kBandVoxels / under, 1, stacks.grid.extent.y);
}

std::size_t bin_of(double photons) {
  const double bin = kBinsPerRoot * std::sqrt(std::max(photons, 0.0));
  return std::min(static_cast<std::size_t>(bin), kMaxBins - 1);
}

/// The sums over a frame, added row by row.
class Surveyor {
 public:
  explicit Surveyor(const FrameStacks& stacks)
      : saturated_{static_cast<float>(stacks.saturated)},
        image_{stacks.grid},
        photons_{stacks.grid},
        labels_{stacks.grid},
        transfer_(kMaxBins) {
    seen_.background_histogram.resize(static_cast<std::size_t>(stacks.saturated) + 1);
    seen_.object_histogram.resize(static_cast<std::size_t>(stacks.saturated) + 1);
  }

  template <class Count>
  void add(std::int64_t z, std::int64_t y, const Band<Count>& row) {
    image_.add(z, y, row.counts.data());
    photons_.add(z, y, row.expected.data());
    labels_.add(z, y, row.ids.data());
    for (std::size_t x = 0; x < row.counts.size(); ++x) {
      const float count = row.counts[x], light = row.expected[x];
      auto& histogram = row.ids[x] == 0 ? seen_.background_histogram : seen_.object_histogram;
      ++histogram[static_cast<std::size_t>(std::min(count, saturated_))];
      if (!std::isfinite(light))
        throw InvalidInput("report: the photons hold NaN or infinity; simulate the data set again");
      TransferBin& bin = transfer_[bin_of(light)];
      if (count > 0 && count < saturated_)
        bin.add(light, count);
      else
        ++bin.clipped;
      if (light > most_) {
        most_ = light;
        seen_.brightest = {z, y, static_cast<std::int64_t>(x)};
      }
    }
  }

  Survey finish() {
    seen_.image = std::move(image_).slices();
    seen_.photons = std::move(photons_).slices();
    seen_.labels = std::move(labels_).slices();
    std::erase_if(transfer_, [](const TransferBin& bin) { return bin.pixels == 0; });
    seen_.transfer = std::move(transfer_);
    return std::move(seen_);
  }

 private:
  float saturated_, most_ = -1;
  Survey seen_;
  Projection image_, photons_, labels_;
  std::vector<TransferBin> transfer_;
};

}  // namespace

double TransferBin::variance() const {
  const double covariance = products / pixels - mean_photons() * mean_counts();
  const double spread = photons_squared / pixels - mean_photons() * mean_photons();
  const double all = counts_squared / pixels - mean_counts() * mean_counts();
  // The spread of light in a bin is a difference of nearly equal numbers: less than this is
  // rounding
  const bool is_spread = spread > 1e-9 * photons_squared / pixels;
  return is_spread ? all - covariance * covariance / spread : all;
}

std::int64_t survey_bytes(const FrameStacks& stacks) {
  const std::int64_t pixels = band_rows(stacks) * stacks.grid.extent.x;
  const auto under = pixels * stacks.bin * stacks.bin;
  const auto numbers = 2 * (stacks.saturated + 1) * std::int64_t{sizeof(std::int64_t)} +
                       static_cast<std::int64_t>(kMaxBins * sizeof(TransferBin));
  return pixels * 2 + under * 6 + 3 * slices_bytes(stacks.grid.extent) + numbers;
}

Survey survey(const FrameStacks& stacks, const RunContext& context) {
  const Extent3 e = stacks.grid.extent;
  const std::int64_t together = band_rows(stacks);
  Surveyor surveyor{stacks};
  context.progress.begin("survey", e.z);
  const auto look = [&]<class Count>(Count) {
    Band<Count> band{stacks, together};
    for (std::int64_t z = 0; z < e.z; ++z) {
      for (std::int64_t first = 0; first < e.y; first += together) {
        context.stop.check();
        const std::int64_t rows = std::min(together, e.y - first);
        band.read(z, first, rows);
        for (std::int64_t y = first; y < first + rows; ++y) {
          band.take_row(y);
          surveyor.add(z, y, band);
        }
      }
      context.progress.advance(1);
    }
  };
  if (stacks.image.pixel_type() == PixelType::uint8)
    look(std::uint8_t{});
  else
    look(std::uint16_t{});
  return surveyor.finish();
}

}  // namespace synthoscope::simulator
