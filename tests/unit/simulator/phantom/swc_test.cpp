// SPDX-License-Identifier: MIT
#include "simulator/phantom/swc.hpp"
#include <gtest/gtest.h>
#include <numbers>
#include <numeric>
#include "core/error.hpp"
#include "core/memory_stream.hpp"
#include "simulator/phantom/neurons.hpp"
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
    "2, 3, 20, 20, 30, 1, 1\n"
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
    {"too_few_fields", "1 1 0 0 0 1\n", {"line 1", "6 fields", "id type x y z radius parent"}},
    {"no_number", "1 1 0 zero 0 1 -1\n", {"line 1", "\"zero\" is no number"}},
    {"no_whole_number", "1.5 1 0 0 0 1 -1\n", {"line 1", "id is 1.5"}},
    {"without_radius", "# c\n1 1 0 0 0 0 -1\n", {"line 2", "radius is 0", "above 0"}},
    {"not_finite", "1 1 0 nan 0 1 -1\n", {"line 1", "nan"}},
    {"twice", "1 1 0 0 0 1 -1\n1 1 0 0 0 1 -1\n", {"line 2", "point 1", "line 1 already"}},
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
