// SPDX-License-Identifier: MIT
#include "score/spots/data_set_spots.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <optional>
#include <string>
#include <vector>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "fftconv/host/executor.hpp"
#include "simulator/run/pipeline.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::score {
namespace {

/// A bead that a camera without noise of its own sees, with more keys and --set.
void simulate_bead(const std::filesystem::path& set, const std::vector<std::string>& changes) {
  test::TestContext run;
  const auto executor = fftconv::make_host_executor({run.memory.limit()});
  auto scene = simulator::parse_scene(
      "seed = 5\n[grid]\nsize = [7, 16, 16]\npitch_nm = [250, 90, 90]\n"
      "[beads]\ncount = 1\ndiameter_um = 0.4\ndiameter_spread = 0\nphotons = 2000\n"
      "[background]\nphotons_per_pixel = 0\n[optics]\nsize = [13, 21, 21]\n"
      "[camera]\nread_noise_electrons = 0\ndark_current_electrons_per_second = 0\n"
      "gain_dn_per_electron = 20\ngain_spread = 0\n",
      "bead");
  for (const std::string& change : changes) simulator::apply_override(scene, change);
  simulator::simulate(scene, {.directory = set, .plans = {}}, *executor, run.context);
}

struct BeadBound {
  Spot spot;
  SpotBound bound;
  double dose = 1;  ///< that was found
};

BeadBound read_bead(const std::filesystem::path& set) {
  test::TestContext run;
  const simulator::DataSetReader data{set};
  const SpotSpace space = space_of(data, 0, run.context);
  const SpotList truth = true_spots(data, 0, space, run.context);
  const auto bounded = bounded_spots(data, 0, truth, 10, run.context);
  return {truth.spots.at(0), bounded.bounds.at(0),
          data.record().contains("dose") ? data.record().at("dose").get<double>() : 1};
}

/// One data set for all tests, and others that tests make.
class DataSetSpots : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_.emplace();
    simulate_bead(plain(), {});
  }
  static void TearDownTestSuite() { folder_.reset(); }
  static std::filesystem::path plain() { return *folder_ / "plain"; }

  static BeadBound bound_with(const std::vector<std::string>& changes) {
    const test::TemporaryFolder folder;
    simulate_bead(folder / "set", changes);
    return read_bead(folder / "set");
  }

  /// Expects that bounds are 1 / sqrt(times) of those of the plain data set. Without background and
  /// read noise this is so only if the light of the bead and that of the whole image follow from
  /// the same keys.
  static void expect_as_with_light(const BeadBound& bead, double times, double tolerance) {
    const BeadBound one = read_bead(plain());
    for (std::size_t axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(one.bound.sd_um[axis] / bead.bound.sd_um[axis] / std::sqrt(times), 1, tolerance)
          << axis;
  }

 private:
  static inline std::optional<test::TemporaryFolder> folder_;
};

TEST_F(DataSetSpots, AreBeadsWithTheirPhotonsAndSize) {
  const BeadBound bead = read_bead(plain());
  EXPECT_NEAR(bead.spot.photons, 2000, 0.1);
  EXPECT_NEAR(bead.spot.radius_um, 0.2, 1e-5);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(bead.bound.light_um[axis], bead.spot.at_um[axis], 0.01) << axis;
    EXPECT_GT(bead.bound.sd_um[axis], 1e-4);
    EXPECT_LT(bead.bound.sd_um[axis], 1e-2);
  }
}

TEST_F(DataSetSpots, HaveTheLightOfTheirImage) {
  const BeadBound bright =
      bound_with({"beads.photons=4000", "light.beads=3", "illumination.dose=2",
                  "illumination.photons_per=second", "camera.exposure_seconds=0.5"});
  expect_as_with_light(bright, 6, 1e-3);
}

TEST_F(DataSetSpots, HaveTheDoseThatWasFound) {
  const BeadBound dosed = bound_with({"illumination.snr=20"});
  EXPECT_GT(std::abs(dosed.dose - 1), 0.1);
  expect_as_with_light(dosed, dosed.dose, 2e-3);
}

TEST_F(DataSetSpots, AreTheSameInFinerLight) {
  expect_as_with_light(bound_with({"optics.oversample=3", "optics.size=[13, 63, 63]"}), 1, 0.03);
}

TEST_F(DataSetSpots, HaveThePixelsThatTheCameraBinned) {
  const test::TemporaryFolder folder;
  simulate_bead(folder / "set", {"camera.binning=2"});
  test::TestContext run;
  const SpotSpace space = space_of(simulator::DataSetReader{folder / "set"}, 0, run.context);
  EXPECT_EQ(space.extent, (Extent3{7, 8, 8}));
  EXPECT_NEAR(space.pitch.x_um, 0.18, 1e-12);
  // Wider pixels without noise of their own lose little
  const BeadBound binned = read_bead(folder / "set"), plain_one = read_bead(plain());
  EXPECT_GT(binned.bound.sd_um[2], plain_one.bound.sd_um[2]);
  EXPECT_LT(binned.bound.sd_um[2], 1.3 * plain_one.bound.sd_um[2]);
}

TEST_F(DataSetSpots, WithoutBoundsSayWhy) {
  const test::TemporaryFolder folder;
  std::filesystem::copy(plain(), folder / "set");
  std::filesystem::remove(folder / "set/scene.toml");
  test::TestContext run;
  const simulator::DataSetReader data{folder / "set"};
  const SpotSpace space = space_of(data, 0, run.context);
  const SpotList truth = true_spots(data, 0, space, run.context);
  EXPECT_TRUE(bounded_spots(data, 0, truth, 10, run.context).bounds.empty());
  ASSERT_FALSE(run.log.notes.empty());
  EXPECT_NE(run.log.notes.back().find("no scene.toml"), std::string::npos);
}

TEST_F(DataSetSpots, NeedSpotsOrBeads) {
  const test::TemporaryFolder folder;
  std::filesystem::copy(plain(), folder / "set");
  folder.write("set/objects.csv",
               "id,frame,class,centroid_z_um,centroid_y_um,centroid_x_um,volume_um3\n"
               "1,0,nucleus,1,1,1,100\n");
  test::TestContext run;
  const simulator::DataSetReader data{folder / "set"};
  const SpotSpace space = space_of(data, 0, run.context);
  test::expect_failure<InvalidInput>([&] { true_spots(data, 0, space, run.context); },
                                     {"no spots.csv", "no beads"});
}

TEST_F(DataSetSpots, PreferTheTableOfSpots) {
  const test::TemporaryFolder folder;
  std::filesystem::copy(plain(), folder / "set");
  folder.write("set/spots.csv",
               "id,cell,frame,z_um,y_um,x_um,radius_um,photons\n3,1,0,0.8,0.7,0.7,0.03,500\n");
  const BeadBound spot = read_bead(folder / "set");
  EXPECT_EQ(spot.spot.id, 3);
  EXPECT_EQ(spot.spot.photons, 500);
}

}  // namespace
}  // namespace synthoscope::score
