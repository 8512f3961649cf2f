// SPDX-License-Identifier: MIT
#include "tools/show/gif_movie.hpp"
#include <fmt/format.h>
#include <gif_lib.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <new>
#include <utility>
#include "core/base/error.hpp"

namespace synthoscope::tools {
namespace {

int append(GifFileType* file, const GifByteType* from, int count) {
  auto& bytes = *static_cast<std::vector<std::byte>*>(file->UserData);
  const auto* const begin = reinterpret_cast<const std::byte*>(from);
  bytes.insert(bytes.end(), begin, begin + count);
  return count;
}

/// A map of colours, whose size is a power of two.
struct ColourMap {
  explicit ColourMap(const Palette& palette) {
    const auto count = std::bit_ceil(std::max<std::size_t>(2, palette.colours().size()));
    map = GifMakeMapObject(static_cast<int>(count), nullptr);
    if (!map) throw std::bad_alloc{};
    for (std::size_t i = 0; i < palette.colours().size(); ++i) {
      const auto& [red, green, blue] = palette.colours()[i];
      map->Colors[i] = {red, green, blue};
    }
  }
  ColourMap(const ColourMap&) = delete;
  ColourMap& operator=(const ColourMap&) = delete;
  ~ColourMap() { GifFreeMapObject(map); }
  ColorMapObject* map = nullptr;
};

}  // namespace

GifMovie::GifMovie(std::int64_t width, std::int64_t height, const Palette& palette,
                   double frames_per_second)
    : width_{width},
      height_{height},
      palette_{palette},
      hundredths_{static_cast<int>(std::clamp(std::lround(100 / frames_per_second), 2L, 6000L))} {
  constexpr std::int64_t kMost = 65535;
  if (width > kMost || height > kMost)
    throw InvalidSpec(
        fmt::format("write a GIF of {}x{} pixels: a side has at most {}; give a "
                    "smaller --size",
                    width, height, kMost));
  int failure = 0;
  file_ = EGifOpen(&bytes_, append, &failure);
  if (!file_) throw IoError("write a GIF: its library has no memory; give a smaller --size");
  EGifSetGifVersion(file_, true);
  const ColourMap colours{palette};
  check(EGifPutScreenDesc(file_, static_cast<int>(width), static_cast<int>(height), 8, 0,
                          colours.map));
  // Repeated for ever: the application extension of NETSCAPE2.0 with a count of 0
  constexpr std::array<GifByteType, 3> kForEver{1, 0, 0};
  check(EGifPutExtensionLeader(file_, APPLICATION_EXT_FUNC_CODE));
  check(EGifPutExtensionBlock(file_, 11, "NETSCAPE2.0"));
  check(EGifPutExtensionBlock(file_, kForEver.size(), kForEver.data()));
  check(EGifPutExtensionTrailer(file_));
}

GifMovie::~GifMovie() {
  if (file_) EGifCloseFile(file_, nullptr);
}

void GifMovie::check(int result) const {
  if (result == GIF_OK) return;
  const char* const why = GifErrorString(file_->Error);
  throw IoError(fmt::format("write a GIF: {}; give a smaller --size", why ? why : "it failed"));
}

void GifMovie::add(std::span<const std::uint8_t> pixels) {
  std::array<GifByteType, 4> control{};
  const GraphicsControlBlock shown{DISPOSE_DO_NOT, false, hundredths_, NO_TRANSPARENT_COLOR};
  EGifGCBToExtension(&shown, control.data());
  check(EGifPutExtension(file_, GRAPHICS_EXT_FUNC_CODE, control.size(), control.data()));
  check(EGifPutImageDesc(file_, 0, 0, static_cast<int>(width_), static_cast<int>(height_), false,
                         nullptr));
  std::vector<GifPixelType> line(static_cast<std::size_t>(width_));
  for (std::int64_t row = 0; row < height_; ++row) {
    const std::uint8_t* from = pixels.data() + 3 * row * width_;
    for (GifPixelType& pixel : line) {
      pixel = palette_.index_of(from[0], from[1], from[2]);
      from += 3;
    }
    check(EGifPutLine(file_, line.data(), static_cast<int>(width_)));
  }
}

const std::vector<std::byte>& GifMovie::finish() {
  GifFileType* const file = std::exchange(file_, nullptr);
  int failure = 0;
  if (EGifCloseFile(file, &failure) != GIF_OK)
    throw IoError("write a GIF: its end could not be encoded; give a smaller --size");
  return bytes_;
}

}  // namespace synthoscope::tools
