// SPDX-License-Identifier: MIT
#include "simulator/pictures/canvas.hpp"
#include <algorithm>
#include <array>
#include <cmath>

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kGlyphWidth = 5, kGlyphStep = 6;

struct Glyph {
  char letter;
  std::array<std::uint8_t, Canvas::kTextHeight> rows;  ///< five bits each, the leftmost highest
};

constexpr Glyph kGlyphs[] = {
    {'0', {0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110}},
    {'1', {0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110}},
    {'2', {0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111}},
    {'3', {0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110}},
    {'4', {0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010}},
    {'5', {0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110}},
    {'6', {0b01110, 0b10000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110}},
    {'7', {0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000}},
    {'8', {0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110}},
    {'9', {0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00001, 0b01110}},
    {'.', {0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b01100, 0b01100}},
    {'-', {0b00000, 0b00000, 0b00000, 0b11111, 0b00000, 0b00000, 0b00000}},
    {'_', {0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b11111}},
    {'A', {0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001}},
    {'B', {0b11110, 0b10001, 0b10001, 0b11110, 0b10001, 0b10001, 0b11110}},
    {'C', {0b01110, 0b10001, 0b10000, 0b10000, 0b10000, 0b10001, 0b01110}},
    {'D', {0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110}},
    {'E', {0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111}},
    {'F', {0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b10000}},
    {'G', {0b01110, 0b10001, 0b10000, 0b10111, 0b10001, 0b10001, 0b01111}},
    {'H', {0b10001, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001}},
    {'I', {0b01110, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110}},
    {'J', {0b00111, 0b00010, 0b00010, 0b00010, 0b00010, 0b10010, 0b01100}},
    {'K', {0b10001, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010, 0b10001}},
    {'L', {0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111}},
    {'M', {0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001}},
    {'N', {0b10001, 0b11001, 0b10101, 0b10101, 0b10101, 0b10011, 0b10001}},
    {'O', {0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110}},
    {'P', {0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000}},
    {'Q', {0b01110, 0b10001, 0b10001, 0b10001, 0b10101, 0b10010, 0b01101}},
    {'R', {0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001}},
    {'S', {0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110}},
    {'T', {0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100}},
    {'U', {0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110}},
    {'V', {0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01010, 0b00100}},
    {'W', {0b10001, 0b10001, 0b10001, 0b10101, 0b10101, 0b11011, 0b10001}},
    {'X', {0b10001, 0b10001, 0b01010, 0b00100, 0b01010, 0b10001, 0b10001}},
    {'Y', {0b10001, 0b10001, 0b01010, 0b00100, 0b00100, 0b00100, 0b00100}},
    {'Z', {0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b10000, 0b11111}},
    {'u', {0b00000, 0b00000, 0b10010, 0b10010, 0b10010, 0b11101, 0b10000}},
    {'m', {0b00000, 0b00000, 0b11010, 0b10101, 0b10101, 0b10101, 0b10101}},
};

const Glyph* glyph_of(char letter) {
  const auto* found = std::find_if(std::begin(kGlyphs), std::end(kGlyphs),
                                   [&](const Glyph& g) { return g.letter == letter; });
  return found == std::end(kGlyphs) ? nullptr : found;
}

std::uint8_t byte_of(double share) {
  return static_cast<std::uint8_t>(std::lround(255 * std::clamp(share, 0.0, 1.0)));
}

}  // namespace

Colour mixed(const Colour& a, const Colour& b, double share) {
  return {a.red + share * (b.red - a.red), a.green + share * (b.green - a.green),
          a.blue + share * (b.blue - a.blue)};
}

std::uint32_t rgb_of(const Colour& colour) {
  return std::uint32_t{byte_of(colour.red)} << 16 | std::uint32_t{byte_of(colour.green)} << 8 |
         std::uint32_t{byte_of(colour.blue)};
}

