// SPDX-License-Identifier: MIT
#include "simulator/phantom/neurons/swc.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include <numeric>
#include <ostream>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "simulator/phantom/neurons/neuron_kind.hpp"
#include "simulator/phantom/phantom.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

constexpr const char* kTwoTrees =
    "# traced by nobody\n"
    "5 3 2 0 0 0.5 9\n"
    "1 1 10 20 30 4.0 -1  # soma\n"
    "\n"
    "9 3 1 0 0 0.5 -1\r\n"
    "2, 3, +20, 20, 30, +1.0e0, 1\n"
    "3 3 30 20 30 0.5 2\n";

TEST(Swc, IsReadTreeByTreeWithParentsFirst) {
  const test::TemporaryFolder folder;
  const auto points = read_swc(folder.write("n.swc", kTwoTrees));
  ASSERT_EQ(points.size(), 5U);
  const std::vector<std::int64_t> ids{1, 2, 3, 9, 5};
  const std::vector<std::int32_t> parents{-1, 0, 1, -1, 3};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(points[i].id, ids[i]);
    EXPECT_EQ(points[i].parent, parents[i]);
  }
  EXPECT_EQ(points[0].at, (Vector3{30, 20, 10}));
  EXPECT_EQ(points[0].radius_um, 4);
  EXPECT_EQ(points[0].type, kSomaType);
}

struct WrongCase {
  const char *name, *text;
  std::initializer_list<const char*> words;
};
const WrongCase kWrong[] = {
    {"too_few_fields", "1 1 0 0 0 1\n", {"line 1", "fewer fields than 7", "radius and parent"}},
    {"too_many_fields", "1 1 0 0 0 1 -1 9\n", {"line 1", "more fields than 7"}},
    {"far", "1 1 0 1e30 0 1 -1\n", {"line 1", "\"1e30\" is not a number from -1e15 to 1e15"}},
    {"two_signs", "1 1 0 +-2 0 1 -1\n", {"line 1", "\"+-2\" is not a number"}},
    {"no_number", "1 1 0 zero 0 1 -1\n", {"line 1", "\"zero\" is not a number"}},
    {"no_whole_number", "1.5 1 0 0 0 1 -1\n", {"line 1", "id is 1.5"}},
    {"without_radius", "# c\n1 1 0 0 0 0 -1\n", {"line 2", "radius is 0", "above 0"}},
    {"not_finite", "1 1 0 nan 0 1 -1\n", {"line 1", "nan"}},
    {"twice", "1 1 0 0 0 1 -1\n1 1 0 0 0 1 -1\n", {"line 2", "point 1", "already in line 1"}},
    {"orphan", "1 1 0 0 0 1 7\n", {"line 1", "no point 7"}},
    {"circle", "1 1 0 0 0 1 2\n2 1 0 0 0 1 1\n3 1 0 0 0 1 -1\n", {"line 1", "own ancestor"}},
    {"itself", "4 1 0 0 0 1 4\n", {"line 1", "point 4", "own ancestor"}},
    {"empty", "# nothing\n", {"no points"}},
};
class WrongSwc : public testing::TestWithParam<WrongCase> {};

TEST_P(WrongSwc, IsRefusedWithItsLineAndWhatIsAllowed) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("n.swc", GetParam().text);
  test::expect_failure<InvalidInput>([&] { static_cast<void>(read_swc(path)); }, GetParam().words);
}
INSTANTIATE_TEST_SUITE_P(Files, WrongSwc, testing::ValuesIn(kWrong), test::kCaseName);

TEST(Swc, LinesAreHeldUpToALengthThatNoPointHas) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("n.swc", "1 1 0 0 0 1 -1\n" + std::string(10000, '1'));
  test::expect_failure<InvalidInput>([&] { static_cast<void>(read_swc(path)); },
                                     {"line 2", "longer than 4096 characters"});
  // A NUL ends no line
  const auto with_nul = folder.write("n.swc", std::string("1 1 0 0 0 1 -1\0 9", 16));
  test::expect_failure<InvalidInput>([&] { static_cast<void>(read_swc(with_nul)); }, {"line 1"});
  const std::string with_comment = "1 1 0 0 0 1 -1 #" + std::string(4000, 'c');
  EXPECT_EQ(read_swc(folder.write("c.swc", with_comment)).size(), 1u);
}

