// SPDX-License-Identifier: MIT
#include "imageio/tiff/planes/description.hpp"
#include <fmt/format.h>
#include <tiff.h>
#include <algorithm>
#include <cmath>
#include "core/base/version.hpp"
#include "imageio/input/key_lines.hpp"
#include "imageio/tiff/planes/ome_xml.hpp"

namespace synthoscope::imageio {
namespace {

std::string imagej_description(const ImageSpec& spec, const DisplayRange& range) {
  std::string text =
      fmt::format("ImageJ=1.54f\nimages={}\nchannels={}\nslices={}\nframes={}\nhyperstack=true\n",
                  spec.extent.z, spec.channels, spec.planes_of_stack(), spec.frames);
  if (spec.channels > 1) text += "mode=composite\n";
  if (spec.z_um || spec.y_um || spec.x_um) text += "unit=um\n";
  if (spec.z_um) text += fmt::format("spacing={}\n", *spec.z_um);
  text += "loop=false\n";
  if (spec.kernel_center)
    text += fmt::format("kernel_center={}\n", print_index(*spec.kernel_center));
  if (spec.channel) text += print_channel_lines(*spec.channel);
  // A sign and two digits of exponent: one length for all values of ImageJ's types
  return text + fmt::format("min={:+.9e}\nmax={:+.9e}\n", range.min, range.max);
}

std::string plain_description(const ImageSpec& spec) {
  std::string text = fmt::format("synthoscope={}\n", kVersion);
  if (spec.z_um) text += fmt::format("z_um={}\n", *spec.z_um);
  if (spec.y_um) text += fmt::format("y_um={}\n", *spec.y_um);
  if (spec.x_um) text += fmt::format("x_um={}\n", *spec.x_um);
  if (spec.kernel_center)
    text += fmt::format("kernel_center={}\n", print_index(*spec.kernel_center));
  if (spec.channel) text += print_channel_lines(*spec.channel);
  if (!spec.provenance.empty()) text += fmt::format("provenance={}\n", spec.provenance);
  return text;
}

}  // namespace

std::string print_channel_lines(const ImageChannel& channel) {
  std::string name = channel.name, text;
  std::ranges::replace_if(
      name, [](unsigned char c) { return c < ' '; }, ' ');
  if (!name.empty()) text += fmt::format("channel_name={}\n", name);
  if (channel.rgb) text += fmt::format("channel_color={}\n", print_colour(*channel.rgb));
  if (channel.emission_nm) text += fmt::format("emission_nm={}\n", *channel.emission_nm);
  if (channel.excitation_nm) text += fmt::format("excitation_nm={}\n", *channel.excitation_nm);
  return text;
}

std::vector<ImageChannel> channels_in(const KeyLines& lines) {
  constexpr std::size_t kMaxName = 256;
  ImageChannel channel;
  channel.name = std::string{lines.text("channel_name").value_or("").substr(0, kMaxName)};
  channel.rgb = parse_colour(lines.text("channel_color").value_or(""));
  channel.emission_nm = lines.positive("emission_nm");
  channel.excitation_nm = lines.positive("excitation_nm");
  if (channel.is_empty()) return {};
  return {channel};
}

TiffRational rational_of(double value) {
  // Convergents of the continued fraction, as long as they fit
  constexpr double kLargest = 4'294'967'295.0;
  double p0 = 0, q0 = 1, p1 = 1, q1 = 0, rest = value;
  for (int step = 0; step < 64; ++step) {
    const double whole = std::floor(rest);
    const double p2 = whole * p1 + p0, q2 = whole * q1 + q0;
    if (p2 > kLargest || q2 > kLargest) break;
    p0 = std::exchange(p1, p2);
    q0 = std::exchange(q1, q2);
    if (std::abs(p1 / q1 - value) <= 1e-15 * value || rest == whole) break;
    rest = 1 / (rest - whole);
  }
  return {static_cast<std::uint32_t>(p1), static_cast<std::uint32_t>(q1)};
}

TiffResolution resolution_of(const ImageSpec& spec) {
  const bool is_imagej = spec.flavor == TiffFlavor::imagej;
  const double um_per_unit = is_imagej ? 1 : 10'000;
  const auto pixels_per_unit = [&](std::optional<double> um) -> std::optional<TiffRational> {
    if (!um) return std::nullopt;
    const double value = um_per_unit / *um;
    if (value < 0x1p-31 || value > 0x1p31) return std::nullopt;
    return rational_of(value);
  };
  return {pixels_per_unit(spec.x_um), pixels_per_unit(spec.y_um),
          static_cast<std::uint16_t>(is_imagej ? RESUNIT_NONE : RESUNIT_CENTIMETER)};
}

std::string describe(const ImageSpec& spec, std::string_view name, const DisplayRange& range) {
  switch (spec.flavor) {
    case TiffFlavor::ome:
      return print_ome_xml(spec, name);
    case TiffFlavor::imagej:
      return imagej_description(spec, range);
    case TiffFlavor::plain:
      break;
  }
  return plain_description(spec);
}

}  // namespace synthoscope::imageio