Colour colour_of_light(double wavelength_nm) {
  struct Hue {
    double nm;
    Colour colour;
  };
  constexpr Hue kHues[] = {{420, {0.45, 0.2, 1}}, {460, {0.15, 0.4, 1}}, {490, {0, 0.85, 0.95}},
                           {515, {0.1, 1, 0.15}}, {560, {0.7, 1, 0}},    {585, {1, 0.8, 0}},
                           {610, {1, 0.4, 0}},    {640, {1, 0.1, 0.05}}, {700, {1, 0.1, 0.6}}};
  if (wavelength_nm <= kHues[0].nm) return kHues[0].colour;
  for (std::size_t i = 1; i < std::size(kHues); ++i)
    if (wavelength_nm < kHues[i].nm) {
      const double share = (wavelength_nm - kHues[i - 1].nm) / (kHues[i].nm - kHues[i - 1].nm);
      return mixed(kHues[i - 1].colour, kHues[i].colour, share);
    }
  return std::end(kHues)[-1].colour;
}

Colour warm_colour(double value) {
  constexpr std::array<Colour, 6> kStops{{{0.01, 0.01, 0.04},
                                          {0.25, 0.06, 0.42},
                                          {0.57, 0.15, 0.41},
                                          {0.87, 0.32, 0.23},
                                          {0.99, 0.65, 0.10},
                                          {0.99, 1.00, 0.75}}};
  const double at = std::clamp(value, 0.0, 1.0) * (kStops.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(at), kStops.size() - 2);
  return mixed(kStops[low], kStops[low + 1], at - static_cast<double>(low));
}

Colour object_colour(std::int64_t id) {
  // Ids whose hues are close, such as those 8 or 13 apart, differ in saturation
  constexpr double kGoldenTurn = 0.6180339887498949, kRootOfTwo = 1.4142135623730951;
  constexpr double kPalest = 0.4, kPurest = 0.78;
  const double turn = std::fmod(static_cast<double>(id) * kGoldenTurn + 0.45, 1.0);
  const double share = std::fmod(static_cast<double>(id) * kRootOfTwo + 0.1, 1.0);
  const double saturation = kPalest + share * (kPurest - kPalest);
  const auto channel = [&](double shift) {
    const double distance = std::abs(std::fmod(turn + shift, 1.0) * 6 - 3) - 1;
    return 1 - saturation * (1 - std::clamp(distance, 0.0, 1.0));
  };
  return {channel(0), channel(2.0 / 3), channel(1.0 / 3)};
}

Canvas::Canvas(std::int64_t width, std::int64_t height, const Colour& background)
    : width_{width}, height_{height}, pixels_(static_cast<std::size_t>(3 * width * height)) {
  fill(0, 0, width, height, background);
}

void Canvas::set(std::int64_t column, std::int64_t row, const Colour& colour) {
  if (column < 0 || column >= width_ || row < 0 || row >= height_) return;
  auto* pixel = pixels_.data() + 3 * (row * width_ + column);
  pixel[0] = byte_of(colour.red);
  pixel[1] = byte_of(colour.green);
  pixel[2] = byte_of(colour.blue);
}

void Canvas::fill(std::int64_t column, std::int64_t row, std::int64_t width, std::int64_t height,
                  const Colour& colour) {
  for (std::int64_t r = row; r < row + height; ++r)
    for (std::int64_t c = column; c < column + width; ++c) set(c, r, colour);
}

void Canvas::write(std::int64_t column, std::int64_t row, std::string_view text, std::int64_t size,
                   const Colour& colour) {
  for (const char letter : text) {
    if (const Glyph* glyph = glyph_of(letter))
      for (std::int64_t r = 0; r < kTextHeight; ++r)
        for (std::int64_t c = 0; c < kGlyphWidth; ++c)
          if (glyph->rows[static_cast<std::size_t>(r)] >> (kGlyphWidth - 1 - c) & 1)
            fill(column + c * size, row + r * size, size, size, colour);
    column += kGlyphStep * size;
  }
}

std::int64_t Canvas::text_width(std::string_view text, std::int64_t size) {
  return static_cast<std::int64_t>(text.size()) * kGlyphStep * size - size;
}

}  // namespace synthoscope::simulator
