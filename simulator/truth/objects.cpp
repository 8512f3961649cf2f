// SPDX-License-Identifier: MIT
#include "simulator/truth/objects.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>
#include "simulator/phantom/geometry/population.hpp"
#include "simulator/phantom/kinds.hpp"
#include "simulator/truth/median.hpp"
#include "simulator/truth/nearest_neighbour.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns the label of a body in the file that it was imported from; empty if it was not imported.
template <class Body>
std::string file_label_of(const Body& body) {
  if constexpr (requires { body.file_label; }) return fmt::format("{}", body.file_label);
  return {};
}

/// Returns the phase of the chromatin of a body; empty if it is no nucleus.
template <class Body>
std::string_view phase_of(const Body& body) {
  if constexpr (requires { body.mitosis(); })
    return name_in(kMitoticPhaseNames, body.mitosis().phase);
  return {};
}

/// Returns the centroid of counted voxels.
Point3 centroid_of(const LabelCount& count, const VoxelSize& pitch) {
  const auto mean_um = [&](std::int64_t sum, double pitch_um) {
    return (static_cast<double>(sum) / static_cast<double>(count.voxels) + 0.5) * pitch_um;
  };
  return {mean_um(count.sum_z, pitch.z_um), mean_um(count.sum_y, pitch.y_um),
          mean_um(count.sum_x, pitch.x_um)};
}

/// Returns for each object with a voxel the distance of its centroid to the nearest other one; NaN
/// for the others.
std::vector<double> nearest_of(const std::vector<LabelCount>& counts, const VoxelSize& pitch) {
  std::vector<std::size_t> seen;
  std::vector<Point3> centroids;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i].voxels > 0) {
      seen.push_back(i);
      centroids.push_back(centroid_of(counts[i], pitch));
    }
  const std::vector<double> distances = nearest_distances_um(centroids);
  std::vector<double> nearest(counts.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t k = 0; k < seen.size(); ++k) nearest[seen[k]] = distances[k];
  return nearest;
}

/// Calls `body(label, begin, end)` for voxels of a row that follow each other and have one label,
/// other than 0.
template <class Body>
void for_each_run(const std::uint16_t* row, std::int64_t voxels, Body&& body) {
  for (std::int64_t begin = 0, end = 0; begin < voxels; begin = end) {
    for (end = begin + 1; end < voxels && row[end] == row[begin];) ++end;
    if (row[begin] != 0) body(row[begin], begin, end);
  }
}

}  // namespace

CountingSink::CountingSink(Sink& labels, const std::vector<std::uint16_t>& objects)
    : labels_{labels}, places_(std::size_t{kMaxObjects} + 1, -1), counts_(objects.size()) {
  for (std::size_t i = 0; i < objects.size(); ++i)
    places_[objects[i]] = static_cast<std::int32_t>(i);
}

LabelCount& LabelCount::operator+=(const LabelCount& other) {
  voxels += other.voxels;
  sum_z += other.sum_z;
  sum_y += other.sum_y;
  sum_x += other.sum_x;
  touches_border |= other.touches_border;
  return *this;
}

void CountingSink::write(const Box3& box, ConstVoxelView voxels) {
  const auto labels = voxels.as<std::uint16_t>();
  const Extent3& all = labels_.extent();
  const auto is_outermost = [](std::int64_t i, std::int64_t n) {
    return n > 1 && (i == 0 || i == n - 1);
  };
  std::unordered_map<std::uint16_t, LabelCount> found;
  for (std::int64_t z = box.origin.z; z < box.origin.z + box.size.z; ++z)
    for (std::int64_t y = box.origin.y; y < box.origin.y + box.size.y; ++y) {
      const std::uint16_t* const row = labels.row(z - box.origin.z, y - box.origin.y);
      const bool is_border_row = is_outermost(z, all.z) || is_outermost(y, all.y);
      for_each_run(row, box.size.x, [&](std::uint16_t label, std::int64_t begin, std::int64_t end) {
        const std::int64_t first = box.origin.x + begin, last = box.origin.x + end - 1;
        const std::int64_t count = end - begin;
        found[label] += {.voxels = count,
                         .sum_z = z * count,
                         .sum_y = y * count,
                         .sum_x = (first + last) * count / 2,
                         .touches_border = is_border_row || is_outermost(first, all.x) ||
                                           is_outermost(last, all.x)};
      });
    }
  {
    const std::lock_guard lock{mutex_};
    for (const auto& [label, count] : found)
      counts_.at(static_cast<std::size_t>(places_[label])) += count;
  }
  labels_.write(box, voxels);
}

std::int64_t objects_bytes(std::int64_t objects) {
  constexpr std::int64_t kLongestLine = 256 + 24;  // a row of the table, and its line of CSV
  constexpr std::int64_t kRow = sizeof(std::string) + kMaxChannels * sizeof(double);
  constexpr std::int64_t kNeighbours = sizeof(Point3) + 4 * sizeof(double);
  return objects * (std::int64_t{sizeof(LabelCount)} + 2 * kLongestLine + kRow + kNeighbours) +
         (kMaxObjects + 1) * std::int64_t{sizeof(std::int32_t)};
}

ObjectTable::ObjectTable(std::vector<std::string> channels)
    : channels_{std::move(channels)}, snr_(channels_.size()) {}