TEST(Swc, ThatIsNotThereIsRefused) {
  test::expect_failure<IoError>([] { static_cast<void>(read_swc("no/such.swc")); },
                                {"neuron.file no/such.swc", "check the name"});
}

class Neurons : public testing::Test {
 protected:
  Phantom make(const Grid& grid) {
    PhantomSpec phantom{.neuron = spec};
    phantom.nuclei.count = 0;
    return make_phantom(phantom, grid, 1, run.context);
  }
  test::TemporaryFolder folder;
  test::TestContext run;
  NeuronSpec spec;
};

TEST_F(Neurons, AreOneForEachTreeInTheMiddleOfTheGrid) {
  spec.file = folder.write("n.swc", kTwoTrees);
  const Phantom phantom = make({{40, 60, 70}, {1, 1, 1}});
  ASSERT_EQ(phantom.count(), 2);
  // The box around all points goes from (0, 0, 1) to (30, 20, 30)
  const Segment& soma = phantom.neurons[0].strands().front().strand.segments().front();
  EXPECT_EQ(soma.from, (Vector3{20 + 15, 30 + 10, 35 - 5.5}));
  EXPECT_EQ(soma.to, soma.from);
  // A branch begins at the surface of the soma, as wide as it goes on
  const Segment& branch = phantom.neurons[0].strands().front().strand.segments()[1];
  EXPECT_NEAR(branch.from[2] - soma.from[2], 4, 1e-12);
  EXPECT_EQ(branch.from_radius_um, 1);
}

TEST_F(Neurons, ThatLieOutsideOfTheGridAreTold) {
  spec.file = folder.write("n.swc", kTwoTrees);
  make({{40, 60, 70}, {1, 1, 1}});
  EXPECT_TRUE(run.log.warnings.empty());
  spec.centre = Point3{500, 4, 5};
  make({{40, 60, 70}, {1, 1, 1}});
  ASSERT_EQ(run.log.warnings.size(), 1U);
  EXPECT_NE(run.log.warnings[0].find("2 of 2 neurons lie wholly outside"), std::string::npos);
}

TEST_F(Neurons, AreScaledAndPut) {
  spec.file = folder.write("n.swc", "1 3 0 0 0 1 -1\n2 3 8 0 0 1 1\n");
  spec.scale = 0.5;
  spec.centre = Point3{3, 4, 5};
  const Phantom phantom = make({{6, 8, 10}, {1, 1, 1}});
  const Segment& tube = phantom.neurons[0].strands().front().strand.segments()[1];
  EXPECT_EQ(tube.from, (Vector3{3, 4, 3}));
  EXPECT_EQ(tube.to, (Vector3{3, 4, 7}));
  EXPECT_EQ(tube.to_radius_um, 0.5);
}

TEST_F(Neurons, GiveOffTheLightOfTheirTubes) {
  spec.file = folder.write("n.swc", "1 3 0 0 0 1 -1\n2 3 8 3 1 1 1\n");
  spec.photons_per_um3 = 700;
  const Phantom phantom = make({{40, 60, 70}, {0.25, 0.2, 0.2}});
  Volume<float> light{phantom.grid.extent};
  PhantomSource{phantom}.read(whole(light.extent), VoxelView{light.view()});
  const double um3 = std::numbers::pi * (std::sqrt(64.0 + 9 + 1) + 4.0 / 3);
  EXPECT_NEAR(std::accumulate(light.voxels.begin(), light.voxels.end(), 0.0) / (700 * um3), 1,
              5e-3);
  EXPECT_NEAR(phantom.neurons[0].volume_um3() / um3, 1, 1e-2);
}

/// Of a ball of radius 5 and of a tube of radius 1/2 from its middle to 20: what of the tube lies
/// in the ball is a cylinder with a round end.
double ball_and_tube_um3() {
  constexpr double kBall = 5, kTube = 0.5;
  const double inside =
      2.0 / 3 * (std::pow(kBall, 3) - std::pow(kBall * kBall - kTube * kTube, 1.5));
  return std::numbers::pi * (4.0 / 3 * std::pow(kBall, 3) + kTube * kTube * 20 - inside +
                             2.0 / 3 * std::pow(kTube, 3));
}

