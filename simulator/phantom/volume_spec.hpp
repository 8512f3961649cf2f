// SPDX-License-Identifier: MIT
// simulator/phantom/volume_spec.hpp — a phantom from files: labels, light or both.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>
#include "core/base/units.hpp"
#include "core/volume/box.hpp"
#include "simulator/grid.hpp"
#include "simulator/phantom/memo.hpp"

namespace synthoscope::simulator {

/// What a file says of one label: how many voxels have it, where they lie, their indices summed.
struct LabelSurvey {
  std::int64_t label = 0, voxels = 0;
  Index3 first{}, last{}, sum{};
};

/// What is known of a volume before it is held: one look at all of its voxels.
struct VolumeSurvey {
  Extent3 extent;
  std::optional<VoxelSize> pitch;   ///< what the files say
  std::vector<LabelSurvey> labels;  ///< ascending
  std::int64_t buffer_bytes = 0;    ///< that reading holds
};

/// A volume of labels, of light, or of both, of equal size. The label of a voxel of the grid is
/// that of the file's voxel that holds its centre; light is shared out over the voxels of the grid
/// by the parts of the file's voxels that they cover, so that none is lost, whatever the pitches.
struct VolumeSpec {
  /// Whole numbers of at least 0, of any type; each but 0 marks an object, at most 65535.
  std::optional<std::filesystem::path> labels = {};
  /// Where light comes from. Absent: from labels, photons_per_um3 each.
  std::optional<std::filesystem::path> intensity = {};
  /// Which of the files' images, channels and frames, from 0; where they have several.
  std::optional<std::int64_t> image = {}, channel = {}, frame = {};
  std::optional<VoxelSize> pitch = {};  ///< of the files' voxels; absent: what they say
  std::optional<Point3> corner = {};    ///< from the grid's; absent: middle lies on middle
  double photons_per_um3 = 4000;        ///< in the sense of NucleiSpec, >= 0; without intensity
  /// Photons that a voxel of `intensity` gives off for each unit of its value above background,
  /// >= 0.
  double photons_per_value = 1;
  double background = 0;  ///< value of `intensity` that is dark; what is lower is dark, too

  Memo<VolumeSurvey> known;
  friend bool operator==(const VolumeSpec&, const VolumeSpec&) = default;
};

[[nodiscard]] inline bool has_volume(const VolumeSpec& spec) {
  return spec.labels || spec.intensity;
}

/// What is known of the files; they are looked at once for a spec and all of its copies.
/// @throws IoError, InvalidInput  as survey_volume.
const VolumeSurvey& surveyed(const VolumeSpec& spec);

/// How many labels there are.
/// @throws IoError, InvalidInput  as survey_volume.
std::int64_t number_of(const VolumeSpec& spec);

/// Of the files' voxels. @throws InvalidSpec  nobody says it.
VoxelSize pitch_of(const VolumeSpec& spec);

/// @throws InvalidSpec  a value is out of range, or no pitch is known: names key, value and range.
/// @throws IoError, InvalidInput  as survey_volume.
void require_valid(const VolumeSpec& spec);

/// Reads all voxels of the files of `spec` through a small window.
/// @throws IoError       a file is missing or cannot be read.
/// @throws InvalidInput  it is no image, a label is no whole number from 0, a value of light is no
///                       number, there are more than 65535 labels, or sizes differ.
VolumeSurvey survey_volume(const VolumeSpec& spec);

}  // namespace synthoscope::simulator
