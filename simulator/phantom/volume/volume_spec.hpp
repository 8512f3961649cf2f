// SPDX-License-Identifier: MIT
// simulator/phantom/volume/volume_spec.hpp — a phantom from files: labels, light or both.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>
#include "core/base/units.hpp"
#include "core/volume/box.hpp"
#include "simulator/base/grid.hpp"
#include "simulator/phantom/geometry/memo.hpp"

namespace synthoscope::simulator {

/// Facts about one label of a file: the number of its voxels, their first and last index along each
/// axis, and the sum of their indices.
struct LabelSurvey {
  std::int64_t label = 0, voxels = 0;
  Index3 first{}, last{}, sum{};
};

/// Facts about a volume from one pass over its voxels, before these are kept in memory.
struct VolumeSurvey {
  Extent3 extent;
  std::optional<VoxelSize> pitch;   ///< as the files give it
  std::vector<LabelSurvey> labels;  ///< ascending
  std::int64_t buffer_bytes = 0;    ///< of the buffers for reading
};

/// A volume of labels, of light, or of both, of equal size. A voxel of the grid has the label of
/// the file's voxel that holds its centre. Light is divided among the voxels of the grid by the
/// parts of the file's voxels that they cover, so that none is lost, whatever the pitches.
struct VolumeSpec {
  /// Whole numbers >= 0, of any type; each except 0 marks an object, at most 65535 objects.
  std::optional<std::filesystem::path> labels = {};
  /// The file of light. Absent: light comes from labels, photons_per_um3 each.
  std::optional<std::filesystem::path> intensity = {};
  /// Which of the files' images, channels and frames, from 0, if they have several.
  std::optional<std::int64_t> image = {}, channel = {}, frame = {};
  std::optional<VoxelSize> pitch = {};  ///< of the files' voxels; absent: as the files give it
  std::optional<Point3> corner = {};    ///< from the grid's corner; absent: centred in the grid
  double photons_per_um3 = 4000;        ///< as in NucleiSpec, >= 0; without intensity
  double intensity_spread = 0;          ///< of ln(light) between labels, 0 ... 2; as above
  /// Photons that a voxel of `intensity` gives off for each unit of its value above background,
  /// >= 0.
  double photons_per_value = 1;
  double background = 0;  ///< value of `intensity` that is dark; lower values are dark as well

  Memo<VolumeSurvey> known;
  friend bool operator==(const VolumeSpec&, const VolumeSpec&) = default;
};

[[nodiscard]] inline bool has_volume(const VolumeSpec& spec) {
  return spec.labels || spec.intensity;
}

/// Returns the facts about the files, which are read once for a spec and all of its copies.
/// @throws IoError, InvalidInput  as survey_volume.
const VolumeSurvey& surveyed(const VolumeSpec& spec);

/// Returns the number of labels.
/// @throws IoError, InvalidInput  as survey_volume.
std::int64_t number_of(const VolumeSpec& spec);

/// Returns the pitch of the files' voxels. @throws InvalidSpec  neither `spec` nor the files give
/// it.
VoxelSize pitch_of(const VolumeSpec& spec);

/// @throws InvalidSpec  a value is out of range, or no pitch is known: names key, value and range.
/// @throws IoError, InvalidInput  as survey_volume.
void require_valid(const VolumeSpec& spec);

/// Reads all voxels of the files of `spec` through a small window.
/// @throws IoError       a file is missing or cannot be read.
/// @throws InvalidInput  a file is no image, a label is not a whole number >= 0, a value of light
///                       is not finite, there are more than 65535 labels, or sizes differ.
VolumeSurvey survey_volume(const VolumeSpec& spec);

}  // namespace synthoscope::simulator
