// SPDX-License-Identifier: MIT
#include "tools/show/half_blocks.hpp"
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <algorithm>
#include <array>

namespace synthoscope::tools {
namespace {

using Rgb = std::array<std::int64_t, 3>;

/// A canvas whose pixels are averages over squares of `side` pixels.
struct Smaller {
  const simulator::Canvas& canvas;
  std::int64_t side;

  [[nodiscard]] std::int64_t width() const { return (canvas.width() + side - 1) / side; }
  [[nodiscard]] std::int64_t height() const { return (canvas.height() + side - 1) / side; }
  [[nodiscard]] Rgb at(std::int64_t column, std::int64_t row) const {
    Rgb sum{};
    std::int64_t count = 0;
    for (std::int64_t r = row * side; r < std::min((row + 1) * side, canvas.height()); ++r)
      for (std::int64_t c = column * side; c < std::min((column + 1) * side, canvas.width()); ++c) {
        const std::uint8_t* const pixel = canvas.pixels().data() + 3 * (r * canvas.width() + c);
        for (std::size_t i = 0; i < 3; ++i) sum[i] += pixel[i];
        ++count;
      }
    if (count > 0)
      for (std::int64_t& one : sum) one /= count;
    return sum;
  }
};

}  // namespace

std::string half_blocks(const simulator::Canvas& canvas, std::int64_t columns) {
  const Smaller small{canvas, std::max<std::int64_t>(1, (canvas.width() + columns - 1) / columns)};
  std::string text;
  for (std::int64_t row = 0; row < small.height(); row += 2) {
    for (std::int64_t column = 0; column < small.width(); ++column) {
      const auto [red, green, blue] = small.at(column, row);
      const auto [low_red, low_green, low_blue] = small.at(column, row + 1);
      text += fmt::format("\x1b[38;2;{};{};{}m\x1b[48;2;{};{};{}m\u2580", red, green, blue, low_red,
                          low_green, low_blue);
    }
    text += "\x1b[0m\n";
  }
  return text;
}

std::optional<std::int64_t> terminal_columns() {
  winsize size{};
  if (!::isatty(STDOUT_FILENO)) return std::nullopt;
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace synthoscope::tools
