// SPDX-License-Identifier: MIT
#include "tools/show/palette.hpp"
#include <algorithm>
#include <limits>
#include <utility>

namespace synthoscope::tools {
namespace {

constexpr int kBits = 6;  ///< of each of r, g, b
constexpr std::size_t kCells = std::size_t{1} << (3 * kBits), kMostColours = 256;

std::size_t cell_of(std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
  constexpr int kRest = 8 - kBits;
  return std::size_t{red} >> kRest << (2 * kBits) | std::size_t{green} >> kRest << kBits |
         std::size_t{blue} >> kRest;
}

/// Colours that are nearly the same.
struct Cell {
  std::int64_t pixels = 0;
  std::array<std::int64_t, 3> sum{};
  [[nodiscard]] double mean(std::size_t channel) const {
    return static_cast<double>(sum[channel]) / static_cast<double>(pixels);
  }
};

/// Cells that get one colour.
struct Group {
  std::vector<Cell> cells;
  std::int64_t pixels = 0;
  std::size_t widest = 0;  ///< the channel in which they differ most
  double width = 0;

  explicit Group(std::vector<Cell> of) : cells{std::move(of)} {
    for (const Cell& cell : cells) pixels += cell.pixels;
    for (std::size_t channel = 0; channel < 3; ++channel) {
      const auto [low, high] = std::minmax_element(
          cells.begin(), cells.end(),
          [&](const Cell& a, const Cell& b) { return a.mean(channel) < b.mean(channel); });
      const double across = high->mean(channel) - low->mean(channel);
      if (across <= width) continue;
      width = across;
      widest = channel;
    }
  }

  /// Both halves have about as many pixels. There are two cells at least.
  [[nodiscard]] std::pair<Group, Group> halves() && {
    std::sort(cells.begin(), cells.end(),
              [&](const Cell& a, const Cell& b) { return a.mean(widest) < b.mean(widest); });
    std::int64_t before = 0;
    auto cut = cells.begin();
    while (cut + 1 < cells.end() && (cut == cells.begin() || 2 * before < pixels))
      before += cut++->pixels;
    return {Group{{cells.begin(), cut}}, Group{{cut, cells.end()}}};
  }

  [[nodiscard]] std::array<std::uint8_t, 3> colour() const {
    std::array<std::int64_t, 3> sum{};
    for (const Cell& cell : cells)
      for (std::size_t channel = 0; channel < 3; ++channel) sum[channel] += cell.sum[channel];
    const auto mean = [&](std::size_t i) { return static_cast<std::uint8_t>(sum[i] / pixels); };
    return {mean(0), mean(1), mean(2)};
  }
};

std::vector<Cell> cells_of(std::span<const std::uint8_t> pixels) {
  std::vector<Cell> all(kCells);
  for (std::size_t i = 0; i + 2 < pixels.size(); i += 3) {
    Cell& cell = all[cell_of(pixels[i], pixels[i + 1], pixels[i + 2])];
    ++cell.pixels;
    for (std::size_t channel = 0; channel < 3; ++channel) cell.sum[channel] += pixels[i + channel];
  }
  std::erase_if(all, [](const Cell& cell) { return cell.pixels == 0; });
  return all;
}

}  // namespace

Palette::Palette(std::span<const std::uint8_t> pixels) : nearest_(kCells, -1) {
  std::vector<Group> groups{Group{cells_of(pixels)}};
  while (groups.size() < kMostColours) {
    // Few pixels may differ much: outlines of objects on grey
    const auto next =
        std::max_element(groups.begin(), groups.end(),
                         [](const Group& a, const Group& b) { return a.width < b.width; });
    if (next->cells.size() < 2) break;
    auto [low, high] = std::move(*next).halves();
    *next = std::move(low);
    groups.push_back(std::move(high));
  }
  for (const Group& group : groups) colours_.push_back(group.colour());
}

std::uint8_t Palette::index_of(std::uint8_t red, std::uint8_t green, std::uint8_t blue) const {
  std::int16_t& known = nearest_[cell_of(red, green, blue)];
  if (known >= 0) return static_cast<std::uint8_t>(known);
  int least = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < colours_.size(); ++i) {
    const auto& [r, g, b] = colours_[i];
    const int dr = r - red, dg = g - green, db = b - blue;
    const int square = dr * dr + dg * dg + db * db;
    if (square >= least) continue;
    least = square;
    known = static_cast<std::int16_t>(i);
  }
  return static_cast<std::uint8_t>(known);
}

}  // namespace synthoscope::tools
