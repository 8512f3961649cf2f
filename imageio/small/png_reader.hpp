// SPDX-License-Identifier: MIT
// imageio/small/png_reader.hpp — libpng as a class that throws, for one PNG file.
#pragma once
#include <png.h>
#include <cstddef>
#include <exception>
#include <string>
#include "imageio/input/file.hpp"

namespace synthoscope::imageio {

/// Reads one file once. libpng leaves a failed step by longjmp, which must not pass over objects of
/// C++: every step runs in `guarded`, alone.
class PngReader {
 public:
  /// Reads the header. `file` outlives this. @throws InvalidInput
  explicit PngReader(const InputFile& file);
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;
  ~PngReader();

  [[nodiscard]] png_uint_32 width() const { return png_get_image_width(png_, info_); }
  [[nodiscard]] png_uint_32 height() const { return png_get_image_height(png_, info_); }
  [[nodiscard]] int bits() const { return png_get_bit_depth(png_, info_); }
  [[nodiscard]] int colour() const { return png_get_color_type(png_, info_); }
  [[nodiscard]] bool is_transparent() const;
  /// Pixels per metre as (x, y), 0 where the file does not say.
  [[nodiscard]] std::pair<png_uint_32, png_uint_32> per_metre() const;

  /// Reads the pixels, interleaved: samples of 8 bits, or of 16 bits in the byte order of the host.
  /// @param rows  height() rows of `row_bytes` bytes
  void read_rows(std::byte* rows, std::int64_t row_bytes);

 private:
  /// Runs `step`, which holds no object that must be destroyed. @throws InvalidInput, IoError
  template <class Step>
  void guarded(Step step);
  static void give_bytes(png_structp png, png_bytep out, png_size_t count);
  static void keep_failure(png_structp png, png_const_charp message);

  const InputFile& file_;
  std::int64_t offset_ = 0;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  char failure_[128] = {};          ///< what libpng said
  std::exception_ptr read_failed_;  ///< what the file said
};

}  // namespace synthoscope::imageio
