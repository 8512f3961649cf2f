// SPDX-License-Identifier: MIT
#include "textures/images/grey_image.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>
#include "core/base/error.hpp"
#include "core/stream/part_source.hpp"
#include "imageio/image/statistics.hpp"

namespace synthoscope::textures {
namespace {

constexpr std::array<float, 3> kLuminance{0.2126f, 0.7152f, 0.0722f};
constexpr double kSmallest = 1e-12;  ///< deviation, of the mean
constexpr std::int64_t kBandVoxels = std::int64_t{1}
                                     << 16;  ///< of a channel, held while it is read

template <class T>
void add_weighted(const ConstVoxelView& values, float weight, float* sums) {
  const T* const first = values.as<T>().data();
  for (std::int64_t i = 0; i < volume(values.extent()); ++i)
    sums[i] += weight * static_cast<float>(first[i]);
}

void add_weighted(const ConstVoxelView& values, float weight, float* sums) {
  if (values.type() == PixelType::uint8) return add_weighted<std::uint8_t>(values, weight, sums);
  if (values.type() == PixelType::uint16) return add_weighted<std::uint16_t>(values, weight, sums);
  return add_weighted<float>(values, weight, sums);
}

/// Three stacks of one extent as their luminance.
class LuminanceSource final : public Source {
 public:
  LuminanceSource(std::vector<imageio::CountedImage> channels, Reservation held)
      : channels_{std::move(channels)}, held_{std::move(held)} {}
  [[nodiscard]] Extent3 extent() const override { return channels_[0].source->extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }

  void read(const Box3& box, VoxelView out) override {
    const HostView3<float> to = out.as<float>();
    const std::int64_t most = std::min(box.size.x, kBandVoxels);
    std::vector<std::byte> samples(static_cast<std::size_t>(most * size_of(sample_type())));
    for (std::int64_t z = 0; z < box.size.z; ++z)
      for (std::int64_t y = 0; y < box.size.y; ++y)
        for (std::int64_t x = 0; x < box.size.x; x += most) {
          const Extent3 part{1, 1, std::min(most, box.size.x - x)};
          read_part({{box.origin.z + z, box.origin.y + y, box.origin.x + x}, part}, samples.data(),
                    to.row(z, y) + x);
        }
  }

 private:
  [[nodiscard]] PixelType sample_type() const { return channels_[0].info.type; }

  void read_part(const Box3& part, std::byte* samples, float* out) {
    std::fill_n(out, part.size.x, 0.0f);
    for (std::size_t i = 0; i < channels_.size(); ++i) {
      const VoxelView view{samples, sample_type(), part.size};
      channels_[i].source->read(part, view);
      add_weighted(view, kLuminance[i], out);
    }
  }

  std::vector<imageio::CountedImage> channels_;
  Reservation held_;
};

imageio::CountedImage open_colour(const std::filesystem::path& path, imageio::OpenOptions options,
                                  const RunContext& context) {
  std::vector<imageio::CountedImage> channels;
  for (std::int64_t i = 0; i < std::int64_t{kLuminance.size()}; ++i) {
    options.channel = i;
    channels.push_back(open_counted(path, options, context));
  }
  imageio::CountedImage image;
  image.info = channels.front().info;
  const PixelType type = image.info.type;
  if (type != PixelType::uint8 && type != PixelType::uint16 && type != PixelType::float32)
    throw InvalidInput(
        fmt::format("open {} as grey: its colours are {}; uint8, uint16 and float32 are supported, "
                    "or choose one with --channel",
                    path.string(), name_of(type)));
  image.source = std::make_unique<LuminanceSource>(
      std::move(channels),
      context.memory.reserve(context.pool.threads() * kBandVoxels * size_of(type),
                             "samples of colour"));
  return image;
}

std::unique_ptr<Source> middle_of(std::unique_ptr<Source> stack) {
  const Extent3 extent = stack->extent();
  return std::make_unique<PartSource>(std::move(stack), plane(extent, extent.z / 2));
}

}  // namespace

imageio::CountedImage open_grey(const std::filesystem::path& path,
                                const imageio::OpenOptions& options, Planes planes,
                                const RunContext& context) {
  const imageio::ImageInfo info = imageio::inspect_counted(path, options, context);
  const bool is_colour = !options.channel && info.samples_per_pixel == 3 && info.channels == 3;
  imageio::CountedImage image =
      is_colour ? open_colour(path, options, context) : open_counted(path, options, context);
  if (planes == Planes::middle && image.source->extent().z > 1)
    image.source = middle_of(std::move(image.source));
  image.info.extent = image.source->extent();
  image.info.type = image.source->pixel_type();
  image.info.channels = image.info.samples_per_pixel = 1;
  return image;
}

double deviation_of(Source& source, const imageio::ImageInfo& info, const RunContext& context) {
  NoProgress unseen;
  RunContext quiet = with_progress(unseen, context);
  const imageio::Statistics found = imageio::statistics(source, quiet);
  if (found.nonfinite > 0)
    throw InvalidInput(
        fmt::format("measure the texture of {}: {} of its voxels are NaN or infinite; replace them",
                    info.path.string(), found.nonfinite));
  // Less is what is left of rounding: features are made of float32
  return found.standard_deviation > kSmallest * std::abs(found.mean) ? found.standard_deviation : 0;
}

}  // namespace synthoscope::textures
