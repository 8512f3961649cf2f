// SPDX-License-Identifier: MIT
// tests/support/phantom_case.hpp — phantoms with every kind of object.
#pragma once
#include "simulator/phantom/phantom.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator::test {

struct PhantomCase {
  const char* name;
  NucleiKind nuclei = NucleiKind::generic;
  std::int64_t nucleus_count = 9;
  TextureKind texture = TextureKind::chromatin;
  double gap_um = 0.2;  ///< below 0 nuclei overlap
  std::int64_t nucleoli = 0, beads = 0;
  TargetKind target = TargetKind::none;

  [[nodiscard]] Phantom make() const {
    PhantomSpec s;
    set_typical(s.nuclei, nuclei);
    s.nuclei.count = nucleus_count;
    s.nuclei.radius_um = 2.1;
    s.nuclei.gap_um = gap_um;
    s.nuclei.clustering = gap_um < 0 ? 1 : 0;
    s.nuclei.border = BorderRule::cut;
    s.nuclei.orientation = Orientation::random;
    s.nuclei.roughness = 0.06;
    s.nuclei.texture = texture;
    s.nuclei.nucleoli = nucleoli;
    s.beads.count = beads;
    s.beads.diameter_um = 0.9;
    s.beads.border = BorderRule::cut;
    s.target.kind = target;
    if (target == TargetKind::lines) s.target.diameter_um = 1.1;
    s.target.thickness_um = 0.9;
    const synthoscope::test::TestContext test;
    return make_phantom(s, {{37, 61, 70}, {0.45, 0.3, 0.25}}, 5, test.context);
  }
};

// clang-format off
constexpr PhantomCase kPhantomCases[] = {
    {"empty",       NucleiKind::generic,     0},
    {"generic",     NucleiKind::generic,     9,  TextureKind::chromatin, 0.2, 0, 15},
    {"hl60",        NucleiKind::hl60,        8,  TextureKind::chromatin, 0.2, 2},
    {"granulocyte", NucleiKind::granulocyte, 9,  TextureKind::perlin,    0.1, 1, 9},
    {"fibroblast",  NucleiKind::fibroblast,  5,  TextureKind::none,      0.1},
    {"overlapping", NucleiKind::granulocyte, 14, TextureKind::perlin,   -0.4, 2},
    {"beads",       NucleiKind::generic,     0,  TextureKind::none, 0.2, 0, 60},
    {"points",      NucleiKind::generic,     3,  TextureKind::none, 0.2, 0, 5, TargetKind::points},
    {"lines",       NucleiKind::generic,     3,  TextureKind::none, 0.2, 0, 5, TargetKind::lines},
    {"shells",      NucleiKind::generic,     3,  TextureKind::none, 0.2, 0, 5, TargetKind::shells},
    {"star",        NucleiKind::generic,     3,  TextureKind::none, 0.2, 0, 5, TargetKind::star},
};
// clang-format on

/// All of it, and a part that begins and ends anywhere.
inline std::vector<Box3> boxes_of(const Extent3& grid) {
  return {whole(grid), {{5, 7, 11}, {9, 50, 43}}};
}

}  // namespace synthoscope::simulator::test
