// SPDX-License-Identifier: MIT
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "python/files/given_images.hpp"
#include "python/files/texture_models.hpp"
#include "python/score/score.hpp"
#include "score/pages/strata_section.hpp"
#include "score/run/score_images.hpp"
#include "score/run/score_spots.hpp"
#include "score/run/score_tracks.hpp"
#include "score/spots/spot_table.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;

std::string tracks_json(const std::string& truth, const std::string& result,
                        const Resources& resources) {
  Json scores;
  resources.run([&](const RunContext& context) {
    imageio::OpenOptions open;
    open.labels = true;
    const score::TrackedMovie in_truth = score::tracked_movie(truth, open, context);
    const score::TrackedMovie in_result = score::tracked_movie(result, open, context);
    scores = json_of(score_tracks(in_truth, in_result, context));
  });
  return text_of(scores);
}

/// Rows (frame, z, y, x) in micrometres from the grid's corner; without z, NaN.
using SpotRows = nb::ndarray<nb::ro, double, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;

score::SpotList spots_of_rows(const SpotRows& rows, bool has_z, MemoryBudget& memory) {
  score::SpotList list;
  list.name = "spots";
  list.has_z = has_z;
  const auto count = static_cast<std::int64_t>(rows.shape(0));
  list.counted = memory.reserve(count * std::int64_t{sizeof(score::Spot)}, "spots");
  for (std::size_t i = 0; i < rows.shape(0); ++i) {
    score::Spot spot;
    spot.id = static_cast<std::int64_t>(i) + 1;
    spot.frame = static_cast<std::int64_t>(rows(i, 0));
    spot.at_um = {has_z ? rows(i, 1) : 0, rows(i, 2), rows(i, 3)};
    list.spots.push_back(spot);
  }
  return list;
}

using GivenSpots = std::variant<std::string, SpotRows>;

std::string spots_json(const std::string& truth, const GivenSpots& result, bool has_z,
                       std::int64_t channel, double radius_um, std::int64_t bounds,
                       const Resources& resources) {
  Json scores;
  resources.run([&](const RunContext& context) {
    const auto read = [&](const score::SpotSpace& space) {
      if (const auto* path = std::get_if<std::string>(&result))
        return score::read_spots(*path, space, {}, context);
      return spots_of_rows(std::get<SpotRows>(result), has_z, context.memory);
    };
    const auto report =
        score::score_data_set_spots(truth, read, {channel, radius_um, bounds}, context);
    scores = {{"spots", json_of(report.scores)}, {"strata", json_of(report.strata)}};
  });
  return text_of(scores);
}

std::string image_json(const nb::list& truth_and_result, const AboutImages& about,
                       const std::string& beside, bool shells, const Resources& resources) {
  const std::vector<GivenImage> given = given_images(truth_and_result);
  const auto light = named_in(score::kImageTruthNames, beside);
  if (!light) throw InvalidSpec("score: beside is neither 'photons' nor 'light'; give one of them");
  Json scores;
  resources.run([&](const RunContext& context) {
    imageio::OpenOptions open = about.open_options();
    if (about.spacing_um) {
      const auto [z, y, x] = *about.spacing_um;
      open.voxel_size = VoxelSize{z, y, x};
    }
    score::ImageTask task;
    if (const auto* path = std::get_if<std::string>(&given.at(0)))
      task = score::task_with_light(*path, *light, open, context);
    else
      task.truth = open_array(std::get<ConstVoxelView>(given.at(0)), "truth", about);
    if (const auto* path = std::get_if<std::string>(&given.at(1)))
      task.result = imageio::open_counted(*path, open, context);
    else
      task.result = open_array(std::get<ConstVoxelView>(given.at(1)), "result", about);
    task.shells = shells;
    scores = json_of(score_images(task, context));
  });
  return text_of(scores);
}

}  // namespace

void add_score_results(nb::module_& module) {
  module.def("score_tracks", tracks_json, nb::arg("truth"), nb::arg("result"), nb::arg("resources"),
             "Scores tracks; returns JSON.");
  module.def("score_spots", spots_json, nb::arg("truth"), nb::arg("result"), nb::arg("has_z"),
             nb::arg("channel"), nb::arg("radius_um"), nb::arg("bounds"), nb::arg("resources"),
             "Scores spots; returns JSON.");
  module.def("score_image", image_json, nb::arg("truth_and_result"), nb::arg("about"),
             nb::arg("beside"), nb::arg("shells"), nb::arg("resources"),
             "Scores a restored image; returns JSON.");
}

}  // namespace synthoscope::python
