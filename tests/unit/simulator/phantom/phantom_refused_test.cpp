// SPDX-License-Identifier: MIT
// phantom_refused_test.cpp — what is said of objects that cannot be, or do not fit.
#include <gtest/gtest.h>
#include <string>
#include "core/base/error.hpp"
#include "simulator/phantom/phantom.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

const Grid kGrid{{30, 60, 70}, {0.5, 0.3, 0.25}};  // 15 x 18 x 17.5 um

struct RefusedCase {
  const char* name;
  void (*spoil)(PhantomSpec&);
  const char* fragment;
};
const RefusedCase kRefused[] = {
    {"too_many", [](PhantomSpec& s) { s.nuclei.count = 500; },
     "no room for 500 in 15.0 x 18.0 x 17.5 um"},
    {"too_large", [](PhantomSpec& s) { s.nuclei.radius_um = 9; }, "smaller nuclei.radius_um"},
    {"too_far_apart", [](PhantomSpec& s) { s.nuclei.gap_um = 30; }, "only 1 found a free place"},
    {"scale_of_no_neuron", [](PhantomSpec& s) { s.neuron.scale = 2; },
     "neuron.scale is given, and there is no neuron.file"},
    {"centre_of_no_neuron", [](PhantomSpec& s) { s.neuron.centre = Point3{}; },
     "neuron.centre_um is given"},
    {"pitch_of_no_volume",
     [](PhantomSpec& s) {
       s.volume.pitch = VoxelSize{1, 1, 1};
     },
     "volume.pitch_nm is given, and there is no volume.labels or volume.intensity"},
    {"corner_of_no_volume", [](PhantomSpec& s) { s.volume.corner = Point3{}; },
     "volume.corner_um is given"},
    {"cells_beside_nuclei",
     [](PhantomSpec& s) {
       s.cells.count = 60;
       s.cells.radius_um = 3;
       s.cells.nucleus_radius_um = 0;
     },
     "next to 8 other objects they are not moved apart"},
    {"shell_beyond_the_grid",
     [](PhantomSpec& s) {
       s.nuclei.arrangement = Arrangement::shell;
       s.nuclei.arrangement_radius_um = 30;
     },
     "a smaller nuclei.arrangement_radius_um (the shell lies beyond the grid)"},
    {"narrow_spheroid",
     [](PhantomSpec& s) {
       s.nuclei.arrangement = Arrangement::spheroid;
       s.nuclei.arrangement_radius_um = 4;
     },
     "a larger nuclei.arrangement_radius_um"},
    {"negative_count", [](PhantomSpec& s) { s.nuclei.count = -1; },
     "nuclei.count is -1; give 0 to 65535"},
    {"zero_radius", [](PhantomSpec& s) { s.nuclei.radius_um = 0; }, "nuclei.radius_um is 0"},
    {"deep_overlap", [](PhantomSpec& s) { s.nuclei.gap_um = -1; },
     "nuclei.gap_um is -1; give -0.88 (minus half the smallest semi-axis) to 1e6"},
    {"six_lobes", [](PhantomSpec& s) { s.nuclei.most_lobes = 6; },
     "nuclei.most_lobes is 6; give 1 to 5"},
    {"fewest_above_most", [](PhantomSpec& s) { s.nuclei.fewest_lobes = 3; },
     "nuclei.most_lobes is 1; give 3 (nuclei.fewest_lobes) to 5"},
    {"nine_nucleoli", [](PhantomSpec& s) { s.nuclei.nucleoli = 9; },
     "nuclei.nucleoli is 9; give 0 to 8"},
    {"large_nucleoli", [](PhantomSpec& s) { s.nuclei.nucleolus_radius = 0.6; },
     "nuclei.nucleolus_radius is 0.6; give 0.05 to 0.5"},
    {"count_and_density", [](PhantomSpec& s) { s.nuclei.density_per_mm3 = 1e6; },
     "nuclei.count is 8 and nuclei.density_per_mm3 is 1000000; give one of the two"},
    {"negative_density",
     [](PhantomSpec& s) {
       s.nuclei.count = {};
       s.nuclei.density_per_mm3 = -2;
     },
     "nuclei.density_per_mm3 is -2; give 0 to 1e15"},
    {"too_many_beads",
     [](PhantomSpec& s) {
       s.beads.count = 300;
       s.beads.diameter_um = 3;
     },
     "of 300 found a free place in 15.0 x 18.0 x 17.5 um next to 8 nuclei and cells"},
    {"too_large_beads", [](PhantomSpec& s) { s.beads = {.count = 1, .diameter_um = 40}; },
     "smaller beads.diameter_um"},
    {"bead_of_no_size", [](PhantomSpec& s) { s.beads.diameter_um = 0; }, "beads.diameter_um is 0"},
    {"more_than_labels",
     [](PhantomSpec& s) {
       s.target.kind = TargetKind::points;
       s.target.spacing_um = {0.5, 0.3, 0.25};
       s.beads.count = 5;
     },
     "126013 objects (nuclei 8, beads 5, target 126000), but labels can number only 65535"},
    {"spacing_of_zero", [](PhantomSpec& s) { s.target.spacing_um.y_um = 0; },
     "target.spacing_um is 0"},
    {"shells_that_touch",
     [](PhantomSpec& s) {
       s.target.kind = TargetKind::shells;
       s.target.diameter_um = 4.1;
     },
     "target.diameter_um is 4.1; give a number above 0, at most 4 um"},
    {"thick_shells",
     [](PhantomSpec& s) {
       s.target.kind = TargetKind::shells;
       s.target.thickness_um = 1.1;
     },
     "target.thickness_um is 1.1; give a number above 0, at most 1 um: the radius of the shells"},
    {"star_beyond_the_grid",
     [](PhantomSpec& s) {
       s.target.kind = TargetKind::star;
       s.target.diameter_um = 17.6;
     },
     "at most 17.5 um: the smaller side of the grid"},
};
class PhantomRefused : public testing::TestWithParam<RefusedCase> {};

TEST_P(PhantomRefused, SaysWhatFits) {
  test::TestContext run;
  PhantomSpec spec;
  spec.nuclei.count = 8;
  spec.nuclei.radius_um = 2.2;
  GetParam().spoil(spec);
  try {
    make_phantom(spec, kGrid, 1, run.context);
    FAIL() << "it was accepted";
  } catch (const InvalidSpec& error) {
    EXPECT_NE(std::string{error.what()}.find(GetParam().fragment), std::string::npos)
        << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Refused, PhantomRefused, testing::ValuesIn(kRefused), test::kCaseName);

}  // namespace
}  // namespace synthoscope::simulator
