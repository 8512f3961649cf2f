// SPDX-License-Identifier: MIT
#include "imageio/tiff/page_reader.hpp"
#include <algorithm>
#include <cstring>
#include <vector>
#include "imageio/tiff/pixels.hpp"

namespace synthoscope::imageio {
namespace {

/// Part of a rectangle that lies in one block, in pixels of the page.
struct BlockPart {
  std::int64_t number;  ///< of the block, as TIFF counts them
  std::int64_t y0, x0;  ///< first pixel of the block
  PixelRectangle pixels;
};

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

}  // namespace

/// One rectangle of one plane and where its voxels go.
struct TiffPageReader::Wanted {
  const TiffPlane& plane;
  const TiffFormat& format;
  const PixelRectangle& part;
  std::byte* out;
  std::int64_t row_bytes;
  TiffPixels& pixels;

  [[nodiscard]] std::byte* voxels_at(std::int64_t y, std::int64_t x) const {
    return out + (y - part.y) * row_bytes + (x - part.x) * size_of(format.type);
  }
};

bool TiffPageReader::is_direct(std::int64_t page) const {
  const TiffFormat& format = index_->format_of(page);
  return index_->pages[static_cast<std::size_t>(page)].pixels_offset >= 0 &&
         format.samples_per_block() == 1 && format.stored == StoredType::voxels;
}

void TiffPageReader::read(const TiffPlane& plane, const PixelRectangle& part, std::byte* out,
                          std::int64_t row_bytes, TiffBlocks& blocks, std::size_t file) const {
  if (part.height == 0 || part.width == 0) return;
  const TiffFormat& format = index_->format_of(plane.page);
  // What libtiff decoded is in host order already
  const bool is_foreign = index_->is_foreign_order && !format.is_compressed();
  TiffPixels pixels{format, format.is_planar ? 0 : plane.sample, is_foreign, plane.as_stored,
                    index_->file.path().string()};
  if (!is_direct(plane.page))
    return read_blocks({plane, format, part, out, row_bytes, pixels}, blocks, file);
  read_direct(plane, format, part, out, row_bytes);
  for (std::int64_t y = 0; y < part.height; ++y) {
    if (format.is_reversed) reverse_bits(out + y * row_bytes, part.width * size_of(format.type));
    pixels.finish(out + y * row_bytes, part.width);
  }
}

void TiffPageReader::expect(const TiffPlane& plane, std::int64_t row, std::int64_t rows) const {
  if (!is_direct(plane.page)) return;
  const TiffFormat& format = index_->format_of(plane.page);
  const std::int64_t row_bytes = format.width * size_of(format.type);
  index_->file.expect(contiguous_begin(plane, format) + row * row_bytes, rows * row_bytes);
}

/// Offset in the file of the first pixel of a sample's plane; interleaved samples share a plane.
std::int64_t TiffPageReader::contiguous_begin(const TiffPlane& plane,
                                              const TiffFormat& format) const {
  return index_->pages[static_cast<std::size_t>(plane.page)].pixels_offset + plane.skip_bytes +
         (format.is_planar ? plane.sample * format.sample_plane_bytes() : 0);
}

void TiffPageReader::read_direct(const TiffPlane& plane, const TiffFormat& format,
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

void TiffPageReader::read_blocks(const Wanted& wanted, TiffBlocks& blocks, std::size_t file) const {
  const TiffPlane& plane = wanted.plane;
  const TiffFormat& format = wanted.format;
  const TiffPage& page = index_->pages[static_cast<std::size_t>(plane.page)];
  const std::int64_t block_row = format.block_row_bytes();
  for_each_block(format, plane.sample, wanted.part, [&](const BlockPart& b) {
    const PixelRectangle& p = b.pixels;
    const std::int64_t offset =
        page.blocks.empty() ? 0 : page.blocks[static_cast<std::size_t>(b.number)];
    if (offset == kSparseBlock) {
      for (std::int64_t y = p.y; y < p.y + p.height; ++y)
        format.fill(wanted.voxels_at(y, p.x), p.width);
    } else if (format.is_compressed()) {
      blocks.with_block(file, plane.page, b.number, [&](const std::byte* rows) {
        for (std::int64_t y = p.y; y < p.y + p.height; ++y)
          wanted.pixels.take(rows + (y - b.y0) * block_row,
                             (p.x - b.x0) * wanted.pixels.pixel_bits(), p.width,
                             wanted.voxels_at(y, p.x));
      });
    } else {
      // Blocks that lie back to back follow from the first
      const std::int64_t begin =
          page.pixels_offset >= 0 ? contiguous_begin(plane, format) + b.y0 * block_row : offset;
      blocks.in_turn([&] { read_pieces(wanted, begin - b.y0 * block_row, p, b.x0); });
    }
  });
}

/// Reads part of an uncompressed block. `begin` is the offset at which row 0 of the page would lie.
void TiffPageReader::read_pieces(const Wanted& wanted, std::int64_t begin,
                                 const PixelRectangle& part, std::int64_t x0) const {
  const std::int64_t pixel = wanted.pixels.pixel_bits(), row = wanted.format.block_row_bytes();
  const std::int64_t columns = std::clamp<std::int64_t>(kTiffPieceBytes * 8 / pixel, 1, part.width);
  const std::int64_t rows =
      columns < part.width
          ? 1
          : std::clamp<std::int64_t>((kTiffPieceBytes - (columns * pixel + 7) / 8) / row, 0,
                                     part.height - 1) +
                1;
  std::vector<std::byte> piece;
  for (std::int64_t y = part.y; y < part.y + part.height; y += rows)
    for (std::int64_t x = part.x; x < part.x + part.width; x += columns) {
      const std::int64_t height = std::min(rows, part.y + part.height - y);
      const std::int64_t width = std::min(columns, part.x + part.width - x);
      const std::int64_t first = (x - x0) * pixel / 8,
                         end = ((x - x0 + width) * pixel + 7) / 8 + (height - 1) * row;
      piece.resize(static_cast<std::size_t>(end - first));
      index_->file.read_at(begin + y * row + first, piece);
      if (wanted.format.is_reversed) reverse_bits(piece.data(), std::ssize(piece));
      for (std::int64_t i = 0; i < height; ++i)
        wanted.pixels.take(piece.data() + i * row, (x - x0) * pixel - first * 8, width,
                           wanted.voxels_at(y + i, x));
    }
}

}  // namespace synthoscope::imageio
