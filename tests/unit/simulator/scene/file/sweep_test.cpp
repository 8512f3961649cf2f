// SPDX-License-Identifier: MIT
#include "simulator/scene/file/sweep.hpp"
#include <gtest/gtest.h>
#include <fstream>
#include <map>
#include <set>
#include "simulator/scene/file/scene_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::simulator {
namespace {

/// The sweep of a scene file that holds `keys` below [sweep].
SweepSpec sweep_with(const std::string& keys) {
  const test::TemporaryFolder folder;
  return read_sweep(folder.write("s.toml", "[sweep]\n" + keys + "\n"));
}

std::vector<std::string> folders_of(const SweepSpec& sweep) {
  std::vector<std::string> folders;
  for (const auto& set : sets_of({}, sweep, 7)) folders.push_back(set.folder);
  return folders;
}

struct ValuesCase {
  std::string written;
  std::vector<std::string> texts;
};

TEST(Sweep, TakesListsAndRanges) {
  const ValuesCase kCases[] = {
      {"optics.na = [0.5, 1.2]", {"0.5", "1.2"}},
      {"optics.na = {from = 0.1, to = 0.4, step = 0.1}", {"0.1", "0.2", "0.3", "0.4"}},
      {"optics.na = {from = 0.5, to = 1.2, step = 0.5}", {"0.5", "1"}},
      {"optics.na = {from = 0.5, to = 1, count = 3}", {"0.5", "0.75", "1"}},
      {"nuclei.count = {from = 1, to = 7, step = 3}", {"1", "4", "7"}},
      {"nuclei.count = {from = 1, to = 7, count = 3}", {"1", "4", "7"}},
      {"frames = [1, 3]", {"1", "3"}},
      {"\"optics.na\" = [1]", {"1"}},
      {"nuclei = {count = [3]}", {"3"}},
      {"grid.size = [[1, 8, 9], [2, 8, 9]]", {"[1, 8, 9]", "[2, 8, 9]"}},
      {"camera.kind = [\"ccd\", \"emccd\"]", {"\"ccd\"", "\"emccd\""}},
  };
  for (const auto& c : kCases) {
    const auto sweep = sweep_with(c.written);
    ASSERT_EQ(sweep.axes.size(), 1u) << c.written;
    std::vector<std::string> texts;
    for (const auto& value : sweep.axes[0].values) texts.push_back(value.text);
    EXPECT_EQ(texts, c.texts) << c.written;
  }
}

TEST(Sweep, CombinesAllValuesTheFirstKeySlowestAndRepeatsFastest) {
  const auto sweep = sweep_with("optics.na = [0.5, 1]\nnuclei.clustering = [0, 1]\nrepeats = 2");
  EXPECT_EQ(folders_of(sweep), (std::vector<std::string>{
                                   "na-0.5_clustering-0_repeat-1", "na-0.5_clustering-0_repeat-2",
                                   "na-0.5_clustering-1_repeat-1", "na-0.5_clustering-1_repeat-2",
                                   "na-1_clustering-0_repeat-1", "na-1_clustering-0_repeat-2",
                                   "na-1_clustering-1_repeat-1", "na-1_clustering-1_repeat-2"}));
  const auto last = sets_of({}, sweep, 7).back();
  EXPECT_EQ(last.scene.optics.na, 1);
  EXPECT_EQ(last.scene.nuclei.clustering, 1);
}

TEST(Sweep, GivesFoldersNamesThatAShellTakes) {
  EXPECT_EQ(folders_of(sweep_with("grid.size = [[1, 8, 9]]")),
            std::vector{std::string{"size-1x8x9"}});
  EXPECT_EQ(folders_of(sweep_with("optics.zernike = [\"5: 0.1, 11: -0.05\"]")),
            std::vector<std::string>{"zernike-5=0.1+11=-0.05"});
  EXPECT_EQ(folders_of(sweep_with("camera.kind = [\"ccd\"]")),
            std::vector{std::string{"kind-ccd"}});
  EXPECT_EQ(folders_of(sweep_with("repeats = 1")), std::vector{std::string{"repeat-1"}});
  EXPECT_EQ(folders_of(sweep_with("illumination.flat_field = [\"a b/flat$.tif\"]")),
            std::vector{std::string{"flat_field-ab_flat.tif"}});
}

TEST(Sweep, SeedsFollowFromTheValuesAlone) {
  const auto seeds = [](const std::string& keys) {
    std::map<std::string, std::int64_t> found;
    for (const auto& set : sets_of({}, sweep_with(keys), 7)) found[set.folder] = *set.scene.seed;
    return found;
  };
  const auto few = seeds("optics.na = [0.5, 1]\nrepeats = 2");
  const auto many = seeds("optics.na = [1, 0.25, 0.5]\nrepeats = 3");
  for (const auto& [folder, seed] : few) EXPECT_EQ(many.at(folder), seed) << folder;
  std::set<std::int64_t> all;
  for (const auto& [folder, seed] : many) all.insert(seed);
  EXPECT_EQ(all.size(), many.size());
}

TEST(Sweep, SeedsKeepTheirPromisedDraws) {
  // From a Philox and an FNV of their own, in Python; keys in the order of the alphabet
  const auto sweep = sweep_with("optics.na = [1.1]\nnuclei.clustering = [0.5]\nrepeats = 2");
  EXPECT_EQ(set_seed(7, sweep, {"1.1", "0.5"}, 2), 7215177229998477u);
  EXPECT_EQ(set_seed(7, {}, {}, 1), 8555652422371987u);
}

TEST(Sweep, SharesSeedsBetweenAllSetsOfARepeatWhereAskedTo) {
  const auto sweep = sweep_with("seed = \"shared\"\noptics.na = [0.5, 1]\nrepeats = 2");
  std::vector<std::int64_t> seeds;
  for (const auto& set : sets_of({}, sweep, 7)) seeds.push_back(*set.scene.seed);
  const auto of_repeat = [](std::int64_t repeat) {
    return static_cast<std::int64_t>(set_seed(7, {}, {}, repeat));
  };
  const std::int64_t first = of_repeat(1), second = of_repeat(2);
  EXPECT_NE(first, second);
  EXPECT_EQ(seeds, (std::vector{first, second, first, second}));
  EXPECT_EQ(first, 8555652422371987);
  const std::string printed = to_toml({}, sweep);
  EXPECT_EQ(to_toml({}, sweep_with(printed.substr(printed.find("[sweep]\n") + 8))), printed);
}

TEST(Sweep, JudgesEverySetByItselfAndNotTheSceneThatNoneOfThemIs) {
  const test::TemporaryFolder folder;
  const auto path = [&](const std::string& kinds) {
    return folder.write("s.toml",
                        "[camera]\nem_gain = 200\n[optics]\nna = 1.6\n[sweep]\n"
                        "optics.immersion_index = [1.7]\ncamera.kind = [" +
                            kinds + "]\n");
  };
  const auto good = path("\"emccd\"");
  EXPECT_THROW(read_scene(good), InvalidSpec);
  const auto sets = sets_of(read_scene_of_sweep(good), read_sweep(good), 7);
  ASSERT_EQ(sets.size(), 1u);
  EXPECT_EQ(sets[0].scene.camera.em_gain, 200);
  EXPECT_EQ(sets[0].scene.camera.read_noise_electrons, 50);
  const auto bad = path("\"emccd\", \"ccd\"");
  try {
    sets_of(read_scene_of_sweep(bad), read_sweep(bad), 7);
    FAIL() << "a ccd with a multiplication gain was accepted";
  } catch (const InvalidSpec& refusal) {
    EXPECT_NE(std::string{refusal.what()}.find("data set immersion_index-1.7_kind-ccd: camera: the "
                                               "multiplication gain is 200"),
              std::string::npos)
        << refusal.what();
  }
}

TEST(Sweep, ChoosesTheDefaultsOfACameraBeforeItSetsItsKeys) {
  for (const auto& set :
       sets_of({}, sweep_with("camera.em_gain = [50, 90]\ncamera.kind = [\"emccd\"]"), 7)) {
    SceneSpec expected;
    expected.seed = set.scene.seed;
    expected.camera = typical_camera(CameraKind::emccd);
    expected.camera.em_gain = set.texts[0] == "50" ? 50 : 90;
    EXPECT_EQ(to_toml(set.scene), to_toml(expected));
  }
}

TEST(Sweep, OfAKindLeavesTheKeysThatTheFileGives) {
  const test::TemporaryFolder folder;
  auto path = folder.write("s.toml",
                           "[camera]\nkind = \"scmos\"\nexposure_seconds = 0.7\n"
                           "[nuclei]\nradius_um = 2.5\n[sweep]\ncamera.kind = [\"ccd\", "
                           "\"emccd\"]\nnuclei.kind = [\"granulocyte\", \"fibroblast\"]\n");
  const auto tomls = [](const SceneSpec& scene, const SweepSpec& sweep) {
    std::vector<std::string> texts;
    for (const auto& set : sets_of(scene, sweep, 7)) texts.push_back(to_toml(set.scene));
    return texts;
  };
  const auto sets = sets_of(read_scene(path), read_sweep(path), 7);
  ASSERT_EQ(sets.size(), 4u);
  for (const auto& set : sets)
    EXPECT_EQ(
        to_toml(set.scene),
        to_toml(parse_scene(fmt::format("seed = {}\n[camera]\nkind = {}\nexposure_seconds = 0.7\n"
                                        "[nuclei]\nkind = {}\nradius_um = 2.5\n",
                                        *set.scene.seed, set.texts[0], set.texts[1]),
                            "s")));

  // What is printed means the same sets
  const auto whole = tomls(read_scene(path), read_sweep(path));
  path = folder.write("t.toml", to_toml(read_scene(path), read_sweep(path)));
  EXPECT_EQ(tomls(read_scene(path), read_sweep(path)), whole);
}

TEST(Sweep, IsPrintedAsItIsReadBack) {
  const auto sweep = sweep_with("optics.na = {from = 0.1, to = 0.4, step = 0.1}\nrepeats = 2");
  const std::string printed = to_toml({}, sweep);
  const auto at = printed.find("[sweep]\n");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(to_toml({}, sweep_with(printed.substr(at + 8))), printed);
  EXPECT_EQ(to_toml({}, SweepSpec{}), to_toml(SceneSpec{}));
}

TEST(Sweep, OfASceneIsLeftToWhoeverMakesItsSets) {
  EXPECT_EQ(to_toml(parse_scene("[sweep]\noptics.na = [0.5]\n", "s")), to_toml(SceneSpec{}));
}

TEST(Sweep, KnowsAKeyByItsLastPartIfItIsTheOnlyOne) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "scene.toml";
  std::ofstream{file} << "[sweep]\nsnr = [2, 5]\n";
  const SweepSpec sweep = read_sweep(file);
  ASSERT_EQ(sweep.axes.size(), 1U);
  EXPECT_EQ(sweep.axes[0].key, "illumination.snr");
}

