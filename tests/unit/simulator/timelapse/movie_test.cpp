// SPDX-License-Identifier: MIT
// What a movie promises of every frame, for movies of several kinds.
#include "simulator/timelapse/movie.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>
#include <set>
#include "core/stream/memory_stream.hpp"
#include "simulator/phantom/nuclei/dividing.hpp"
#include "simulator/phantom/nuclei/placement.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/furnished_cells.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

struct MovieCase {
  const char* name;
  NucleiKind kind = NucleiKind::generic;
  std::int64_t nuclei = 6;
  Orientation orientation = Orientation::flat;
  BorderRule border = BorderRule::inside;
  double gap_um = 0.2, diffusion = 0.001, speed = 0, turning = 0;
  bool division = false;
  Point3 drift{0, 0, 0};
  std::int64_t beads = 0;
  TargetKind target = TargetKind::none;
  std::int64_t cells = 0;
  friend std::ostream& operator<<(std::ostream& out, const MovieCase& c) { return out << c.name; }

  [[nodiscard]] MovieSpec spec() const {
    MovieSpec s;
    set_typical(s.phantom.nuclei, kind);
    s.phantom.nuclei.count = nuclei;
    s.phantom.nuclei.radius_um = 1.4;
    s.phantom.nuclei.orientation = orientation;
    s.phantom.nuclei.border = border;
    s.phantom.nuclei.gap_um = gap_um;
    s.phantom.beads.count = beads;
    s.phantom.beads.diameter_um = 0.5;
    s.phantom.target.kind = target;
    if (cells > 0) {
      s.phantom.cells = test::furnished(cells);
      s.phantom.cells.radius_um = 1.7;
      s.phantom.cells.nucleus_radius_um = 0.8;
      s.phantom.cells.orientation = orientation;
      s.phantom.cells.border = border;
      s.phantom.cells.filopodium_length_um = 1;
    }
    s.time.interval_seconds = 600;
    s.time.diffusion_um2_per_second = diffusion;
    s.time.speed_um_per_second = speed;
    s.time.turning_rad2_per_second = turning;
    s.time.division = division;
    s.time.cycle_hours = 4;
    s.time.drift_um_per_second = drift;
    s.grid = {{20, 48, 56}, {0.5, 0.35, 0.35}};
    s.frames = 25;
    return s;
  }
};

constexpr auto kFlat = Orientation::flat, kAnyWay = Orientation::random;
constexpr auto kIn = BorderRule::inside, kCut = BorderRule::cut;
// clang-format off
const MovieCase kMovies[] = {
    {"still",      NucleiKind::generic,     6, kFlat,   kIn,  0.2,  0},
    {"brownian",   NucleiKind::generic,     6, kFlat,   kIn,  0.2,  1e-3},
    {"persistent", NucleiKind::hl60,        6, kAnyWay, kIn,  0.2,  0,    3e-3, 1e-4},
    {"lobes",      NucleiKind::granulocyte, 6, kAnyWay, kIn,  0.1,  0,    3e-3, 1e-4},
    {"dividing",   NucleiKind::generic,     3, kFlat,   kIn,  0.2,  1e-4, 0,    1e-5, true},
    {"overlap",    NucleiKind::hl60,        8, kAnyWay, kIn,  -0.2, 1e-3, 0,    1e-4, true},
    {"leaving",    NucleiKind::generic,     8, kFlat,   kCut, 0.2,  3e-3, 0,    0,    true},
    {"drifting",   NucleiKind::generic,     6, kAnyWay, kIn,  0.2,  1e-3, 0,    0,    true,
     {1e-4, 2e-4, -3e-4}, 20, TargetKind::shells},
    {"beads",      NucleiKind::generic,     5, kFlat,   kIn,  0.2,  1e-3, 0,    0,    false,
     {0, 0, 0}, 30, TargetKind::points},
    {"cells",      NucleiKind::generic,     0, kFlat,   kIn,  0.2,  1e-3, 1e-3, 1e-4, false,
     {0, 0, 0}, 9, TargetKind::none, 6},
    {"cells_dividing", NucleiKind::generic, 0, kFlat,   kIn,  0.2,  1e-4, 0,    1e-5, true,
     {0, 0, 0}, 0, TargetKind::none, 3},
    {"cells_leaving",  NucleiKind::generic, 0, kAnyWay, kCut, 0.2,  3e-3, 0,    1e-4, true,
     {1e-4, 2e-4, -3e-4}, 0, TargetKind::none, 4},
    {"cells_and_nuclei", NucleiKind::hl60,  3, kAnyWay, kIn,  0.2,  1e-3, 0,    1e-4, true,
     {0, 1e-4, 0}, 5, TargetKind::shells, 2},
};
// clang-format on

