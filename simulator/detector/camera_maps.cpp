// SPDX-License-Identifier: MIT
#include "simulator/detector/camera_maps.hpp"
#include <fmt/format.h>
#include <string_view>
#include <utility>
#include "core/random.hpp"
#include "simulator/detector/normal_quantile.hpp"
#include "simulator/field_map.hpp"

namespace synthoscope::simulator {
namespace {

/// Which words of which draw a map takes.
struct Draw {
  std::uint16_t number;
  std::size_t word;
};

std::vector<float> draw_map(double mean, double deviation, std::uint64_t seed, Draw draw,
                            std::int64_t pixels) {
  std::vector<float> map(static_cast<std::size_t>(pixels), static_cast<float>(mean));
  if (deviation == 0) return map;
  const RandomStream stream{seed, RandomStage::camera_maps};
  for (std::size_t i = 0; i < map.size(); ++i) {
    const auto words = stream.block(i, draw.number);
    const double value =
        mean + deviation * normal_quantile(uniform52(words[draw.word], words[draw.word + 1]));
    map[i] = value > 0 ? static_cast<float>(value) : 0.0f;
  }
  return map;
}

std::vector<float> read_map(std::string_view what, const std::filesystem::path& path,
                            std::int64_t height, std::int64_t width) {
  return read_field_map(fmt::format("the camera's {} map", what), path, height, width);
}

constexpr std::string_view kOffset = "offset", kGain = "gain", kReadNoise = "read noise";

}  // namespace

std::int64_t camera_map_bytes(const CameraSpec& spec, std::int64_t height, std::int64_t width) {
  constexpr std::int64_t kKept = 3 * sizeof(float);
  const bool reads = spec.offset_map || spec.gain_map || spec.read_noise_map;
  return height * width * (kKept + (reads ? kMapReadingBytes : 0));
}

CameraMaps make_camera_maps(const CameraSpec& spec, std::uint64_t seed, std::int64_t height,
                            std::int64_t width) {
  require_valid(spec);
  const auto read_or_draw = [&](std::string_view what, const auto& path, double mean,
                                double deviation, Draw draw) {
    return path ? read_map(what, *path, height, width)
                : draw_map(mean, deviation, seed, draw, height * width);
  };
  return {height, width,
          read_or_draw(kOffset, spec.offset_map, spec.offset_dn, spec.offset_spread_dn, {0, 0}),
          read_or_draw(kGain, spec.gain_map, spec.gain_dn_per_electron,
                       spec.gain_dn_per_electron * spec.gain_spread, {0, 2}),
          read_or_draw(kReadNoise, spec.read_noise_map, spec.read_noise_electrons,
                       spec.read_noise_electrons * spec.read_noise_spread, {1, 0})};
}

void require_readable_maps(const CameraSpec& spec, std::int64_t height, std::int64_t width) {
  for (const auto& [what, path] : {std::pair{kOffset, &spec.offset_map},
                                   {kGain, &spec.gain_map},
                                   {kReadNoise, &spec.read_noise_map}})
    if (*path) static_cast<void>(read_map(what, **path, height, width));
}

}  // namespace synthoscope::simulator
