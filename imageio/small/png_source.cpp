// SPDX-License-Identifier: MIT
#include "imageio/small/png_source.hpp"
#include <fmt/format.h>
#include <array>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>
#include "core/base/error.hpp"
#include "imageio/small/png_reader.hpp"

namespace synthoscope::imageio {
namespace {

/// Screens and printers have 25 um and more: such sizes were not set by a microscope.
constexpr double kFinestPrint_um = 20;

/// Bytes of all samples, which a source of the file holds after its first read.
std::int64_t samples_bytes(const ImageInfo& info) {
  return info.extent.y * info.extent.x * info.samples_per_pixel * size_of(info.type);
}

void check_limits(const ImageInfo& info, std::int64_t file_bytes, const InputLimits& limits) {
  const Extent3& e = info.extent;
  if (std::max(e.y, e.x) > limits.axis)
    throw InvalidInput(fmt::format(
        "open {}: it declares {}x{} pixels, the limit is {} per axis; raise it with --max-axis if "
        "you trust the file",
        info.path.string(), e.y, e.x, limits.axis));
  constexpr double kSmall = 1 << 30, kCountable = 1e18;
  const double declared = static_cast<double>(e.y) * static_cast<double>(e.x) *
                          static_cast<double>(info.samples_per_pixel * size_of(info.type));
  if (declared > kCountable)
    throw InvalidInput(fmt::format(
        "open {}: it declares {}x{} pixels, more than can be counted; is its header damaged?",
        info.path.string(), e.y, e.x));
  if (declared > kSmall &&
      declared / static_cast<double>(file_bytes) > limits.declared_to_file_ratio)
    throw InvalidInput(fmt::format(
        "open {}: it declares {} bytes of pixels in {}, the limit is {} to 1; raise it with "
        "--max-ratio if you trust the file",
        info.path.string(), samples_bytes(info), file_bytes, limits.declared_to_file_ratio));
}

void note_oddities(const PngReader& reader, ImageInfo& info) {
  if (reader.colour() == PNG_COLOR_TYPE_PALETTE)
    info.notes.push_back("its palette's colours are read");
  else if (reader.bits() < 8)
    info.notes.push_back(
        fmt::format("its values have fewer than 8 bits ({}) and are not scaled", reader.bits()));
  if (reader.is_transparent()) info.notes.push_back("its transparency is ignored");
}

template <class T>
void take_samples(const T* from, std::int64_t stride, std::int64_t count, T* to) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = from[i * stride];
}

PixelType type_of(const PngReader& reader) {
  return reader.bits() == 16 ? PixelType::uint16 : PixelType::uint8;
}

std::int64_t samples_of(const PngReader& reader) {
  return (reader.colour() & PNG_COLOR_MASK_COLOR) != 0 ? 3 : 1;
}

ImageInfo read_info(const InputFile& file, const InputLimits& limits) {
  const PngReader reader{file};
  ImageInfo info;
  info.path = file.path();
  info.format = "PNG";
  info.compression = "deflate";
  info.extent = {1, std::int64_t{reader.height()}, std::int64_t{reader.width()}};
  info.type = type_of(reader);
  info.samples_per_pixel = samples_of(reader);
  info.channels = info.samples_per_pixel;
  const auto pitch = [](png_uint_32 per_metre) -> std::optional<double> {
    const double um = per_metre == 0 ? kFinestPrint_um + 1 : 1e6 / per_metre;
    return um <= kFinestPrint_um ? std::optional{um} : std::nullopt;
  };
  const auto [x, y] = reader.per_metre();
  info.x_um = pitch(x);
  info.y_um = pitch(y);
  note_oddities(reader, info);
  check_limits(info, file.size(), limits);
  return info;
}

/// Samples with what unpacking holds: rows of libpng and the state of zlib.
std::int64_t reading_bytes(const ImageInfo& info) {
  // Two rows before transparency is taken off, each with a quarter more, and its filters' copies
  constexpr std::int64_t kRows = 4, kTables = 128 << 10;
  const std::int64_t row = info.extent.x * (info.samples_per_pixel + 1) * size_of(info.type);
  return samples_bytes(info) + kRows * row + kTables;
}

class PngSource final : public Source {
 public:
  PngSource(ImageInfo info, std::int64_t channel) : info_{std::move(info)}, channel_{channel} {}
  [[nodiscard]] Extent3 extent() const override { return info_.extent; }
  [[nodiscard]] PixelType pixel_type() const override { return info_.type; }

  void read(const Box3& box, VoxelView out) override {
    unpack_once();
    for (std::int64_t row = 0; row < box.size.z * box.size.y; ++row)
      if (info_.type == PixelType::uint8)
        give_row<std::uint8_t>(box.origin.y + row, box, out.data() + row * out.pitch());
      else
        give_row<std::uint16_t>(box.origin.y + row, box, out.data() + row * out.pitch() * 2);
  }

 private:
  /// Not by call_once, which waits for ever under the thread sanitizer once what it calls threw.
  void unpack_once() {
    const std::scoped_lock lock{unpacking_};
    if (samples_.empty()) samples_ = unpacked();
  }

  [[nodiscard]] std::vector<std::byte> unpacked() const {
    const InputFile file{info_.path};
    PngReader reader{file};
    // What is unpacked is of the size and of the samples that were judged when the file was opened
    if (reader.width() != info_.extent.x || reader.height() != info_.extent.y ||
        type_of(reader) != info_.type || samples_of(reader) != info_.samples_per_pixel)
      throw InvalidInput(
          fmt::format("read {}: it is no longer the file that was opened; open "
                      "it again",
                      info_.path.string()));
    std::vector<std::byte> samples(static_cast<std::size_t>(samples_bytes(info_)));
    reader.read_rows(samples.data(), samples_bytes(info_) / info_.extent.y);
    return samples;
  }

  template <class T>
  void give_row(std::int64_t y, const Box3& box, std::byte* out) const {
    const std::int64_t first =
        (y * info_.extent.x + box.origin.x) * info_.samples_per_pixel + channel_;
    take_samples(reinterpret_cast<const T*>(samples_.data()) + first, info_.samples_per_pixel,
                 box.size.x, reinterpret_cast<T*>(out));
  }

  ImageInfo info_;
  std::int64_t channel_;
  std::mutex unpacking_;
  std::vector<std::byte> samples_;
};

}  // namespace

bool is_png(const InputFile& file) {
  std::array<png_byte, 8> signature{};
  const auto got = file.read_some(0, std::as_writable_bytes(std::span{signature}));
  return got == signature.size() && png_sig_cmp(signature.data(), 0, signature.size()) == 0;
}

ImageStacks read_png(ImageInput input, const OpenOptions& options) {
  const ImageInfo info = read_info(*input.file, options.limits);
  return {info, [info](std::int64_t channel, std::int64_t) {
            return OpenImage{info, std::make_unique<PngSource>(info, channel), reading_bytes(info)};
          }};
}

}  // namespace synthoscope::imageio