/// Labels of a frame, each with its voxels.
std::map<std::uint16_t, std::int64_t> seen_in(const Phantom& phantom,
                                              const std::vector<std::uint16_t>& labels) {
  Volume<std::uint16_t> voxels{phantom.grid.extent};
  LabelSource{phantom, labels}.read(whole(phantom.grid.extent), voxels.view());
  std::map<std::uint16_t, std::int64_t> count;
  for (const std::uint16_t label : voxels.voxels)
    if (label != 0) ++count[label];
  return count;
}

/// What keeps apart.
struct KeptApart {
  const Nucleus* surface;
  double gap_um;
};
std::vector<KeptApart> bodies_of(const Phantom& phantom) {
  std::vector<KeptApart> all;
  for (const Nucleus& nucleus : phantom.nuclei)
    all.push_back({&nucleus, phantom.spec.nuclei.gap_um});
  for (const Cell& cell : phantom.cells)
    all.push_back({&cell.surface(), phantom.spec.cells.gap_um});
  return all;
}

class Movies : public testing::TestWithParam<MovieCase> {
 protected:
  synthoscope::test::TestContext run;
  const MovieSpec spec = GetParam().spec();
  const Movie movie{spec, 3, run.context};
};

TEST_P(Movies, KeepNucleiAndCellsApartAndInsideInEveryFrame) {
  const Vector3 size = size_um(spec.grid);
  for (std::int64_t frame = 0; frame < spec.frames; ++frame) {
    const auto phantom = movie.phantom(frame, run.context);
    const auto bodies = bodies_of(phantom);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j)
        ASSERT_TRUE(are_apart(*bodies[i].surface, *bodies[j].surface,
                              std::max(bodies[i].gap_um, bodies[j].gap_um) - 1e-9))
            << frame << ": " << i << ' ' << j;
      if (GetParam().border == BorderRule::cut) continue;
      const Bounds bounds = bodies[i].surface->bounds();
      const Vector3 drift = movie.drift_um(frame);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        ASSERT_GE(bounds.low[axis] - drift[axis], -1e-9);
        ASSERT_LE(bounds.high[axis] - drift[axis], size[axis] + 1e-9);
      }
    }
  }
}

TEST_P(Movies, ShowEveryTrackInEachOfItsFramesAndNowhereElse) {
  std::set<std::pair<std::int64_t, std::int64_t>> expected, found;
  for (const Track& track : movie.tracks().all())
    for (std::int64_t frame = track.begin; frame <= track.end; ++frame)
      expected.insert({track.label, frame});
  for (std::int64_t frame = 0; frame < spec.frames; ++frame)
    for (const auto& [label, voxels] :
         seen_in(movie.phantom(frame, run.context), movie.labels(frame)))
      found.insert({label, frame});
  EXPECT_EQ(found, expected);
  for (const Track& track : movie.tracks().all())
    if (track.parent != 0) {
      const Track& mother = movie.tracks().all()[static_cast<std::size_t>(track.parent - 1)];
      EXPECT_LT(mother.end, track.begin);
    }
}

TEST_P(Movies, OfFewerFramesAreTheirBeginningWhateverTheThreads) {
  MovieSpec shorter = spec;
  shorter.frames = 9;
  synthoscope::test::TestContext alone{1};
  const Movie beginning{shorter, 3, alone.context};
  for (std::int64_t frame = 0; frame < shorter.frames; ++frame) {
    const auto expect_same = [&](const History& shorter_one, const History& longer_one) {
      const auto some = shorter_one.at(frame), all = longer_one.at(frame);
      ASSERT_EQ(some.size(), all.size());
      for (std::size_t i = 0; i < some.size(); ++i) {
        EXPECT_EQ(some[i].number, all[i].number);
        EXPECT_EQ(some[i].pose, all[i].pose);
      }
    };
    expect_same(beginning.nuclei(), movie.nuclei());
    expect_same(beginning.cells(), movie.cells());
    EXPECT_EQ(beginning.labels(frame), movie.labels(frame));
  }
}

