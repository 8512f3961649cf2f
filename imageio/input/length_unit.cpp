// SPDX-License-Identifier: MIT
#include "imageio/input/length_unit.hpp"
#include <string>
#include <utility>

namespace synthoscope::imageio {
namespace {

/// Spells the micro sign "u" and the ring "A", however the file encodes them.
std::string plain_spelling(std::string_view unit) {
  constexpr std::pair<std::string_view, char> kSpellings[] = {
      {"\\u00B5", 'u'},  {"\\u00b5", 'u'},  {"\\u03BC", 'u'},      {"\\u03bc", 'u'},
      {"\xC2\xB5", 'u'}, {"\xCE\xBC", 'u'}, {"\xB5", 'u'},         {"\\u00C5", 'A'},
      {"\\u00c5", 'A'},  {"\xC3\x85", 'A'}, {"\xE2\x84\xAB", 'A'}, {"\xC5", 'A'},
  };
  std::string result{unit};
  for (const auto& [spelling, letter] : kSpellings)
    if (const auto at = result.find(spelling); at != std::string::npos)
      result.replace(at, spelling.size(), 1, letter);
  return result;
}

}  // namespace

std::optional<double> micrometres_per(std::string_view unit) {
  constexpr std::pair<std::string_view, double> kUnits[] = {
      {"um", 1.0},         {"micron", 1.0},     {"microns", 1.0},    {"micrometer", 1.0},
      {"micrometre", 1.0}, {"nm", 1e-3},        {"nanometer", 1e-3}, {"nanometre", 1e-3},
      {"pm", 1e-6},        {"A", 1e-4},         {"angstrom", 1e-4},  {"mm", 1e3},
      {"millimeter", 1e3}, {"millimetre", 1e3}, {"cm", 1e4},         {"centimeter", 1e4},
      {"m", 1e6},          {"meter", 1e6},      {"inch", 25'400.0},  {"in", 25'400.0},
  };
  const std::string plain = plain_spelling(unit);
  for (const auto& [name, micrometres] : kUnits)
    if (name == plain) return micrometres;
  return std::nullopt;
}

}  // namespace synthoscope::imageio
