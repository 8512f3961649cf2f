// SPDX-License-Identifier: MIT
#include "score/spots/data_set_spots.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <utility>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "score/spots/spot_table.hpp"
#include "simulator/phantom/geometry/ball.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/scene/file/scene_file.hpp"

namespace synthoscope::score {
namespace {

using simulator::DataSetReader;

/// Returns a channel of the scene that the data set was made from.
simulator::Channel channel_in(const DataSetReader& data, std::size_t channel) {
  const simulator::SceneSpec scene = simulator::read_scene(data.folder() / simulator::kSceneFile);
  const std::string& name = data.channels()[channel];
  return simulator::channel_of(scene,
                               name.empty() ? std::nullopt : std::optional<std::string>{name});
}

bool has_scene(const DataSetReader& data) {
  return std::filesystem::is_regular_file(data.folder() / simulator::kSceneFile);
}

/// Returns the factor that was found if the scene asks for a signal-to-noise ratio, otherwise 1.
double found_dose(const DataSetReader& data, std::size_t channel) {
  const Json& record = data.record();
  const auto dose = record.find("dose");
  if (dose == record.end()) return 1;
  const std::string& name = data.channels()[channel];
  if (name.empty()) return dose->is_number() ? dose->get<double>() : 1;
  const auto of_channel = dose->find(name);
  return of_channel != dose->end() && of_channel->is_number() ? of_channel->get<double>() : 1;
}

bool has_varying_psf(const DataSetReader& data, std::size_t channel) {
  const std::string& name = data.channels()[channel];
  const Json::json_pointer place{
      fmt::format("/blur{}{}/references", name.empty() ? "" : "/", name)};
  return data.record().contains(place) && data.record().at(place).size() > 1;
}

bool has_photons(const DataSetReader& data) {
  return data.record().at("files").value("photons", true);
}

/// Returns why there are no bounds; empty if there may be.
std::string hindrance(const DataSetReader& data, std::size_t channel) {
  if (!has_scene(data)) return "it has no scene.toml";
  if (!has_photons(data)) return "it was made without its noise-free photons";
  if (has_varying_psf(data, channel)) return "its PSF varies over the volume";
  if (channel_in(data, channel).scene.pattern.is_on()) return "its light has stripes";
  return {};
}

/// Gives beads the photons of their volume. Beads of movies bleach, which their table does not say.
void add_photons(const simulator::SceneSpec& scene, std::vector<Spot>& beads) {
  const double mean_um3 = simulator::ball_um3(scene.beads.diameter_um / 2);
  for (Spot& bead : beads)
    bead.photons =
        scene.light.beads * scene.beads.photons * simulator::ball_um3(bead.radius_um) / mean_um3;
}

/// Returns the background of a pixel relative to the peak of the spots, about.
double background_of_peak(const simulator::SceneSpec& scene, const std::vector<Spot>& spots) {
  constexpr double kPeakOfPlane = 0.1;  // part of the light in focus in the brightest pixel
  double brightest = 0;
  for (const Spot& spot : spots)
    if (spot.photons > brightest) brightest = spot.photons;
  return brightest > 0 ? scene.background_photons / (kPeakOfPlane * brightest) : 0;
}

}  // namespace

SpotSpace space_of(const DataSetReader& data, std::size_t channel, const RunContext& context) {
  const simulator::FrameRange frames = data.made();
  const simulator::Grid grid = simulator::grid_of(data.image(frames.first, channel, context));
  return {grid.extent, grid.pitch, frames};
}

SpotList true_spots(const DataSetReader& data, std::size_t channel, const SpotSpace& space,
                    const RunContext& context) {
  const auto spots_csv = data.folder() / "spots.csv";
  const bool has_spots = std::filesystem::is_regular_file(spots_csv);
  SpotList spots = read_spots(has_spots ? spots_csv : data.objects_csv(), space, {}, context);
  if (!has_spots && spots.spots.empty())
    throw InvalidInput(
        fmt::format("read spots of {}: it has no spots.csv, and no beads in its "
                    "objects.csv; give a data set with spots or beads",
                    data.folder().string()));
  if (!has_scene(data)) return spots;
  const simulator::SceneSpec scene = channel_in(data, channel).scene;
  if (has_spots)
    for (Spot& spot : spots.spots) spot.photons *= scene.light.spots;
  else if (!data.is_movie())
    add_photons(scene, spots.spots);
  return spots;
}

BoundedSpots bounded_spots(const DataSetReader& data, std::size_t channel, const SpotList& truth,
                           std::size_t most, const RunContext& context) {
  if (const std::string why = hindrance(data, channel); !why.empty()) {
    context.log.note(
        fmt::format("{} gives no efficiency of localisation: {}", data.folder().string(), why));
    return {};
  }
  const simulator::Channel seen = channel_in(data, channel);
  const simulator::SceneSpec& scene = seen.scene;
  const Extent3& sensor = scene.grid.extent;
  const Reservation counted =
      context.memory.reserve(simulator::camera_map_bytes(scene.camera, sensor.y, sensor.x) +
                                 simulator::Illumination::bytes(scene.illumination, sensor),
                             "the camera of a data set");
  const simulator::CameraEpilogue camera{
      scene.camera, {static_cast<std::uint64_t>(scene.seed.value_or(0)), 0, seen.number}, sensor};
  const simulator::Illumination illumination =
      simulator::Illumination{scene.illumination, sensor, simulator::light_level(scene)}.times(
          found_dose(data, channel));
  const imageio::CountedImage stored = data.psf(channel, context);
  const Extent3& size = stored.info.extent;
  const PsfSlopes psf =
      slopes_of(*stored.source,
                stored.info.kernel_center.value_or(Index3{size.z / 2, size.y / 2, size.x / 2}),
                background_of_peak(scene, truth.spots), context);

  BoundedSpots bounded;
  bounded.which = evenly_chosen(truth.spots.size(), most);
  std::stable_sort(bounded.which.begin(), bounded.which.end(), [&](std::size_t a, std::size_t b) {
    return truth.spots[a].frame < truth.spots[b].frame;
  });
  for (auto begin = bounded.which.begin(); begin != bounded.which.end();) {
    const std::int64_t frame = truth.spots[*begin].frame;
    const auto end = std::find_if(begin, bounded.which.end(), [&](std::size_t spot) {
      return truth.spots[spot].frame != frame;
    });
    const imageio::CountedImage photons = data.photons(frame, channel, context);
    const SpotImage image{*photons.source, camera, illumination, psf, scene.grid, scene.oversample};
    const auto of_frame = bounds_of(truth.spots, {begin, end}, image, context);
    bounded.bounds.insert(bounded.bounds.end(), of_frame.begin(), of_frame.end());
    begin = end;
  }
  return bounded;
}

}  // namespace synthoscope::score