TEST_P(Movies, AreCountedBeforeTheyAreMade) {
  std::int64_t rows = 0;
  for (std::int64_t frame = 0; frame < spec.frames; ++frame)
    rows += std::ssize(movie.nuclei().at(frame)) + std::ssize(movie.cells().at(frame));
  const std::int64_t counted = Movie::bytes(spec, 3);
  EXPECT_LE(rows * static_cast<std::int64_t>(sizeof(PosedBody)), counted);
  synthoscope::test::TestContext small{1, Movie::working_bytes(spec, 3) - 1};
  EXPECT_THROW((Movie{spec, 3, small.context}), PlanError);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Movies, testing::ValuesIn(kMovies), synthoscope::test::kCaseName);

Movie movie_named(const char* name, const RunContext& context) {
  for (const MovieCase& c : kMovies)
    if (std::string_view{c.name} == name) return {c.spec(), 3, context};
  throw std::logic_error(name);
}

TEST(Movie, BeginsWithWhatThereIsWithoutTime) {
  synthoscope::test::TestContext run;
  const Movie movie = movie_named("beads", run.context);
  const auto first = movie.phantom(0, run.context);
  const auto still = make_phantom(first.spec, first.grid, 3, run.context);
  ASSERT_EQ(first.nuclei.size(), still.nuclei.size());
  for (std::size_t i = 0; i < first.nuclei.size(); ++i)
    EXPECT_EQ(first.nuclei[i].centre(), still.nuclei[i].centre());
  EXPECT_EQ(first.beads.size(), still.beads.size());
  EXPECT_EQ(seen_in(first, movie.labels(0)), [&] {
    std::vector<std::uint16_t> ids;
    for (std::int64_t id = 1; id <= still.count(); ++id)
      ids.push_back(static_cast<std::uint16_t>(id));
    return seen_in(still, ids);
  }());
}

TEST(Movie, OfCellsBeginsWithWhatThereIsWithoutTime) {
  synthoscope::test::TestContext run;
  const Movie movie = movie_named("cells", run.context);
  const auto first = movie.phantom(0, run.context);
  const auto still = make_phantom(first.spec, first.grid, 3, run.context);
  const auto light_of = [](const Phantom& phantom) {
    Volume<float> light{phantom.grid.extent};
    PhantomSource{phantom}.read(whole(phantom.grid.extent), light.view());
    return light.voxels;
  };
  EXPECT_EQ(light_of(first), light_of(still));
}

TEST(Movie, KeepsWhatIsInACellInsideAsItGrowsTurnsAndDivides) {
  synthoscope::test::TestContext run;
  const Movie movie = movie_named("cells_dividing", run.context);
  int frames_of_spots = 0;
  for (std::int64_t frame = 0; frame < movie.frames(); ++frame)
    for (const Cell& cell : movie.phantom(frame, run.context).cells)
      for (const StainedStrand& stained : cell.strands()) {
        if (stained.structure == Structure::filopodium) continue;
        frames_of_spots += stained.structure == Structure::spot;
        for (const Segment& segment : stained.strand.segments())
          for (const Vector3& p : {segment.from, segment.to})
            ASSERT_TRUE(cell.core_contains(p)) << frame;
      }
  EXPECT_GT(frames_of_spots, 8 * 3 * 25);
}

TEST(Movie, KeepsTheSpotsOfACellWhereTheyAreInItsOwnFrame) {
  synthoscope::test::TestContext run;
  const Movie movie = movie_named("cells", run.context);
  const auto spots_of = [](const Cell& cell) {
    std::vector<Vector3> own;
    for (const StainedStrand& stained : cell.strands())
      if (stained.structure == Structure::spot)
        own.push_back(cell.surface().own_axes() *
                      (stained.strand.segments().front().from - cell.surface().centre()));
    return own;
  };
  const Phantom first = movie.phantom(0, run.context), last = movie.phantom(24, run.context);
  ASSERT_EQ(first.cells.size(), last.cells.size());
  for (std::size_t i = 0; i < first.cells.size(); ++i) {
    EXPECT_NE(first.cells[i].surface().centre(), last.cells[i].surface().centre());
    const auto before = spots_of(first.cells[i]), after = spots_of(last.cells[i]);
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t s = 0; s < before.size(); ++s)
      for (std::size_t axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(before[s][axis], after[s][axis], 1e-9);
  }
}

/// The movie "dividing", with a frame every 24 s.
Movie dividing_movie(bool mitosis, const RunContext& context,
                     TextureKind texture = TextureKind::none) {
  MovieSpec spec = kMovies[4].spec();
  spec.time.mitosis = mitosis;
  spec.phantom.nuclei.texture = texture;
  if (mitosis) spec.time.interval_seconds = 24;
  if (mitosis) spec.frames = 400;
  return {spec, 3, context};
}