struct VolumeCase {
  const char *name, *text;
  double um3;
  friend std::ostream& operator<<(std::ostream& out, const VolumeCase& c) { return out << c.name; }
};
constexpr double kPi = std::numbers::pi;
const VolumeCase kVolumes[] = {
    {"long_tube_from_a_root", "1 3 0 0 0 1 -1\n2 3 150 0 0 1 1\n", kPi*(150 + 4.0 / 3)},
    {"point_twice", "1 3 0 0 0 1 -1\n2 3 8 0 0 1 1\n3 3 8 0 0 1 2\n4 3 16 0 0 1 3\n",
     kPi*(16 + 4.0 / 3)},
    {"leaf_twice", "1 3 0 0 0 1 -1\n2 3 8 0 0 1 1\n3 3 8 0 0 1 2\n", kPi*(8 + 4.0 / 3)},
    {"step_of_width", "1 3 0 0 0 1 -1\n2 3 8 0 0 1 1\n3 3 8 0 0 2 2\n4 3 16 0 0 2 3\n",
     // The wide one begins with a half ball of which the thin one holds a cylinder with a round end
     kPi*(8 + 2.0 / 3 + 32 + 2 * 16.0 / 3 - 2.0 / 3 * (8 - std::pow(3.0, 1.5)))},
    {"soma", "1 1 0 0 0 5 -1\n2 3 20 0 0 0.5 1\n", ball_and_tube_um3()},
    {"point_inside_the_soma", "1 1 0 0 0 5 -1\n2 3 3 0 0 0.5 1\n3 3 20 0 0 0.5 2\n",
     ball_and_tube_um3()},
    {"soma_of_three_points", "1 1 0 0 0 5 -1\n2 1 0 5 0 5 1\n3 1 0 -5 0 5 1\n4 3 20 0 0 0.5 1\n",
     ball_and_tube_um3()},
    {"branch_of_an_end_of_that_soma",
     "1 1 0 0 0 5 -1\n2 1 0 5 0 5 1\n3 1 0 -5 0 5 1\n4 3 20 0 0 0.5 3\n", ball_and_tube_um3()},
    {"soma_that_is_a_tube", "1 1 0 0 0 5 -1\n2 1 0 5 0 5 1\n3 1 0 -8 0 5 1\n",
     kPi*(25 * 13 + 4.0 / 3 * 125)},
    {"crossing",
     "1 3 -10 0 0 1 -1\n2 3 10 0 0 1 1\n3 3 10 10 0 1 2\n4 3 0 10 0 1 3\n"
     "5 3 0 -10 0 1 4\n",
     0},
};
class NeuronVolumes : public Neurons, public testing::WithParamInterface<VolumeCase> {};

TEST_P(NeuronVolumes, AreThoseOfTheUnionOfTheirTubes) {
  spec.file = folder.write("n.swc", GetParam().text);
  spec.photons_per_um3 = 1;
  const Phantom phantom = make({{80, 120, 120}, {0.5, 0.5, 1.5}});
  double um3 = GetParam().um3;
  if (um3 == 0) {  // what is rendered is the truth
    Volume<float> light{phantom.grid.extent};
    PhantomSource{phantom}.read(whole(light.extent), VoxelView{light.view()});
    um3 = std::accumulate(light.voxels.begin(), light.voxels.end(), 0.0);
  }
  EXPECT_NEAR(phantom.neurons[0].volume_um3() / um3, 1, 2e-3);
}
INSTANTIATE_TEST_SUITE_P(Files, NeuronVolumes, testing::ValuesIn(kVolumes), test::kCaseName);

TEST_F(Neurons, HaveNotMorePiecesThanAreCounted) {
  spec.file = folder.write("n.swc", kTwoTrees);
  const Phantom phantom = make({{40, 60, 70}, {1, 1, 1}});
  const StrandCount counted = strands_of(phantom.spec, phantom.grid);
  EXPECT_EQ(counted.strands, 2);
  std::size_t pieces = 0;
  for (const Neuron& n : phantom.neurons) pieces += n.strands().front().strand.segments().size();
  EXPECT_LE(static_cast<std::int64_t>(pieces), counted.pieces);
}

}  // namespace
}  // namespace synthoscope::simulator
