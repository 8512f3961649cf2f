// SPDX-License-Identifier: MIT
// tools/show/gif_movie.hpp — a movie as a GIF that repeats for ever.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>
#include "tools/show/palette.hpp"

struct GifFileType;

namespace synthoscope::tools {

/// Encodes pictures of one size, frame by frame.
class GifMovie {
 public:
  /// @param frames_per_second  rounded to whole hundredths of a second for each frame; most
  ///                           viewers show at most 50
  GifMovie(std::int64_t width, std::int64_t height, const Palette& palette,
           double frames_per_second);
  GifMovie(const GifMovie&) = delete;
  GifMovie& operator=(const GifMovie&) = delete;
  ~GifMovie();

  /// Adds a picture: r, g, b, row by row.
  void add(std::span<const std::uint8_t> pixels);

  /// Ends the movie. Returns the bytes of the file.
  [[nodiscard]] const std::vector<std::byte>& finish();

  /// Returns the bytes so far.
  [[nodiscard]] std::int64_t bytes() const { return std::ssize(bytes_); }

 private:
  void check(int result) const;

  std::int64_t width_, height_;
  const Palette& palette_;
  int hundredths_;
  std::vector<std::byte> bytes_;
  GifFileType* file_ = nullptr;
};

}  // namespace synthoscope::tools