TEST(Movie, WithoutMitosisGivesDaughtersHalfOfTheirMotherEachNextToWhereSheWas) {
  synthoscope::test::TestContext run;
  const Movie movie = dividing_movie(false, run.context);
  std::map<std::int64_t, std::pair<double, Vector3>> last;  // volume and place, by number
  int divisions = 0;
  for (std::int64_t frame = 0; frame < movie.frames(); ++frame) {
    const auto phantom = movie.phantom(frame, run.context);
    const auto rows = movie.nuclei().at(frame);
    std::map<std::int64_t, double> born_of;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::int64_t number = rows[i].number;
      const Life& life = movie.nuclei().lineage()[static_cast<std::size_t>(number)];
      const double volume = phantom.nuclei[i].volume_um3();
      if (last.count(number) != 0) {
        EXPECT_GE(volume, last[number].first * (1 - 1e-12)) << "nuclei grow";
      } else if (life.mother >= 0) {
        born_of[life.mother] += volume;
        const Vector3 way = rows[i].pose.centre - last.at(life.mother).second;
        EXPECT_LT(std::sqrt(dot(way, way)), 3 * 1.4);
      }
      last[number] = {volume, rows[i].pose.centre};
    }
    for (const auto& [mother, volume] : born_of) {
      // They have grown since, for an interval of 10 minutes of 4 hours at most
      EXPECT_NEAR(volume / last.at(mother).first, 1.04, 0.1);
      EXPECT_GE(volume, last.at(mother).first * (1 - 1e-9));
      ++divisions;
    }
  }
  EXPECT_GE(divisions, 3);
}

TEST(Movie, WithoutMitosisStretchesAMotherAlongTheLineOnWhichHerDaughtersLie) {
  synthoscope::test::TestContext run;
  const Movie movie = dividing_movie(false, run.context);
  int seen = 0;
  for (std::int64_t frame = 1; frame < movie.frames(); ++frame) {
    std::map<std::int64_t, std::vector<Vector3>> born_of;
    for (const auto& [number, pose, scale, mitosis] : movie.nuclei().at(frame)) {
      const Life& life = movie.nuclei().lineage()[static_cast<std::size_t>(number)];
      if (life.mother >= 0 && life.begin == frame) born_of[life.mother].push_back(pose.centre);
    }
    for (const auto& [number, her, scale, mitosis] : movie.nuclei().at(frame - 1)) {
      if (born_of.count(number) == 0) continue;
      EXPECT_GT(her.stretch, 1.01) << "she was in mitosis";
      const Vector3 way = born_of[number][1] - born_of[number][0];
      EXPECT_GT(std::abs(dot(way, her.turn[2])) / std::sqrt(dot(way, way)), 0.9);
      ++seen;
    }
  }
  EXPECT_GT(seen, 0);
}

TEST(Movie, TakesNucleiThroughMitosisToTwoPlatesThatMoveApart) {
  synthoscope::test::TestContext run;
  const Movie movie = dividing_movie(true, run.context);
  std::map<std::int64_t, std::vector<MitoticPhase>> phases;  // of each nucleus, as they change
  int mothers = 0, sisters = 0;
  for (std::int64_t frame = 0; frame < movie.frames(); ++frame) {
    const Phantom phantom = movie.phantom(frame, run.context);
    const auto rows = movie.nuclei().at(frame);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto& [number, pose, scale, mitosis] = rows[i];
      EXPECT_EQ(phantom.nuclei[i].mitosis(), mitosis);
      std::vector<MitoticPhase>& its = phases[number];
      if (its.empty() || its.back() != mitosis.phase) its.push_back(mitosis.phase);
      const Life& life = movie.nuclei().lineage()[static_cast<std::size_t>(number)];
      const bool is_sister =
          i + 1 < rows.size() && life.mother >= 0 && mitosis.phase == MitoticPhase::anaphase &&
          movie.nuclei().lineage()[static_cast<std::size_t>(number) + 1].mother == life.mother;
      if (!is_sister || number % 2 == 0) continue;
      // Each is a plate across the line between both
      const Vector3 way = rows[i + 1].pose.centre - pose.centre;
      const Vector3& y = pose.turn[1];
      EXPECT_GT(std::abs(dot(way, y)) / std::sqrt(dot(way, way)), 0.9);
      const Vector3 growth = growth_of(pose);
      EXPECT_LT(growth[1], 0.6 * growth[2]);
      ++sisters;
    }
  }
  for (const auto& [number, its] : phases) {
    EXPECT_TRUE(
        std::is_sorted(its.begin() + (its.front() >= MitoticPhase::anaphase ? 2 : 0), its.end()))
        << number;
    const bool has_mother = movie.nuclei().lineage()[static_cast<std::size_t>(number)].mother >= 0;
    EXPECT_EQ(has_mother, its.front() == MitoticPhase::anaphase) << number;
    mothers += its.back() == MitoticPhase::metaphase;
  }
  EXPECT_GT(mothers, 0);
  EXPECT_GT(sisters, 0);
}

