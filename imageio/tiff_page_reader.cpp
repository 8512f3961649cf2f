// SPDX-License-Identifier: MIT
#include "imageio/tiff_page_reader.hpp"
#include <tiff.h>
#include <algorithm>
#include <cstring>
#include <optional>
#include <type_traits>
#include "imageio/byte_order.hpp"

namespace synthoscope::imageio {
namespace {

/// Part of a rectangle that lies in one block, in pixels of the page.
struct BlockPart {
  std::int64_t number;  ///< of the block, as TIFF counts them
  std::int64_t y0, x0;  ///< first pixel of the block
  PixelRectangle pixels;
};

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

template <class Body>
void for_each_block(const TiffFormat& format, std::int64_t sample, const PixelRectangle& part,
                    Body&& body) {
  const std::int64_t first =
      format.is_planar ? sample * format.blocks_across() * format.blocks_down() : 0;
  const std::int64_t bh = format.block_height, bw = format.block_width;
  for (std::int64_t row = part.y / bh; row * bh < part.y + part.height; ++row)
    for (std::int64_t column = part.x / bw; column * bw < part.x + part.width; ++column) {
      const std::int64_t y = std::max(part.y, row * bh), x = std::max(part.x, column * bw);
      body(BlockPart{first + row * format.blocks_across() + column,
                     row * bh,
                     column * bw,
                     {y, x, std::min(part.y + part.height, (row + 1) * bh) - y,
                      std::min(part.x + part.width, (column + 1) * bw) - x}});
    }
}

void invert(std::byte* row, std::int64_t count, PixelType type) {
  visit_pixel_type(type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_unsigned_v<T>) {
      auto* pixels = reinterpret_cast<T*>(row);
      for (std::int64_t i = 0; i < count; ++i) pixels[i] = static_cast<T>(~pixels[i]);
    }
  });
}

}  // namespace

/// A decoder for one read, taken from the pool or made, given back at the end.
class TiffPageReader::BorrowedDecoder {
 public:
  explicit BorrowedDecoder(TiffPageReader& reader) : reader_{reader} {
    const std::lock_guard lock{reader.mutex_};
    if (reader.idle_.empty()) return;
    decoder_ = std::move(reader.idle_.back());
    reader.idle_.pop_back();
  }
  BorrowedDecoder(const BorrowedDecoder&) = delete;
  BorrowedDecoder& operator=(const BorrowedDecoder&) = delete;
  ~BorrowedDecoder() {
    if (!decoder_) return;
    const std::lock_guard lock{reader_.mutex_};
    reader_.idle_.push_back(std::move(decoder_));
  }
  TiffDecoder& get() {
    if (!decoder_) decoder_ = std::make_unique<TiffDecoder>(*reader_.index_);
    return *decoder_;
  }

 private:
  TiffPageReader& reader_;
  std::unique_ptr<TiffDecoder> decoder_;
};

void TiffPageReader::read(const TiffPlane& plane, const PixelRectangle& part, std::byte* out,
                          std::int64_t row_bytes) {
  if (part.height == 0 || part.width == 0) return;
  const TiffFormat& format = index_->format_of(plane.page);
  const TiffPage& page = index_->pages[static_cast<std::size_t>(plane.page)];
  if (page.pixels_offset >= 0 && format.samples_per_block() == 1)
    read_contiguous(plane, format, part, out, row_bytes);
  else
    read_blocks(plane, format, part, out, row_bytes);

  // What libtiff decoded is in host order already
  const bool is_foreign = index_->is_foreign_order && !format.is_compressed();
  const bool is_inverted = format.photometric == PHOTOMETRIC_MINISWHITE;
  for (std::int64_t y = 0; y < part.height; ++y) {
    if (is_foreign) swap_elements(out + y * row_bytes, part.width, size_of(format.type));
    if (is_inverted) invert(out + y * row_bytes, part.width, format.type);
  }
}

void TiffPageReader::expect(const TiffPlane& plane, std::int64_t row, std::int64_t rows) const {
  const TiffFormat& format = index_->format_of(plane.page);
  const TiffPage& page = index_->pages[static_cast<std::size_t>(plane.page)];
  if (page.pixels_offset < 0 || format.samples_per_block() != 1) return;
  const std::int64_t row_bytes = format.width * size_of(format.type);
  index_->file.expect(contiguous_begin(plane, format) + row * row_bytes, rows * row_bytes);
}

/// Where the first pixel of a sample's plane stands in the file.
std::int64_t TiffPageReader::contiguous_begin(const TiffPlane& plane,
                                              const TiffFormat& format) const {
  return index_->pages[static_cast<std::size_t>(plane.page)].pixels_offset + plane.skip_bytes +
         plane.sample * format.sample_plane_bytes();
}

void TiffPageReader::read_contiguous(const TiffPlane& plane, const TiffFormat& format,
                                     const PixelRectangle& part, std::byte* out,
                                     std::int64_t row_bytes) const {
  const std::int64_t pixel = size_of(format.type), stored_row = format.width * pixel;
  const std::int64_t first = contiguous_begin(plane, format) + part.y * stored_row + part.x * pixel;
  const bool is_one_run = part.width == format.width && row_bytes == stored_row;
  const std::int64_t runs = is_one_run ? 1 : part.height;
  const std::int64_t run = is_one_run ? part.height * stored_row : part.width * pixel;
  for (std::int64_t i = 0; i < runs; ++i)
    index_->file.read_at(first + i * stored_row,
                         {out + i * row_bytes, static_cast<std::size_t>(run)});
}

void TiffPageReader::read_blocks(const TiffPlane& plane, const TiffFormat& format,
                                 const PixelRectangle& part, std::byte* out,
                                 std::int64_t row_bytes) {
  const TiffPage& page = index_->pages[static_cast<std::size_t>(plane.page)];
  const std::int64_t pixel = size_of(format.type), stride = format.samples_per_block();
  const std::int64_t sample_in_block = format.is_planar ? 0 : plane.sample;
  std::optional<BorrowedDecoder> decoder;
  if (format.is_compressed()) decoder.emplace(*this);
  std::vector<std::byte> rows;

  for_each_block(format, plane.sample, part, [&](const BlockPart& b) {
    const std::int64_t skipped = b.pixels.y - b.y0;
    const std::byte* block_rows = nullptr;  // starts at row b.pixels.y of the page
    if (decoder) {
      block_rows =
          decoder->get().block(plane.page, b.number).data() + skipped * format.block_row_bytes();
    } else {
      // One run of rows; blocks that lie back to back follow from the first
      const std::int64_t begin =
          page.pixels_offset >= 0
              ? page.pixels_offset + plane.skip_bytes + b.y0 * format.block_row_bytes()
              : page.blocks[static_cast<std::size_t>(b.number)];
      rows.resize(static_cast<std::size_t>(b.pixels.height * format.block_row_bytes()));
      index_->file.read_at(begin + skipped * format.block_row_bytes(), rows);
      block_rows = rows.data();
    }
    for (std::int64_t y = 0; y < b.pixels.height; ++y) {
      const std::int64_t first = (b.pixels.x - b.x0) * stride + sample_in_block;
      gather(block_rows + y * format.block_row_bytes() + first * pixel, b.pixels.width, pixel,
             stride, out + (b.pixels.y - part.y + y) * row_bytes + (b.pixels.x - part.x) * pixel);
    }
  });
}

}  // namespace synthoscope::imageio
