// SPDX-License-Identifier: MIT
#include "imageio/small/png_reader.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <csetjmp>
#include <cstdio>
#include "core/base/assert.hpp"
#include "core/base/error.hpp"

namespace synthoscope::imageio {
namespace {

// libpng's own limits are 1000 and 8 MB, which come to gigabytes
constexpr png_uint_32 kMaxChunksKept = 1;
constexpr png_alloc_size_t kLargestChunk = png_alloc_size_t{1} << 20;

}  // namespace

template <class Step>
void PngReader::guarded(Step step) {
  if (setjmp(png_jmpbuf(png_)) == 0) {
    step();
    return;
  }
  if (read_failed_) std::rethrow_exception(read_failed_);
  throw InvalidInput(
      fmt::format("open {}: it is not a complete PNG file ({}); copy or write it again",
                  file_.path().string(), static_cast<const char*>(failure_)));
}

void PngReader::give_bytes(png_structp png, png_bytep out, png_size_t count) {
  auto& self = *static_cast<PngReader*>(png_get_io_ptr(png));
  std::size_t got = 0;
  // No exception may pass through libpng: it is stored and rethrown afterwards
  try {
    got = self.file_.read_some(self.offset_, {reinterpret_cast<std::byte*>(out), count});
  } catch (...) {
    self.read_failed_ = std::current_exception();
  }
  self.offset_ += static_cast<std::int64_t>(got);
  if (got < count) png_error(png, "it ends too early");
}

void PngReader::keep_failure(png_structp png, png_const_charp message) {
  auto& self = *static_cast<PngReader*>(png_get_error_ptr(png));
  std::snprintf(self.failure_, sizeof self.failure_, "%s", message);
  png_longjmp(png, 1);
}

PngReader::PngReader(const InputFile& file) : file_{file} {
  const auto ignore_warning = [](png_structp, png_const_charp) {};
  png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, &keep_failure, ignore_warning);
  if (png_) info_ = png_create_info_struct(png_);
  if (!info_) {
    png_destroy_read_struct(&png_, nullptr, nullptr);
    throw IoError("read a PNG file: no memory is left; free some");
  }
  try {
    guarded([&] {
      png_set_read_fn(png_, this, &give_bytes);
      // Sizes are judged by our limits, which name the option that raises them
      png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
      // Texts and profiles are unused, but would be unpacked and kept
      png_set_chunk_cache_max(png_, kMaxChunksKept);
      png_set_chunk_malloc_max(png_, kLargestChunk);
      png_read_info(png_, info_);
    });
  } catch (...) {
    png_destroy_read_struct(&png_, &info_, nullptr);
    throw;
  }
}

PngReader::~PngReader() {
  png_destroy_read_struct(&png_, &info_, nullptr);
}

bool PngReader::is_transparent() const {
  return (colour() & PNG_COLOR_MASK_ALPHA) != 0 ||
         png_get_valid(png_, info_, PNG_INFO_tRNS) == PNG_INFO_tRNS;
}

std::pair<png_uint_32, png_uint_32> PngReader::per_metre() const {
  return {png_get_x_pixels_per_meter(png_, info_), png_get_y_pixels_per_meter(png_, info_)};
}

void PngReader::read_rows(std::byte* rows, std::int64_t row_bytes) {
  guarded([&] {
    if (colour() == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png_);
    png_set_strip_alpha(png_);
    if (bits() < 8) png_set_packing(png_);
    if (bits() == 16 && std::endian::native == std::endian::little) png_set_swap(png_);
    const int passes = png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    SYNTHOSCOPE_ASSERT(static_cast<std::int64_t>(png_get_rowbytes(png_, info_)), ==, row_bytes);
    const auto count = static_cast<std::int64_t>(height());
    for (int pass = 0; pass < passes; ++pass)
      for (std::int64_t row = 0; row < count; ++row)
        png_read_row(png_, reinterpret_cast<png_bytep>(rows + row * row_bytes), nullptr);
  });
}

}  // namespace synthoscope::imageio