TEST(Movie, GivesDaughtersHalfOfTheStainOfTheirMother) {
  synthoscope::test::TestContext run;
  const Movie movie = dividing_movie(true, run.context, TextureKind::chromatin);
  const auto amounts_in = [&](std::int64_t frame) {
    const Phantom phantom = movie.phantom(frame, run.context);
    std::map<std::int64_t, double> all;
    for (std::size_t i = 0; i < phantom.nuclei.size(); ++i)
      all[movie.nuclei().at(frame)[i].number] =
          amount_of_stain(phantom.nuclei[i], phantom.spec.nuclei);
    return all;
  };
  const auto& lineage = movie.nuclei().lineage();
  const auto first = std::find_if(lineage.begin(), lineage.end(),
                                  [](const Life& life) { return life.mother >= 0; });
  ASSERT_LT(first, lineage.end() - 1);
  const std::int64_t one = first - lineage.begin();
  auto before = amounts_in(first->begin - 1), after = amounts_in(first->begin);
  EXPECT_NEAR(after.at(one) / before.at(first->mother), 0.5, 0.01);
  EXPECT_NEAR(after.at(one) / after.at(one + 1), 1, 0.002);
}

TEST(Movie, LetsNucleiLeaveAndComeBackUnderANewLabel) {
  synthoscope::test::TestContext run;
  MovieSpec spec = kMovies[6].spec();
  spec.frames = 80;
  spec.time.division = false;
  spec.phantom.nuclei.count = 12;
  const Movie movie{spec, 3, run.context};
  std::map<std::int64_t, int> tracks;
  for (const Track& track : movie.tracks().all()) ++tracks[track.object];
  int returned = 0;
  for (const auto& [object, count] : tracks) returned += count - 1;
  EXPECT_GT(returned, 0);
  EXPECT_LT(movie.nuclei().at(79).size(), movie.nuclei().at(0).size()) << "some are gone";
}

TEST(Movie, SaysInWhichFrameThereIsNoRoomAnyMore) {
  synthoscope::test::TestContext run;
  MovieSpec spec = kMovies[4].spec();
  spec.phantom.nuclei.count = 30;
  spec.frames = 60;
  try {
    (void)Movie{spec, 3, run.context};
    FAIL();
  } catch (const InvalidSpec& problem) {
    EXPECT_NE(std::string{problem.what()}.find("make the movie: in frame "), std::string::npos)
        << problem.what();
    EXPECT_NE(std::string{problem.what()}.find("nuclei.border = \"cut\""), std::string::npos);
  }
}

TEST(Movie, FadesByTheLawThatIsAskedFor) {
  synthoscope::test::TestContext run;
  MovieSpec spec = kMovies[0].spec();
  spec.phantom.nuclei.count = 2;
  spec.phantom.cells.count = 1;
  spec.phantom.cells.radius_um = 2;
  spec.phantom.cells.nucleus_radius_um = 0.8;
  spec.phantom.cells.spots = 5;
  spec.phantom.target.kind = TargetKind::points;
  spec.phantom.tissue.count = 3;
  spec.time.bleaching_seconds = 3000;
  const Movie movie{spec, 3, run.context};
  const auto light_of = [&](std::int64_t frame) {
    const auto phantom = movie.phantom(frame, run.context);
    Volume<float> voxels{phantom.grid.extent};
    PhantomSource{phantom}.read(whole(phantom.grid.extent), voxels.view());
    double sum = 0;
    for (const float voxel : voxels.voxels) sum += voxel;
    return sum;
  };
  const double first = light_of(0);
  EXPECT_NEAR(light_of(5) / first, std::exp(-1.0), 1e-6);
  EXPECT_NEAR(light_of(20) / first, std::exp(-4.0), 1e-6);
}

}  // namespace
}  // namespace synthoscope::simulator
