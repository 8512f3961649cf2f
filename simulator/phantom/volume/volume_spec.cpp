// SPDX-License-Identifier: MIT
#include "simulator/phantom/volume/volume_spec.hpp"
#include <fmt/format.h>
#include <string>
#include "core/base/error.hpp"
#include "simulator/base/range_check.hpp"
#include "simulator/phantom/geometry/population.hpp"
#include "simulator/phantom/volume/volume_keys.hpp"

namespace synthoscope::simulator {

const VolumeSurvey& surveyed(const VolumeSpec& spec) {
  const auto name = [](const auto& file) { return file ? file->string() : std::string{}; };
  const auto number = [](const auto& which) { return which ? std::to_string(*which) : ""; };
  return spec.known.of(name(spec.labels) + '\n' + name(spec.intensity) + '\n' +
                           number(spec.channel) + '\n' + number(spec.frame) + '\n' +
                           number(spec.image),
                       [&] { return survey_volume(spec); });
}

std::int64_t number_of(const VolumeSpec& spec) {
  return spec.labels ? static_cast<std::int64_t>(surveyed(spec).labels.size()) : 0;
}

VoxelSize pitch_of(const VolumeSpec& spec) {
  if (spec.pitch) return *spec.pitch;
  const auto said = surveyed(spec).pitch;
  if (!said)
    throw InvalidSpec(
        fmt::format("check the scene: volume.pitch_nm is not set, and {} does not give the size of "
                    "its voxels; give volume.pitch_nm",
                    (spec.labels ? *spec.labels : *spec.intensity).string()));
  return *said;
}

void require_valid(const VolumeSpec& s) {
  RangeCheck check{"volume", s};
  list_volume_keys(check);
  constexpr const char* kFiles = "volume.labels or volume.intensity";
  require_beside(s.pitch.has_value(), "volume.pitch_nm", has_volume(s), kFiles);
  require_beside(s.image.has_value(), "volume.image", has_volume(s), kFiles);
  require_beside(s.channel.has_value(), "volume.channel", has_volume(s), kFiles);
  require_beside(s.frame.has_value(), "volume.frame", has_volume(s), kFiles);
  require_beside(s.corner.has_value(), "volume.corner_um", has_volume(s), kFiles);
  if (has_volume(s)) static_cast<void>(pitch_of(s));
}

}  // namespace synthoscope::simulator
