// SPDX-License-Identifier: MIT
// simulator/phantom/volume/volume_spec.cpp — checks the keys of imported volumes, and surveys their
// files in one pass.
#include "simulator/phantom/volume/volume_spec.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>
#include "core/base/error.hpp"
#include "simulator/base/range_check.hpp"
#include "simulator/phantom/geometry/population.hpp"
#include "simulator/phantom/volume/volume_files.hpp"
#include "simulator/phantom/volume/volume_kind.hpp"

namespace synthoscope::simulator {
namespace {

/// Counts labels in the order in which rows are read.
class LabelCounts {
 public:
  explicit LabelCounts(std::string file) : file_{std::move(file)} {}

  void add(const Index3& at, std::int64_t label) {
    if (label == 0) return;
    if (!last_ || last_->label != label)
      last_ = &counts_.try_emplace(label, LabelSurvey{label, 0, at, at, {}}).first->second;
    if (static_cast<std::int64_t>(counts_.size()) > kMaxObjects)
      throw InvalidInput(
          fmt::format("read volume.labels {}: it has more than {} labels, the most that masks of "
                      "16 bits hold; cut the volume, or is it volume.intensity?",
                      file_, kMaxObjects));
    LabelSurvey& s = *last_;
    ++s.voxels;
    s.first = {std::min(s.first.z, at.z), std::min(s.first.y, at.y), std::min(s.first.x, at.x)};
    s.last = {std::max(s.last.z, at.z), std::max(s.last.y, at.y), std::max(s.last.x, at.x)};
    s.sum = {s.sum.z + at.z, s.sum.y + at.y, s.sum.x + at.x};
  }

  [[nodiscard]] std::vector<LabelSurvey> ascending() const {
    std::vector<LabelSurvey> all;
    all.reserve(counts_.size());
    for (const auto& [label, survey] : counts_) all.push_back(survey);
    std::sort(all.begin(), all.end(),
              [](const auto& a, const auto& b) { return a.label < b.label; });
    return all;
  }

 private:
  std::string file_;
  std::unordered_map<std::int64_t, LabelSurvey> counts_;
  LabelSurvey* last_ = nullptr;
};

void require_equal_sizes(const VolumeSpec& spec, const Extent3& labels, const Extent3& intensity) {
  if (labels != intensity)
    throw InvalidInput(fmt::format(
        "read volume.intensity {}: it is {}, and volume.labels {} is {}; give two volumes of equal "
        "size",
        spec.intensity->string(), intensity, spec.labels->string(), labels));
}

}  // namespace

VolumeSurvey survey_volume(const VolumeSpec& spec) {
  VolumeSurvey survey;
  const StopFlag nobody_stops;
  if (spec.labels) {
    const VolumeFile file{"volume.labels", *spec.labels, spec};
    LabelCounts counts{spec.labels->string()};
    file.for_each_label(nobody_stops,
                        [&](const Index3& at, std::int64_t label) { counts.add(at, label); });
    survey = {file.extent(), file.pitch(), counts.ascending(), file.buffer_bytes()};
  }
  if (spec.intensity) {
    const VolumeFile file{"volume.intensity", *spec.intensity, spec};
    if (spec.labels) require_equal_sizes(spec, survey.extent, file.extent());
    file.for_each_value(nobody_stops, [](const Index3&, double) {});
    survey.extent = file.extent();
    if (!survey.pitch) survey.pitch = file.pitch();
    survey.buffer_bytes = std::max(survey.buffer_bytes, file.buffer_bytes());
  }
  return survey;
}

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
  if (s.intensity_spread > 0 && s.intensity)
    throw InvalidSpec(
        fmt::format("check the scene: volume.intensity_spread is {}, but all light comes from "
                    "volume.intensity, "
                    "and labels give none; leave one of them out",
                    s.intensity_spread));
  if (has_volume(s)) static_cast<void>(pitch_of(s));
}

}  // namespace synthoscope::simulator
