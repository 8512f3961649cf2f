// SPDX-License-Identifier: MIT
// imageio/tiff/planes/description.hpp — what a TIFF of each flavour says about itself in words and
// tags.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "imageio/image/spec.hpp"
#include "imageio/input/key_lines.hpp"

namespace synthoscope::imageio {

/// Numerator and denominator.
using TiffRational = std::pair<std::uint32_t, std::uint32_t>;

/// The closest fraction that fits: exact for what people type, within 1e-9 for the rest.
/// @param value  in 2^-31 ... 2^31.
TiffRational rational_of(double value);

struct TiffResolution {
  std::optional<TiffRational> x, y;  ///< pixels per unit
  std::uint16_t unit = 1;            ///< 1 none (micrometres, for ImageJ), 3 centimetre
};
TiffResolution resolution_of(const ImageSpec& spec);

/// ImageJ's display range. The text has the same length for every range, so that it can be written
/// again when the voxels are known.
struct DisplayRange {
  double min = 0, max = 0;
};

/// Lines that say what the one channel of a file shows, which ImageJ passes over; and what such
/// lines say.
std::string print_channel_lines(const ImageChannel& channel);
std::vector<ImageChannel> channels_in(const KeyLines& lines);

/// The ImageDescription of the first page. @param name  the file's name
std::string describe(const ImageSpec& spec, std::string_view name, const DisplayRange& range);

}  // namespace synthoscope::imageio
