// SPDX-License-Identifier: MIT
// What a camera records of a part of a sample: the voxels of that part if all were recorded.
#include <cmath>
#include <map>
#include <set>
#include "simulator/scene/scene.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/table_of_objects.hpp"
#include "tests/unit/simulator/run/pipeline_case.hpp"

namespace synthoscope::simulator {
namespace {

struct MarginCase {
  const char* name;
  const char* keys;  ///< in addition to those of the sample
  Index3 corner;     ///< of the recorded part
  Extent3 recorded;
};

constexpr Extent3 kSample{13, 48, 44};

// The pitch is a binary fraction, so that objects are moved without rounding
constexpr MarginCase kMarginCases[] = {
    {"one_plane", "", {6, 8, 6}, {1, 32, 32}},
    {"one_plane_of_full_width", "", {6, 0, 0}, {1, 48, 44}},
    {"a_stack", "", {2, 4, 0}, {9, 40, 44}},
    {"on_a_finer_grid", "oversample = 3\n", {6, 8, 6}, {1, 32, 32}},
    {"binned", "[camera]\nbinning = 2\n", {6, 8, 6}, {1, 32, 32}},
    {"under_a_light_sheet", "model = 'light-sheet'\n", {6, 8, 6}, {1, 32, 32}},
    {"with_depth", "depth_varying = true\ndepth_um = 2\n", {4, 8, 6}, {5, 32, 32}},
    {"in_stripes", "[pattern]\nkind = 'three-beam'\nperiod_nm = 1100\n", {6, 8, 6}, {1, 32, 32}},
};

SceneSpec sample_scene(const std::string& keys) {
  const std::string scene =
      "seed = 5\n[grid]\nsize = [13, 48, 44]\npitch_nm = [500, 250, 250]\n"
      "[nuclei]\ncount = 6\nradius_um = 1.5\ngap_um = 0.1\nborder = 'cut'\n"
      "photons_per_um3 = 3000\n[optics]\nna = 0.8\nimmersion_index = 1.33\n"
      "size = [13, 21, 21]\n";
  return parse_scene(scene + keys, "sample");
}

SceneSpec part_of(SceneSpec scene, const MarginCase& c) {
  const VoxelSize& pitch = scene.grid.pitch;
  scene.grid.extent = c.recorded;
  scene.margin_um = {static_cast<double>(c.corner.z) * pitch.z_um,
                     static_cast<double>(c.corner.y) * pitch.y_um,
                     static_cast<double>(c.corner.x) * pitch.x_um};
  return scene;
}

class Margin : public Pipeline, public testing::WithParamInterface<MarginCase> {};

TEST_P(Margin, GivesTheLightAndMasksOfThatPartOfTheSample) {
  const MarginCase& c = GetParam();
  const SceneSpec all = sample_scene(c.keys), part = part_of(all, c);
  ASSERT_EQ(sample_grid(part).extent, kSample);
  run(all, "all");
  run(part, "part");
  const auto photons = read<float>(folder_ / "all/photons.ome.tif"),
             seen = read<float>(folder_ / "part/photons.ome.tif");
  const auto labels = read<std::uint16_t>(folder_ / "all/labels.ome.tif"),
             masks = read<std::uint16_t>(folder_ / "part/labels.ome.tif");
  ASSERT_EQ(seen.extent, c.recorded);
  const float peak = *std::max_element(photons.voxels.begin(), photons.voxels.end());
  float worst = 0;
  std::int64_t other_labels = 0, labelled = 0;
  const Index3& o = c.corner;
  for (std::int64_t z = 0; z < c.recorded.z; ++z)
    for (std::int64_t y = 0; y < c.recorded.y; ++y)
      for (std::int64_t x = 0; x < c.recorded.x; ++x) {
        worst = std::max(
            worst, std::abs(seen.view()(z, y, x) - photons.view()(z + o.z, y + o.y, x + o.x)));
        const auto label = masks.view()(z, y, x);
        labelled += label > 0;
        other_labels += label != labels.view()(z + o.z, y + o.y, x + o.x);
      }
  EXPECT_LE(worst, 2e-6F * peak);
  EXPECT_EQ(other_labels, 0);
  EXPECT_GT(labelled, 10);

  // Positions are counted from the corner of the part
  const auto whole_table = test::table_of(bytes_of(folder_ / "all/objects.csv")),
             table = test::table_of(bytes_of(folder_ / "part/objects.csv"));
  ASSERT_EQ(table.size(), whole_table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_NEAR(table[i].at("centroid_z_um"),
                whole_table[i].at("centroid_z_um") - part.margin_um.z_um, 2e-6);
    EXPECT_NEAR(table[i].at("centroid_x_um"),
                whole_table[i].at("centroid_x_um") - part.margin_um.x_um, 2e-6);
    EXPECT_NEAR(table[i].at("volume_um3"), whole_table[i].at("volume_um3"), 2e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, Margin, testing::ValuesIn(kMarginCases),
                         synthoscope::test::kCaseName);

class OfOnePlane : public Pipeline {};

TEST_F(OfOnePlane, FootprintsShowWhatLiesAboveAndBelowNearestToThePlaneFirst) {
  const SceneSpec all = sample_scene("");
  SceneSpec plane = part_of(all, kMarginCases[1]);
  plane.masks = MaskKind::footprint;
  run(all, "all");
  run(plane, "plane");
  const auto labels = read<std::uint16_t>(folder_ / "all/labels.ome.tif"),
             masks = read<std::uint16_t>(folder_ / "plane/labels.ome.tif");
  std::int64_t from_other_planes = 0;
  for (std::int64_t y = 0; y < kSample.y; ++y)
    for (std::int64_t x = 0; x < kSample.x; ++x) {
      std::uint16_t nearest = labels.view()(6, y, x);
      from_other_planes += nearest == 0 && masks.view()(0, y, x) > 0;
      for (std::int64_t away = 1; nearest == 0 && away <= 6; ++away) {
        nearest = labels.view()(6 - away, y, x);
        if (nearest == 0) nearest = labels.view()(6 + away, y, x);
      }
      ASSERT_EQ(masks.view()(0, y, x), nearest) << y << ' ' << x;
    }
  EXPECT_GT(from_other_planes, 100);
}

TEST_F(OfOnePlane, AMovieStaysInItsPlaneAndTracksWhatMasksShow) {
  for (const MaskKind masks : {MaskKind::section, MaskKind::footprint}) {
    SceneSpec movie = part_of(sample_scene(""), kMarginCases[1]);
    movie.masks = masks;
    movie.nuclei.orientation = Orientation::random;
    movie.frames = 4;
    movie.time.interval_seconds = 60;
    movie.time.speed_um_per_second = 0.02;
    movie.time.turning_rad2_per_second = 1e-3;
    const std::string name{name_in(kMaskKindNames, masks)};
    run(movie, name.c_str());
    std::map<double, double> height;  // of an object
    for (const auto& row : test::table_of(bytes_of(folder_ / name / "objects.csv"))) {
      const double z = row.at("centroid_z_um");
      EXPECT_NEAR(height.emplace(row.at("id"), z).first->second, z, 2e-6) << name;
    }
    // Every label of a mask is a track in that frame, and the other way round
    for (int frame = 0; frame < 4; ++frame) {
      const auto voxels =
          read<std::uint16_t>(folder_ / name / fmt::format("labels_t{:03}.ome.tif", frame));
      std::set<double> in_mask, tracked;
      for (const auto label : voxels.voxels)
        if (label > 0) in_mask.insert(label);
      for (const auto& track : test::table_of(bytes_of(folder_ / name / "tracks.csv")))
        if (track.at("begin") <= frame && frame <= track.at("end")) tracked.insert(track.at("id"));
      EXPECT_EQ(in_mask, tracked) << name << " frame " << frame;
    }
  }
}

}  // namespace
}  // namespace synthoscope::simulator
