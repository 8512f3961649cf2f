// SPDX-License-Identifier: MIT
#include "simulator/detector/camera_maps.hpp"
#include <fmt/format.h>
#include <string_view>
#include <utility>
#include "core/math/elementary.hpp"
#include "core/math/random.hpp"
#include "simulator/base/field_map.hpp"
#include "simulator/base/normal_quantile.hpp"

namespace synthoscope::simulator {
namespace {

/// The draw, and the first of its two words, that a value is drawn from.
struct Draw {
  std::uint16_t number;
  std::size_t word;
};
constexpr Draw kOffset{0, 0}, kGain{0, 2}, kReadNoise{1, 0}, kDark{1, 2}, kHot{2, 0},
    kHotCurrent{2, 2}, kDead{3, 0}, kColumnOffset{4, 0}, kColumnGain{4, 2}, kRowOffset{5, 0};

/// The random draws of a camera of one seed.
class MapDraws {
 public:
  MapDraws(std::uint64_t seed, const CameraSpec& camera)
      : stream_{seed, RandomStage::camera_maps},
        preset_{static_cast<std::uint32_t>(camera.preset)},
        kind_{static_cast<std::uint32_t>(camera.kind)} {}

  [[nodiscard]] double uniform(std::size_t index, Draw draw) const {
    const auto words = stream_.block(index, draw.number, preset_, kind_);
    return uniform52(words[draw.word], words[draw.word + 1]);
  }
  [[nodiscard]] double normal(std::size_t index, Draw draw) const {
    return normal_quantile(uniform(index, draw));
  }

  /// Returns a map of `pixels` values.
  [[nodiscard]] std::vector<float> map(double mean, double deviation, Draw draw,
                                       std::size_t pixels) const {
    std::vector<float> map(pixels, static_cast<float>(mean));
    if (deviation == 0) return map;
    for (std::size_t i = 0; i < pixels; ++i) {
      const double value = mean + deviation * normal(i, draw);
      map[i] = value > 0 ? static_cast<float>(value) : 0.0f;
    }
    return map;
  }

  /// Returns the values of `count` rows or columns.
  [[nodiscard]] std::vector<double> lines(double deviation, Draw draw, std::int64_t count) const {
    std::vector<double> lines(static_cast<std::size_t>(count), 0.0);
    if (deviation > 0)
      for (std::size_t i = 0; i < lines.size(); ++i) lines[i] = deviation * normal(i, draw);
    return lines;
  }