struct RefusedCase {
  std::string written, said;
};

TEST(Sweep, AnswersWrongKeysAndValuesByNameAndWhatIsAllowed) {
  const RefusedCase kCases[] = {
      {"", "line 1: [sweep] is empty; give repeats = N"},
      {"repeats = 0", "sweep.repeats is 0; give a whole number from 1 to 10000"},
      {"repeat = 3", "[sweep] has no key repeat; give repeats"},
      {"gap_um = [1]",
       "[sweep] has no key gap_um; give repeats, or a key of the scene with its "
       "table, such as nuclei.gap_um or "},
      {"seed = [1]", "sweep.seed is [ 1 ]; give \"own\" for a seed of every data set, or"},
      {"seed = \"shard\"", "sweep.seed is 'shard'; give"},
      {"seed = \"shared\"", "[sweep] is empty"},
      {"optics.nal = [1]", "there is no key optics.nal; did you mean na?"},
      {"\"optic.na\" = [1]", "there is no table [optic]; did you mean [optics]?"},
      {"optics.na = 1", "sweep of optics.na is 1; give a list such as"},
      {"optics.na = []", "sweep of optics.na is []; give a list such as"},
      {"optics.na = [1, 9]", "line 2: optics.na is 9; give 0.01 to 4"},
      {"optics.na = [\"x\"]", "line 2: optics.na is 'x'; give a number"},
      {"optics.na = {from = 1, to = 2}", "give a list such as"},
      {"optics.na = {from = 1, to = 2, stride = 1}", "has stride; give a list"},
      {"optics.na = {from = 1, to = 1, count = 2}", "runs from 1 to 1; give a larger end"},
      {"optics.na = {from = 1, to = 2, count = 1}", "has the count 1; give a whole number from 2"},
      {"optics.na = {from = 1, to = 2, step = -1}", "has the step -1; give one above 0"},
      {"optics.na = {from = 1, to = 2, step = 1e-9}",
       "at most 10000 are possible; give a larger step"},
      {"optics.na = {from = 1, to = 9, step = 4}", "line 2: optics.na is 5; give 0.01 to 4"},
      {"optics.model = {from = 1, to = 2, step = 1}", "its values are not numbers"},
      {"optics.na = [1]\n\"optics.na\" = [0.5]", "sweep names optics.na twice"},
  };
  for (const auto& c : kCases) try {
      sweep_with(c.written);
      FAIL() << c.written << " was accepted";
    } catch (const InvalidSpec& refusal) {
      EXPECT_NE(std::string{refusal.what()}.find(c.said), std::string::npos) << refusal.what();
    }
}

TEST(Sweep, RefusesSetsThatCannotBeMadeBeforeAnyIs) {
  const RefusedCase kCases[] = {
      {"optics.na = [0.5, 0.50]", "two data sets would be in the folder na-0.5"},
      {"optics.na = [1, 1.7]", "data set na-1.7: optics: the numerical aperture 1.7"},
      {"camera.preset = [\"icx285\"]\ncamera.kind = [\"scmos\"]",
       "sweep: camera.kind is \"scmos\", and camera.preset \"icx285\""},
      {"repeats = 10000\noptics.na = [1, 0.5]", "more than 10000 data sets"},
  };
  for (const auto& c : kCases) try {
      sets_of({}, sweep_with(c.written), 7);
      FAIL() << c.written << " was accepted";
    } catch (const InvalidSpec& refusal) {
      EXPECT_NE(std::string{refusal.what()}.find(c.said), std::string::npos) << refusal.what();
    }
}

}  // namespace
}  // namespace synthoscope::simulator
