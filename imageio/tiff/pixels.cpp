// SPDX-License-Identifier: MIT
#include "imageio/tiff/pixels.hpp"
#include <tiff.h>
#include <cstring>
#include <type_traits>
#include "imageio/input/byte_order.hpp"

namespace synthoscope::imageio {
namespace {

/// Copies `count` elements of `size` bytes that are `stride` elements apart.
void gather(const std::byte* from, std::int64_t count, std::int64_t size, std::int64_t stride,
            std::byte* to) {
  if (stride == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(count * size));
    return;
  }
  for (std::int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * size, from + i * stride * size, static_cast<std::size_t>(size));
}

/// Inverts values within the number of bits that the file stores.
void invert(std::byte* row, std::int64_t count, const TiffFormat& format) {
  if (format.stored == StoredType::uint64) return;
  visit_pixel_type(format.type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_unsigned_v<T>) {
      const auto white = static_cast<T>((std::uint64_t{1} << format.bits) - 1);
      auto* pixels = reinterpret_cast<T*>(row);
      for (std::int64_t i = 0; i < count; ++i) pixels[i] = static_cast<T>(white - pixels[i]);
    }
  });
}

}  // namespace

TiffPixels::TiffPixels(const TiffFormat& format, std::int64_t sample, bool is_foreign,
                       bool as_stored, std::string file)
    : format_{format},
      sample_{sample},
      is_foreign_{is_foreign},
      is_inverted_{format.photometric == PHOTOMETRIC_MINISWHITE && !as_stored},
      file_{std::move(file)} {}

void TiffPixels::take(const std::byte* bytes, std::int64_t bit, std::int64_t count,
                      std::byte* voxels) {
  const std::int64_t samples = format_.samples_per_block();
  if (format_.stored == StoredType::bits) {
    unpack_bits(bytes, bit + sample_ * format_.bits, pixel_bits(), format_.bits, count,
                format_.type, voxels);
    if (is_inverted_) invert(voxels, count, format_);
    return;
  }
  const std::int64_t size = format_.bits / 8;
  const std::byte* first = bytes + bit / 8 + sample_ * size;
  if (format_.stored == StoredType::voxels) {
    gather(first, count, size, samples, voxels);
    return finish(voxels, count);
  }
  numbers_.resize(static_cast<std::size_t>(count * size));
  gather(first, count, size, samples, numbers_.data());
  if (is_foreign_) swap_elements(numbers_.data(), count, size);
  convert_stored(format_.stored, format_.type, numbers_.data(), count, voxels, file_);
}

void TiffPixels::finish(std::byte* voxels, std::int64_t count) const {
  if (is_foreign_) swap_elements(voxels, count, size_of(format_.type));
  if (is_inverted_) invert(voxels, count, format_);
}

}  // namespace synthoscope::imageio
