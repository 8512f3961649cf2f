// SPDX-License-Identifier: MIT
// imageio/tiff/pixels.hpp — makes voxels of the samples that a row of a TIFF page holds.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>
#include "imageio/tiff/index.hpp"

namespace synthoscope::imageio {

/// Takes one sample per pixel. Not for several threads at once.
class TiffPixels {
 public:
  /// @param sample   among those that are interleaved in a block, from 0
  /// @param is_foreign  numbers are in the other byte order than this machine's
  /// @param as_stored  min-is-white pixels are not inverted
  /// @param file     named by errors
  TiffPixels(const TiffFormat& format, std::int64_t sample, bool is_foreign, bool as_stored,
             std::string file);

  /// Bits from one pixel to the next.
  [[nodiscard]] std::int64_t pixel_bits() const {
    return format_.samples_per_block() * format_.bits;
  }

  /// Makes `count` voxels of the pixels whose first begins `bit` bits after `bytes`. Bits are in
  /// TIFF's usual order. Min-is-white unsigned pixels are inverted, unless they are as stored.
  /// @throws InvalidInput  as convert_stored.
  void take(const std::byte* bytes, std::int64_t bit, std::int64_t count, std::byte* voxels);

  /// Does the same in place for voxels that were read in their stored form.
  void finish(std::byte* voxels, std::int64_t count) const;

 private:
  const TiffFormat& format_;
  std::int64_t sample_;
  bool is_foreign_, is_inverted_;
  std::string file_;
  std::vector<std::byte> numbers_;
};

}  // namespace synthoscope::imageio
