// SPDX-License-Identifier: MIT
// tests/support/phantom_case.hpp — phantoms with every kind of object.
#pragma once
#include <fstream>
#include "core/math/random.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/timelapse/movie.hpp"
#include "tests/support/furnished_cells.hpp"
#include "tests/support/image_files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator::test {

/// Trees of a soma and crooked branches each, thick and thinner than any voxel, some of them beyond
/// the grid, as an SWC file.
inline void write_trees(const std::filesystem::path& path, int trees) {
  std::ofstream swc{path};
  int points = 0;
  for (int tree = 0; tree < trees; ++tree) {
    const RandomStream stream{static_cast<std::uint64_t>(tree), RandomStage::phantom};
    const auto step = [&](std::uint64_t number) {
      const auto words = stream.block(number);
      return Vector3{uniform32(words[0]) - 0.5, uniform32(words[1]) - 0.5,
                     uniform32(words[2]) - 0.5};
    };
    const auto add = [&](int type, const Vector3& at, double radius, int parent) {
      swc << ++points << ' ' << type << ' ' << at[2] << ' ' << at[1] << ' ' << at[0] << ' '
          << radius << ' ' << parent << '\n';
      return points;
    };
    const Vector3 middle = 8 * step(0);
    const int soma = add(1, middle, 1.4, -1);
    for (std::uint64_t branch = 1; branch <= 8; ++branch) {
      double radius = branch % 2 == 0 ? 0.05 : 0.5;
      Vector3 at = middle;
      int parent = soma;
      for (std::uint64_t i = 0; i < 12; ++i, radius *= 0.9) {
        at = at + 1.6 * step(100 * branch) + 0.8 * step(100 * branch + i);
        parent = add(3, at, radius, parent);
      }
    }
  }
}

