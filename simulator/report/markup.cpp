// SPDX-License-Identifier: MIT
#include "simulator/report/markup.hpp"
#include <fmt/format.h>
#include <cstdint>

namespace synthoscope::simulator {
namespace {

constexpr std::string_view kStyle = R"(
:root { --ink: #1b1e24; --soft: #667080; --line: #d9dde4; --paper: #fbfbfa; }
body { margin: 0 auto; max-width: 76rem; padding: 2rem 1.5rem 4rem; background: var(--paper);
  color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; margin: 0; }
h2 { font-size: 1.15rem; margin: 2.4rem 0 .6rem; border-bottom: 1px solid var(--line); }
p.note, figcaption { color: var(--soft); max-width: 50rem; }
img { max-width: 100%; border-radius: 4px; }
figure { margin: 0; }
.columns { display: grid; gap: 1.5rem;
  grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .2rem 1.2rem .2rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
th { font-weight: 600; }
summary { cursor: pointer; margin: .8rem 0 .4rem; }
svg.plot { width: 100%; max-width: 40rem; }
svg .grid { stroke: #e6e9ee; } svg .frame { fill: none; stroke: #9aa3b0; }
svg polyline { fill: none; stroke-width: 1.6; }
svg .tick { font-size: 11px; fill: #4a5361; } svg .label { font-size: 12.5px; fill: #1b1e24; }
)";

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  return out;
}

std::string base64(std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group =
          group << 8 | (i + j < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + j]) : 0);
    for (std::size_t j = 0; j < 4; ++j)
      out += i + j <= bytes.size() ? kDigits[group >> (18 - 6 * j) & 63] : '=';
  }
  return out;
}

std::string picture(std::span<const std::byte> png, std::string_view described) {
  return fmt::format(
      "<figure><img src='data:image/png;base64,{}' alt='{}'><figcaption>{}"
      "</figcaption></figure>",
      base64(png), escaped(described), escaped(described));
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::string html = "<table>";
  for (const auto& row : rows) {
    const std::string_view cell = &row == &rows.front() ? "th" : "td";
    html += "<tr>";
    for (const auto& text : row) html += fmt::format("<{0}>{1}</{0}>", cell, escaped(text));
    html += "</tr>";
  }
  return html + "</table>";
}

std::string section(std::string_view title, std::string_view body) {
  return fmt::format("<section><h2>{}</h2>{}</section>\n", escaped(title), body);
}

std::string folded(std::string_view title, std::string_view body) {
  return fmt::format("<details><summary>{}</summary>{}</details>\n", escaped(title), body);
}

std::string page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
      "content='width=device-width'><title>{}</title><style>{}</style></head>\n<body>{}</body>"
      "</html>\n",
      escaped(title), kStyle, body);
}

}  // namespace synthoscope::simulator
