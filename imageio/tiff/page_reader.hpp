// SPDX-License-Identifier: MIT
// imageio/tiff/page_reader.hpp — reads rectangles of pixels of one sample from one TIFF page.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include "imageio/tiff/blocks.hpp"
#include "imageio/tiff/index.hpp"

namespace synthoscope::imageio {

/// A plane of one sample of one page. In ImageJ's stacks beyond 4 GB all planes follow one page;
/// `skip_bytes` is the distance of the plane from the first.
struct TiffPlane {
  std::int64_t page = 0, sample = 0, skip_bytes = 0;
  bool as_stored = false;  ///< min-is-white pixels are not inverted
};

struct PixelRectangle {
  std::int64_t y = 0, x = 0, height = 0, width = 0;
};

/// Immutable, so threads may share it.
class TiffPageReader {
 public:
  explicit TiffPageReader(std::shared_ptr<const TiffIndex> index) : index_{std::move(index)} {}

  /// Writes rows of the rectangle to `out`, `row_bytes` apart, in host byte order, as voxels of the
  /// format's type.
  /// @param blocks  decodes packed blocks and bounds the memory
  /// @param file    number of this file in `blocks`
  /// @throws InvalidInput, IoError
  void read(const TiffPlane& plane, const PixelRectangle& part, std::byte* out,
            std::int64_t row_bytes, TiffBlocks& blocks, std::size_t file) const;

  /// Lets the system bring rows of an uncompressed plane into memory; see Source::expect.
  void expect(const TiffPlane& plane, std::int64_t row, std::int64_t rows) const;

  /// Returns whether a page's voxels are read straight to where they belong.
  [[nodiscard]] bool is_direct(std::int64_t page) const;

  [[nodiscard]] const std::shared_ptr<const TiffIndex>& shared_index() const { return index_; }
  [[nodiscard]] const TiffIndex& index() const { return *index_; }

 private:
  [[nodiscard]] std::int64_t contiguous_begin(const TiffPlane& plane,
                                              const TiffFormat& format) const;
  void read_direct(const TiffPlane& plane, const TiffFormat& format, const PixelRectangle& part,
                   std::byte* out, std::int64_t row_bytes) const;
  struct Wanted;
  void read_blocks(const Wanted& wanted, TiffBlocks& blocks, std::size_t file) const;
  void read_pieces(const Wanted& wanted, std::int64_t begin, const PixelRectangle& part,
                   std::int64_t x0) const;

  std::shared_ptr<const TiffIndex> index_;
};

}  // namespace synthoscope::imageio