struct PhantomCase {
  const char* name;
  NucleiKind nuclei = NucleiKind::generic;
  std::int64_t nucleus_count = 9;
  TextureKind texture = TextureKind::chromatin;
  double gap_um = 0.2;  ///< below 0 nuclei overlap
  std::int64_t nucleoli = 0, beads = 0;
  TargetKind target = TargetKind::none;
  bool labels = false, light = false;  ///< of an imported volume of another pitch
  int neurons = 0, cells = 0;
  std::int64_t tissue = 0;    ///< cells of one
  std::int64_t adherent = 0;  ///< cells of a monolayer, or a spread one
  double envelope = 0;        ///< dense chromatin along it
  std::int64_t frame = 0;  ///< above 0 that of a movie in which nuclei turn, grow, divide and fade
  double spread = 0;       ///< of the light of objects, and how unevenly they are stained
  double folds = 0;        ///< of nuclei

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
    s.nuclei.folds = folds;
    s.nuclei.nucleoli = nucleoli;
    if (envelope > 0) s.nuclei.envelope_density = envelope;
    s.beads.count = beads;
    s.beads.diameter_um = 0.9;
    s.beads.border = BorderRule::cut;
    s.target.kind = target;
    if (target == TargetKind::lines) s.target.diameter_um = 1.1;
    s.target.thickness_um = 0.9;
    if (cells > 0) s.cells = furnished(cells);
    s.tissue.count = tissue;
    if (adherent > 0) s.adherent = on_glass(adherent);
    const synthoscope::test::TestContext test;
    const synthoscope::test::TemporaryFolder folder;
    if (labels || light) s.volume.pitch = VoxelSize{0.7, 0.21, 0.33};
    if (labels) write_pattern<std::uint16_t>(*(s.volume.labels = folder / "labels.tif"), 5);
    if (light) write_pattern<float>(*(s.volume.intensity = folder / "light.tif"), 100);
    if (neurons > 0) write_trees(*(s.neuron.file = folder / "trees.swc"), neurons);
    for (double* const its :
         {&s.nuclei.intensity_spread, &s.cells.intensity_spread, &s.beads.intensity_spread,
          &s.tissue.intensity_spread, &s.volume.intensity_spread, &s.neuron.intensity_spread,
          &s.nuclei.uneven_stain, &s.cells.uneven_stain})
      *its = spread;
    const Grid grid{{37, 61, 70}, {0.45, 0.3, 0.25}};
    if (frame == 0) return make_phantom(s, grid, 5, test.context);
    TimeSpec time;
    time.interval_seconds = 600;
    time.speed_um_per_second = 0.001;
    time.turning_rad2_per_second = 1e-4;
    time.division = s.nuclei.most_lobes == 1;
    time.cycle_hours = 2;
    time.bleaching_seconds = 9000;
    time.drift_um_per_second = {0, 1e-4, 1e-4};
    return Movie{{s, time, grid, frame + 1}, 5, test.context}.phantom(frame, test.context);
  }

 private:
  /// Small cells with everything in them, on a glass that lies in the grid.
  static AdherentSpec on_glass(std::int64_t count) {
    AdherentSpec spec;
    spec.count = count;
    spec.arrangement = count > 1 ? AdherentArrangement::monolayer : AdherentArrangement::spread;
    spec.radius_um = 7;
    spec.glass_um = 1.1;
    spec.stress_fibres = 30;
    spec.mesh_filaments = 20;
    spec.mitochondria = 12;
    return spec;
  }
  /// Blocks of equal voxels, `most` different ones.
  template <class T>
  static void write_pattern(const std::filesystem::path& path, int most) {
    Volume<T> voxels{{19, 83, 50}};
    for (std::int64_t z = 0; z < 19; ++z)
      for (std::int64_t y = 0; y < 83; ++y)
        for (std::int64_t x = 0; x < 50; ++x)
          voxels.view()(z, y, x) = static_cast<T>((z / 5 * 31 + y / 9 * 17 + x / 7 * 7) % most);
    synthoscope::test::write_image(path, voxels);
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
    {.name = "regions", .nucleus_count = 3, .beads = 5, .labels = true},
    {.name = "volume", .nucleus_count = 2, .labels = true, .light = true},
    {.name = "light", .nucleus_count = 0, .light = true},
    {.name = "neurons", .nucleus_count = 3, .beads = 5, .target = TargetKind::lines, .neurons = 4},
    {.name = "cells", .nucleus_count = 0, .beads = 6, .cells = 3},
    {.name = "cells_and_nuclei", .nucleus_count = 2, .texture = TextureKind::perlin, .cells = 2},
    {.name = "envelopes", .nuclei = NucleiKind::granulocyte, .nucleus_count = 6, .gap_um = -0.2,
     .nucleoli = 1, .envelope = 0.7},
    {.name = "movie", .nuclei = NucleiKind::hl60, .nucleus_count = 5, .nucleoli = 2, .beads = 9,
     .target = TargetKind::shells, .frame = 7},
    {.name = "cells_move", .nucleus_count = 2, .nucleoli = 1, .beads = 3, .cells = 3, .frame = 6},
    {.name = "lobes_turn", .nuclei = NucleiKind::granulocyte, .nucleus_count = 5,
     .texture = TextureKind::perlin, .gap_um = -0.2, .nucleoli = 1, .frame = 4},
    {.name = "volume_fades", .nucleus_count = 2, .labels = true, .light = true, .frame = 2},
    {.name = "tissue", .nuclei = NucleiKind::hl60, .nucleus_count = 0, .nucleoli = 2, .tissue = 40},
    {.name = "tissue_beside_nuclei", .nucleus_count = 4, .tissue = 9},
    {.name = "adherent_cell", .nucleus_count = 0, .texture = TextureKind::perlin, .nucleoli = 1,
     .beads = 4, .adherent = 1},
    {.name = "monolayer_of_cells", .nuclei = NucleiKind::hl60, .nucleus_count = 2, .adherent = 5},
    {.name = "monolayer_drifts", .nucleus_count = 0, .adherent = 4, .frame = 3},
    {.name = "adherent_nuclei", .nuclei = NucleiKind::adherent, .nucleus_count = 4,
     .texture = TextureKind::domains, .nucleoli = 3},
    {.name = "rims_overlap", .nuclei = NucleiKind::adherent, .nucleus_count = 9,
     .texture = TextureKind::none, .gap_um = -0.2, .nucleoli = 2, .envelope = 0.7},
    {.name = "mice_grow", .nuclei = NucleiKind::mouse, .nucleus_count = 3,
     .texture = TextureKind::domains, .nucleoli = 2, .frame = 4},
    {.name = "tissue_of_domains", .nuclei = NucleiKind::adherent, .nucleus_count = 1,
     .texture = TextureKind::domains, .nucleoli = 2, .tissue = 9},
    {.name = "tissue_drifts", .nucleus_count = 2, .nucleoli = 1, .tissue = 9, .frame = 5},
    {.name = "bright_and_dark", .nuclei = NucleiKind::granulocyte, .nucleus_count = 4,
     .gap_um = -0.2, .beads = 9, .target = TargetKind::lines, .labels = true, .neurons = 2,
     .cells = 2, .spread = 0.7},
    {.name = "bright_tissue", .nucleus_count = 2, .tissue = 9, .spread = 1},
    {.name = "bright_movie", .nucleus_count = 3, .beads = 4, .cells = 2, .frame = 6, .spread = 0.7},
    {.name = "folded_nuclei", .nuclei = NucleiKind::adherent, .nucleus_count = 4,
     .texture = TextureKind::domains, .nucleoli = 2, .envelope = 0.7, .frame = 3, .folds = 3},
};
// clang-format on

/// All of it, and a part that begins and ends anywhere.
inline std::vector<Box3> boxes_of(const Extent3& grid) {
  return {whole(grid), {{5, 7, 11}, {9, 50, 43}}};
}

}  // namespace synthoscope::simulator::test