void ObjectTable::add(std::int64_t frame, const Phantom& phantom, const FrameLabels& names,
                      const std::vector<LabelCount>& counts) {
  first_row_[frame] = rows_.size();
  const VoxelSize& pitch = phantom.grid.pitch;
  const double voxel_um3 = pitch.z_um * pitch.y_um * pitch.x_um;
  const std::vector<double> nearest = nearest_of(counts, pitch);
  for_each_object(phantom, [&](std::int64_t number, const auto& body) {
    const Vector3 centroid = body.centroid();
    const auto place = static_cast<std::size_t>(number - 1);
    const LabelCount& count = counts.at(place);
    const std::int64_t id = names.labels.at(place);
    std::string row =
        fmt::format("{},{},{},{:.6f},{:.6f},{:.6f},{:.6f},{},", id, frame, body.kClass, centroid[0],
                    centroid[1], centroid[2], body.volume_um3(), count.voxels);
    if (count.voxels > 0) {
      const Point3 counted = centroid_of(count, pitch);
      row += fmt::format("{:.6f},{:.6f},{:.6f},", counted.z_um, counted.y_um, counted.x_um);
      tracks_ += fmt::format("{} {} {} 0\n", id, frame, frame);
    } else {
      row += ",,,";
      ++without_voxel_;
    }
    const double brightness = phantom.lights.empty() ? 1 : phantom.lights.at(place).factor;
    row +=
        fmt::format("{:.6f},{},{},{:d},{:.6g},", static_cast<double>(count.voxels) * voxel_um3,
                    names.parents.at(place), file_label_of(body), count.touches_border, brightness);
    if (!std::isnan(nearest.at(place))) row += fmt::format("{:.6f}", nearest[place]);
    row += fmt::format(",{}", phase_of(body));
    rows_.push_back(std::move(row));
  });
}

void ObjectTable::add_snr(std::int64_t frame, std::size_t channel,
                          const std::vector<double>& of_objects) {
  std::vector<double>& column = snr_[channel];
  column.resize(rows_.size(), std::numeric_limits<double>::quiet_NaN());
  std::copy(of_objects.begin(), of_objects.end(),
            column.begin() + static_cast<std::ptrdiff_t>(first_row_.at(frame)));
}

std::optional<double> ObjectTable::median_snr(std::size_t channel) const {
  return median_of_known(snr_[channel]);
}

std::string ObjectTable::csv() const {
  std::string csv =
      "id,frame,class,centroid_z_um,centroid_y_um,centroid_x_um,volume_um3,voxels,"
      "counted_centroid_z_um,counted_centroid_y_um,counted_centroid_x_um,counted_volume_um3,"
      "parent,file_label,touches_border,brightness,nearest_um,phase";
  for (const std::string& channel : channels_)
    csv += channel.empty() ? ",snr" : fmt::format(",snr_{}", channel);
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    csv += '\n' + rows_[row];
    for (const std::vector<double>& column : snr_) {
      const bool is_known = row < column.size() && !std::isnan(column[row]);
      csv += is_known ? fmt::format(",{:.4g}", column[row]) : ",";
    }
  }
  return csv + '\n';
}

std::string challenge_tracks(const Tracks& tracks) {
  std::string text;
  for (const Track& track : tracks.all())
    if (track.is_seen())
      text += fmt::format("{} {} {} {}\n", track.label, track.begin, track.end, track.parent);
  return text;
}

std::string tracks_csv(const Tracks& tracks) {
  std::string text = "id,begin,end,parent,object\n";
  for (const Track& track : tracks.all())
    if (track.is_seen())
      text += fmt::format("{},{},{},{},{}\n", track.label, track.begin, track.end, track.parent,
                          tracks.first(track.object).label);
  return text;
}

SpotTable::SpotTable() : csv_{"id,cell,frame,z_um,y_um,x_um,radius_um,photons\n"} {}

void SpotTable::add(std::int64_t frame, const FrameLabels& names, const Phantom& phantom) {
  for_each_object(phantom, [&]<class T>(std::int64_t object, const T& body) {
    if constexpr (HasStrands<T>) {
      const auto place = static_cast<std::size_t>(object - 1);
      const std::int64_t before = names.objects[place] - 1;
      const double brightness =
          phantom.brightness * (phantom.lights.empty() ? 1 : phantom.lights[place].factor);
      std::int64_t id = before * phantom.spec.cells.spots;
      for (const StainedStrand& stained : body.strands()) {
        if (stained.structure != Structure::spot) continue;
        for (const Segment& spot : stained.strand.segments())
          csv_ += fmt::format("{},{},{},{:.6f},{:.6f},{:.6f},{:.6f},{:.6g}\n", ++id,
                              names.labels[place], frame, spot.from[0], spot.from[1], spot.from[2],
                              spot.from_radius_um, brightness * phantom.spec.cells.spot_photons);
      }
    }
  });
}

bool SpotTable::has(const PhantomSpec& spec, const Grid& grid) {
  return spec.cells.spots > 0 && number_of(spec.cells, grid) > 0;
}

std::int64_t SpotTable::bytes(const SceneSpec& scene) {
  constexpr std::int64_t kLongestLine = 128;  // counted twice: a string grows by doubling
  if (!has(phantom_of(scene), sample_grid(scene))) return 0;
  return 2 * kLongestLine * headcounts_of(scene).cells.rows * scene.cells.spots;
}

}  // namespace synthoscope::simulator