 private:
  RandomStream stream_;
  std::uint32_t preset_, kind_;
};

/// Sizes of a field: the pixels that are read out, and the sensor's.
struct Field {
  Field(const CameraSpec& spec, std::int64_t sensor_height, std::int64_t sensor_width)
      : height{sensor_height / binned_on_chip(spec)},
        width{sensor_width / binned_on_chip(spec)},
        pixels{static_cast<std::size_t>(height * width)},
        sensor_pixels{static_cast<std::size_t>(sensor_height * sensor_width)} {}
  std::int64_t height, width;
  std::size_t pixels, sensor_pixels;
};

/// Calls `change(value, y, x)` for each value of a map.
template <class Change>
void for_each_pixel(std::vector<float>& map, const Field& field, Change change) {
  auto value = map.begin();
  for (std::size_t y = 0; y < static_cast<std::size_t>(field.height); ++y)
    for (std::size_t x = 0; x < static_cast<std::size_t>(field.width); ++x) change(*value++, y, x);
}

std::vector<float> drawn_offsets(const CameraSpec& spec, const MapDraws& draws,
                                 const Field& field) {
  auto map = draws.map(spec.offset_dn, spec.offset_spread_dn, kOffset, field.pixels);
  if (spec.column_offset_spread_dn == 0 && spec.row_offset_spread_dn == 0) return map;
  const auto columns = draws.lines(spec.column_offset_spread_dn, kColumnOffset, field.width);
  const auto rows = draws.lines(spec.row_offset_spread_dn, kRowOffset, field.height);
  for_each_pixel(map, field, [&](float& value, std::size_t y, std::size_t x) {
    const double shifted = static_cast<double>(value) + columns[x] + rows[y];
    value = shifted > 0 ? static_cast<float>(shifted) : 0.0f;
  });
  return map;
}

std::vector<float> drawn_gains(const CameraSpec& spec, const MapDraws& draws, const Field& field) {
  auto map = draws.map(spec.gain_dn_per_electron, spec.gain_dn_per_electron * spec.gain_spread,
                       kGain, field.pixels);
  if (spec.column_gain_spread > 0) {
    const auto columns = draws.lines(spec.column_gain_spread, kColumnGain, field.width);
    for_each_pixel(map, field, [&](float& value, std::size_t, std::size_t x) {
      const double scaled = static_cast<double>(value) * (1 + columns[x]);
      value = scaled > 0 ? static_cast<float>(scaled) : 0.0f;
    });
  }
  if (spec.dead_pixels > 0)
    for (std::size_t i = 0; i < map.size(); ++i)
      if (draws.uniform(i, kDead) < spec.dead_pixels) map[i] = 0;
  return map;
}

std::vector<float> drawn_dark_currents(const CameraSpec& spec, const MapDraws& draws,
                                       const Field& field) {
  const double mean = spec.dark_current_electrons_per_second;
  auto map = draws.map(mean, mean * spec.dark_current_spread, kDark, field.sensor_pixels);
  if (spec.hot_pixels > 0)
    for (std::size_t i = 0; i < map.size(); ++i)
      if (draws.uniform(i, kHot) < spec.hot_pixels)
        map[i] = static_cast<float>(static_cast<double>(map[i]) -
                                    spec.hot_dark_current_electrons_per_second *
                                        portable::log(1 - draws.uniform(i, kHotCurrent)));
  return map;
}

std::vector<float> read_map(std::string_view what, const std::filesystem::path& path,
                            std::int64_t height, std::int64_t width) {
  return read_field_map(fmt::format("the camera's {} map", what), path, height, width);
}

constexpr std::string_view kOffsetName = "offset", kGainName = "gain",
                           kReadNoiseName = "read noise", kDarkName = "dark current";

}  // namespace

std::int64_t camera_map_bytes(const CameraSpec& spec, std::int64_t height, std::int64_t width) {
  const std::int64_t kept = (spec.has_dark_map() ? 4 : 3) * std::int64_t{sizeof(float)};
  const bool reads =
      spec.offset_map || spec.gain_map || spec.read_noise_map || spec.dark_current_map;
  return height * width * (kept + (reads ? kMapReadingBytes : 0));
}

CameraMaps make_camera_maps(const CameraSpec& spec, std::uint64_t seed, std::int64_t height,
                            std::int64_t width) {
  require_valid(spec);
  const Field field{spec, height, width};
  const MapDraws draws{seed, spec};
  const auto read_out = [&](std::string_view what, const std::filesystem::path& path) {
    return read_map(what, path, field.height, field.width);
  };
  CameraMaps maps;
  maps.height = field.height;
  maps.width = field.width;
  maps.offset_dn =
      spec.offset_map ? read_out(kOffsetName, *spec.offset_map) : drawn_offsets(spec, draws, field);
  maps.gain_dn_per_electron =
      spec.gain_map ? read_out(kGainName, *spec.gain_map) : drawn_gains(spec, draws, field);
  maps.read_noise_electrons =
      spec.read_noise_map
          ? read_out(kReadNoiseName, *spec.read_noise_map)
          : draws.map(spec.read_noise_electrons, spec.read_noise_electrons * spec.read_noise_spread,
                      kReadNoise, field.pixels);
  if (spec.dark_current_map)
    maps.dark_current = read_map(kDarkName, *spec.dark_current_map, height, width);
  else if (spec.has_dark_map())
    maps.dark_current = drawn_dark_currents(spec, draws, field);
  return maps;
}

void require_readable_maps(const CameraSpec& spec, std::int64_t height, std::int64_t width) {
  const Field field{spec, height, width};
  for (const auto& [what, path] : {std::pair{kOffsetName, &spec.offset_map},
                                   {kGainName, &spec.gain_map},
                                   {kReadNoiseName, &spec.read_noise_map}})
    if (*path) static_cast<void>(read_map(what, **path, field.height, field.width));
  if (spec.dark_current_map)
    static_cast<void>(read_map(kDarkName, *spec.dark_current_map, height, width));
}

}  // namespace synthoscope::simulator
