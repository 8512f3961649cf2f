// SPDX-License-Identifier: MIT
// imageio/tiff_page_reader.hpp — reads rectangles of pixels of one sample from one TIFF page.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>
#include "imageio/tiff_decoder.hpp"
#include "imageio/tiff_index.hpp"

namespace synthoscope::imageio {

/// A plane of one sample of one page. ImageJ stacks beyond 4 GB have one page whose pixels go on:
/// `skip_bytes` leads to the plane.
struct TiffPlane {
  std::int64_t page = 0, sample = 0, skip_bytes = 0;
};

struct PixelRectangle {
  std::int64_t y = 0, x = 0, height = 0, width = 0;
};

/// Thread-safe: what a read needs for itself it borrows from a pool.
class TiffPageReader {
 public:
  explicit TiffPageReader(std::shared_ptr<const TiffIndex> index) : index_{std::move(index)} {}

  /// Writes rows of the rectangle to `out`, `row_bytes` apart, in host byte order. Min-is-white
  /// unsigned pixels are inverted.
  void read(const TiffPlane& plane, const PixelRectangle& part, std::byte* out,
            std::int64_t row_bytes);

  /// Lets the system bring rows of an uncompressed plane into memory; see Source::expect.
  void expect(const TiffPlane& plane, std::int64_t row, std::int64_t rows) const;

  [[nodiscard]] const TiffIndex& index() const { return *index_; }

 private:
  class BorrowedDecoder;
  [[nodiscard]] std::int64_t contiguous_begin(const TiffPlane& plane,
                                              const TiffFormat& format) const;
  void read_contiguous(const TiffPlane& plane, const TiffFormat& format, const PixelRectangle& part,
                       std::byte* out, std::int64_t row_bytes) const;
  void read_blocks(const TiffPlane& plane, const TiffFormat& format, const PixelRectangle& part,
                   std::byte* out, std::int64_t row_bytes);

  std::shared_ptr<const TiffIndex> index_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<TiffDecoder>> idle_;
};

}  // namespace synthoscope::imageio
