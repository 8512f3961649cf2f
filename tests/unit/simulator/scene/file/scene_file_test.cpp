// SPDX-License-Identifier: MIT
#include "simulator/scene/file/scene_file.hpp"
#include <gtest/gtest.h>
#include <unistd.h>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "simulator/scene/keys.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope::simulator {
namespace {

struct Refused {
  const char* name;
  const char* toml;
  const char* place;
  const char* fragment;
};

constexpr Refused kRefused[] = {
    {"unknown_key", "[grid]\nsizes = [1, 2, 3]\n", "first.toml, line 2",
     "there is no key grid.sizes; did you mean size?"},
    {"far_key", "[grid]\nbanana = 1\n", "line 2", "known in [grid] are size, pitch_nm"},
    {"key_of_another_table", "[grid]\nquantum_efficiency = 0.5\n", "line 2",
     "quantum_efficiency belongs to [camera]"},
    {"other_table_and_unit", "[optics]\npitch_um = [1, 1, 1]\n", "line 2",
     "pitch_nm belongs to [grid]"},
    {"wrong_unit", "[grid]\npitch_um = [0.3, 0.1, 0.1]\n", "line 2",
     "the key is grid.pitch_nm and its unit is nm"},
    {"missing_unit", "[optics]\n\nwavelength = 520\n", "line 3",
     "the key is optics.wavelength_nm and its unit is nm"},
    {"other_unit_of_time", "[camera]\nexposure_ms = 10\n", "line 2", "camera.exposure_seconds"},
    {"unknown_table", "[optcs]\nna = 1.2\n", "line 1", "did you mean [optics]?"},
    {"far_table", "[banana]\n", "line 1",
     "known are [grid, nuclei, cells, beads, target, volume, tissue, neuron, adherent, time, "
     "light, "
     "background, medium, illumination, pattern, optics, camera, output, channel, sweep]"},
    {"unknown_top_key", "sead = 1\n", "line 1", "did you mean seed?"},
    {"table_as_value", "optics = 3\n", "line 1", "[optics] is a table"},
    {"text_for_number", "[optics]\nna = \"1.2\"\n", "line 2", "optics.na is '1.2'; give a number"},
    {"fraction_for_count", "[nuclei]\ncount = 1.5\n", "line 2",
     "nuclei.count is 1.5; give a whole number"},
    {"number_for_name", "[optics]\nmodel = 3\n", "line 2", "give \"gaussian\","},
    {"unknown_name", "[optics]\nmodel = \"airy\"\n", "line 2",
     "optics.model is \"airy\"; give \"gaussian\", \"born-wolf\""},
    {"number_for_switch", "[optics]\npixel_integration = 1\n", "line 2", "give true or false"},
    {"two_sizes", "[grid]\nsize = [64, 64]\n", "line 2", "give three whole numbers [z, y, x]"},
    {"zero_size", "[grid]\nsize = [64, 0, 64]\n", "line 2", "grid.size is 0; give 1 to 1048576"},
    {"negative_size", "[grid]\nsize = [64, -4, 64]\n", "line 2", "grid.size is -4"},
    {"zero_pitch", "[grid]\npitch_nm = [0, 100, 100]\n", "line 2", "grid.pitch_nm is 0"},
    {"infinite_pitch", "[grid]\npitch_nm = [inf, 100, 100]\n", "line 2", "grid.pitch_nm is inf"},
    {"nan", "[optics]\nna = nan\n", "line 2", "optics.na is nan"},
    {"out_of_range", "[camera]\nquantum_efficiency = 1.2\n", "line 2",
     "camera.quantum_efficiency is 1.2; give above 0 up to 1 (electrons per photon)"},
    {"negative_seed", "seed = -1\n", "line 1", "seed is -1; give 0 or more"},
    {"aperture_beyond_immersion", "[optics]\nna = 1.6\n", "first.toml", "immersion index 1.515"},
    {"kind_beside_a_preset_of_another", "[camera]\nkind = \"ccd\"\npreset = \"ixon-888\"\n",
     "line 2", "camera.kind is \"ccd\", and camera.preset \"ixon-888\" is of kind \"emccd\""},
    {"unknown_unit_of_light", "[illumination]\nphotons_per = \"minute\"\n", "line 2",
     "give \"exposure\" or \"second\""},
    {"even_psf", "[optics]\nsize = [33, 64, 65]\n", "first.toml", "must be odd"},
    {"origin_name", "[optics]\naxial_origin = \"middle\"\n", "line 2", "give \"focus\""},
    {"no_toml", "[grid\nsize = 3\n", "line 1", "this is not TOML"},
    {"table_twice", "nuclei.gap_um = 1\n[nuclei]\ncount = 3\n", "line 2",
     "give all keys of a table below its line"},
    {"twice", "seed = 1\nseed = 2\n", "line 2", "this is not TOML"},
    {"huge_volume", "[grid]\nsize = [1048576, 1048576, 8388608]\n", "line 2", "grid.size"},
};

class RefusedScene : public testing::TestWithParam<Refused> {};

TEST_P(RefusedScene, IsNamedWithPlaceAndRemedyInOneSentence) {
  try {
    parse_scene(GetParam().toml, "first.toml");
    FAIL() << "it was accepted";
  } catch (const InvalidSpec& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find(GetParam().place), std::string::npos) << message;
    EXPECT_NE(message.find(GetParam().fragment), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, RefusedScene, testing::ValuesIn(kRefused), test::kCaseName);

TEST(SceneFile, GivesDefaultsForWhatItLeavesOut) {
  EXPECT_EQ(to_toml(parse_scene("", "empty")), to_toml(SceneSpec{}));
}

TEST(SceneFile, TakesTheFiguresOfAPresetAndChangesThoseThatItNames) {
  const auto scene =
      parse_scene("[camera]\nbit_depth = 14\nkind = \"emccd\"\npreset = \"ixon-888\"\n", "scene");
  EXPECT_EQ(scene.camera.read_noise_electrons, 45.9);
  EXPECT_EQ(scene.camera.bit_depth, 14);
  EXPECT_EQ(to_toml(parse_scene(to_toml(scene), "printed")), to_toml(scene));
}

TEST(SceneFile, SetsWhatItNames) {
  const auto scene = parse_scene(
      "seed = 12\n[grid]\nsize = [8, 16, 32]\npitch_nm = [300, 130, 130.5]\n"
      "[nuclei]\ncount = 3\norientation = \"random\"\n[background]\nphotons_per_pixel = 2\n"
      "[optics]\nmodel = \"gaussian\"\naxial_origin = -0.5\ndesign_coverslip_um = 160\n"
      "size = [9, 11, 13]\n[camera]\nbit_depth = 12\noffset_map = \"maps/offset.tif\"\n",
      "scene");
  EXPECT_EQ(scene.seed, 12);
  EXPECT_EQ(scene.grid.extent, (Extent3{8, 16, 32}));
  EXPECT_EQ(scene.grid.pitch, (VoxelSize{0.3, 0.13, 0.1305}));
  EXPECT_EQ(scene.nuclei.count, 3);
  EXPECT_EQ(scene.nuclei.orientation, Orientation::random);
  EXPECT_EQ(scene.background_photons, 2);
  EXPECT_EQ(scene.optics.model, PsfModel::gaussian);
  EXPECT_EQ(scene.optics.axial_origin, (AxialOrigin{AxialOrigin::Rule::fixed, -0.5}));
  EXPECT_EQ(scene.optics.design_coverslip_um, 160.0);
  EXPECT_EQ(scene.optics.size, (Extent3{9, 11, 13}));
  EXPECT_EQ(scene.camera.bit_depth, 12);
  EXPECT_EQ(scene.camera.offset_map, std::filesystem::path{"maps/offset.tif"});
}

TEST(SceneFile, ReadsBackWhatItPrints) {
  auto scene = parse_scene(
      "seed = 9223372036854775807\n[grid]\npitch_nm = [162.5, 64.1, 1e-3]\n"
      "[optics]\nsize = [3, 5, 7]\naxial_origin = \"nominal\"\n",
      "scene");
  scene.camera.gain_map = "a \"quoted\"\\name.tif";
  const auto printed = to_toml(scene);
  EXPECT_EQ(to_toml(parse_scene(printed, "printed")), printed);
  EXPECT_EQ(parse_scene(printed, "printed").seed, scene.seed);
  EXPECT_EQ(parse_scene(printed, "printed").grid, scene.grid);
}

TEST(SceneFile, PrintsEveryKeyAsJson) {
  const auto json = parse_json(to_json(SceneSpec{}));
  for (const auto& key : scene_keys()) {
    const auto& place = key.table.empty() ? json : json.at(key.table);
    ASSERT_TRUE(place.contains(key.name)) << key.full_name();
    EXPECT_EQ(place.at(key.name).is_null(), key.optional) << key.full_name();
  }
}

TEST(ParseScene, TakesTheFiguresOfAKindWhereverItStandsAndKeepsWhatTheFileSays) {
  const auto scene = parse_scene("[nuclei]\nradius_um = 7\ncount = 4\nkind = \"hl60\"\n", "a");
  EXPECT_EQ(scene.nuclei.kind, NucleiKind::hl60);
  EXPECT_EQ(scene.nuclei.radius_um, 7);
  EXPECT_EQ(scene.nuclei.count, 4);
  EXPECT_EQ(scene.nuclei.nucleoli, 2);
  EXPECT_EQ(scene.nuclei.orientation, Orientation::random);
}

TEST(SceneReference, HasOneRowForEveryKey) {
  const auto text = scene_reference_markdown();
  for (const auto& key : scene_keys()) {
    const auto row = "| `" + key.name + "` |";
    EXPECT_NE(text.find(row), std::string::npos) << key.full_name();
    EXPECT_FALSE(key.help.empty()) << key.full_name();
  }
}

TEST(SceneFile, HasNucleiByDefaultOnlyWithoutOtherObjects) {
  const std::pair<const char*, std::int64_t> kNuclei[] = {
      {"", 10},
      {"[nuclei]\nradius_um = 3\n", 10},
      {"[beads]\ndiameter_um = 0.3\n", 10},  // whose number is 0
      {"[beads]\ncount = 4\n", 0},
      {"[beads]\ndensity_per_mm3 = 1e6\n", 0},
      {"[target]\nkind = \"star\"\n", 0},
      {"[cells]\ncount = 2\n", 0},
      {"[nuclei]\ncount = 3\n[beads]\ncount = 4\n", 3},
  };
  for (const auto& [text, count] : kNuclei) {
    const SceneSpec scene = parse_scene(text, "scene");
    EXPECT_EQ(number_of(phantom_of(scene).nuclei, scene.grid), count) << text;
  }
}

/// Returns the refusal of the spec that has a key, checked without the table of keys; empty if the
/// value is accepted.
std::string refusal_of_spec(const SceneKey& key, const SceneValue& value) {
  SceneSpec scene;
  key.set(scene, value);
  try {
    require_valid(phantom_of(scene), scene.grid);
    require_valid(scene.time);
    require_valid(scene.illumination);
    require_valid(scene.optics);
    require_valid(scene.pattern, scene.optics, scene.grid);
    require_valid(scene.camera);
  } catch (const InvalidSpec& refusal) {
    return refusal.what();
  }
  return {};
}

TEST(SceneKeys, RefuseInASpecWithoutAFileWhatTheirRangesExclude) {
  for (const SceneKey& key : scene_keys()) {
    const bool has_no_spec = key.table.empty() || key.table == "grid" || key.table == "light" ||
                             key.table == "background" || key.table == "medium" ||
                             key.full_name() == "optics.oversample";
    if (!key.range || has_no_spec) continue;
    std::vector<SceneValue> refused;
    const auto [low, high, is_open] = *key.range;
    if (key.kind == ValueKind::number) refused = {low - 1, high * 1.01 + 1, std::nan("")};
    if (key.kind == ValueKind::number && is_open) refused.emplace_back(low);
    if (key.kind == ValueKind::three_numbers)
      refused = {ThreeNumbers{1, 1, low - 1}, ThreeNumbers{high * 1.01 + 1, 1, 1}};
    if (key.kind == ValueKind::integer && high < 1e9)
      refused = {static_cast<std::int64_t>(low) - 1, static_cast<std::int64_t>(high) + 1};
    for (const SceneValue& value : refused) {
      const std::string refusal = refusal_of_spec(key, value);
      EXPECT_NE(refusal.find(key.full_name() + " is "), std::string::npos)
          << key.full_name() << " is " << toml_of(value) << ": " << refusal;
      EXPECT_NE(refusal.find(key.range->words()), std::string::npos) << refusal;
    }
  }
}

TEST(RequireValid, NamesTheKeyOfASceneMadeInCode) {
  SceneSpec scene;
  scene.background_photons = -1;
  try {
    require_valid(scene);
    FAIL();
  } catch (const InvalidSpec& error) {
    EXPECT_STREQ(
        error.what(),
        "check the scene: background.photons_per_pixel is -1; give 0 to 1e9 (photons per pixel and "
        "exposure)");
  }
}

struct Override {
  const char* name;
  const char* assignment;
  const char* key;
  const char* json;
};
constexpr Override kOverrides[] = {
    {"number", "optics.na=1.2", "/optics/na", "1.2"},
    {"whole_number_for_number", "optics.na=1", "/optics/na", "1.0"},
    {"count", "nuclei.count=3", "/nuclei/count", "3"},
    {"bare_word", "nuclei.border=cut", "/nuclei/border", "\"cut\""},
    {"quoted_word", "nuclei.border=\"cut\"", "/nuclei/border", "\"cut\""},
    {"bare_list", "grid.size=8,9,10", "/grid/size", "[8, 9, 10]"},
    {"list", "grid.pitch_nm=[300, 100, 100]", "/grid/pitch_nm", "[300.0, 100.0, 100.0]"},
    {"seed", "seed=7", "/seed", "7"},
    {"switch", "optics.pixel_integration=true", "/optics/pixel_integration", "true"},
    {"spaces", "optics.na = 1.1", "/optics/na", "1.1"},
    {"terms", "optics.zernike=5:0.1, 8:-0.05", "/optics/zernike", "\"5: 0.1, 8: -0.05\""},
    {"quoted_terms", "optics.zernike=\"5: 0.1, 8: -0.05\"", "/optics/zernike",
     "\"5: 0.1, 8: -0.05\""},
    {"path_with_a_comma", "camera.gain_map=\"a,b.tif\"", "/camera/gain_map", "\"a,b.tif\""},
    {"path", "camera.gain_map=maps/gain.tif", "/camera/gain_map", "\"maps/gain.tif\""},
};
class SceneOverride : public testing::TestWithParam<Override> {};

TEST_P(SceneOverride, SetsOneKeyAndNoOther) {
  SceneSpec scene;
  apply_override(scene, GetParam().assignment);
  auto expected = parse_json(to_json(SceneSpec{}));
  expected[Json::json_pointer{GetParam().key}] = parse_json(GetParam().json);
  EXPECT_EQ(parse_json(to_json(scene)), expected);
}

INSTANTIATE_TEST_SUITE_P(Assignments, SceneOverride, testing::ValuesIn(kOverrides),
                         test::kCaseName);

struct RefusedOverride {
  const char* name;
  const char* assignment;
  const char* fragment;
};
constexpr RefusedOverride kRefusedOverrides[] = {
    {"no_equals", "optics.na", "is not key=value"},
    {"no_key", "=3", "is not key=value"},
    {"unknown_key", "optics.nna=1", "did you mean na?"},
    {"unknown_table", "optic.na=1", "did you mean [optics]?"},
    {"wrong_unit", "grid.pitch_um=1,1,1", "grid.pitch_nm"},
    {"out_of_range", "camera.bit_depth=17", "camera.bit_depth is 17; give 1 to 16"},
    {"word_for_number", "optics.na=high", "optics.na is 'high'; give a number"},
    {"empty", "optics.na=", "give a number"},
};
class RefusedAssignment : public testing::TestWithParam<RefusedOverride> {};

TEST_P(RefusedAssignment, LeavesTheSceneAsItWas) {
  SceneSpec scene;
  const auto before = to_toml(scene);
  try {
    apply_override(scene, GetParam().assignment);
    FAIL() << "it was accepted";
  } catch (const InvalidSpec& error) {
    EXPECT_NE(std::string{error.what()}.find(GetParam().fragment), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(to_toml(scene), before);
}

INSTANTIATE_TEST_SUITE_P(Assignments, RefusedAssignment, testing::ValuesIn(kRefusedOverrides),
                         test::kCaseName);

class SceneFolder : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("synthoscope_scene_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path write(const char* name, const std::string& text) const {
    std::ofstream{folder_ / name} << text;
    return folder_ / name;
  }
  std::filesystem::path folder_;
};

TEST_F(SceneFolder, NamesMapsFromTheFolderOfTheScene) {
  const auto path = write("a.toml", "[camera]\noffset_map = \"maps/offset.tif\"\n");
  EXPECT_EQ(read_scene(path).camera.offset_map, folder_ / "maps/offset.tif");
  const auto other = write("b.toml",
                           "[volume]\nlabels = \"l.tif\"\nintensity = \"i.tif\"\n"
                           "[neuron]\nfile = \"n.swc\"\n[optics]\nfile = \"p.tif\"\n");
  const SceneSpec scene = read_scene_of_sweep(other);
  EXPECT_EQ(scene.volume.labels, folder_ / "l.tif");
  EXPECT_EQ(scene.volume.intensity, folder_ / "i.tif");
  EXPECT_EQ(scene.neuron.file, folder_ / "n.swc");
  EXPECT_EQ(scene.optics.file, folder_ / "p.tif");
}

TEST_F(SceneFolder, ReadsACameraWithOrWithoutItsTable) {
  const auto chosen = read_camera(write("ccd.toml", "bit_depth = 14\nkind = \"ccd\"\n")).camera;
  EXPECT_EQ(chosen.kind, CameraKind::ccd);
  EXPECT_EQ(chosen.read_noise_electrons, 10);  // of the kind, in whatever order keys come
  EXPECT_EQ(chosen.bit_depth, 14);
  const auto bare = read_camera(write("bare.toml", "bit_depth = 12\n")).camera;
  const auto table = read_camera(write("table.toml", "[camera]\nbit_depth = 12\n")).camera;
  EXPECT_EQ(read_camera(write("three.toml", "binning = 3\n")).camera.binning, 3);
  EXPECT_EQ(bare.bit_depth, 12);
  EXPECT_EQ(table.bit_depth, 12);
  EXPECT_THROW(read_camera(write("wrong.toml", "bit_depht = 12\n")), InvalidSpec);
}

TEST_F(SceneFolder, SaysWhatIsWrongWithAFileThatCannotBeRead) {
  EXPECT_THROW(read_scene(folder_ / "missing.toml"), IoError);
  EXPECT_THROW(read_scene(folder_), IoError);
  EXPECT_THROW(read_scene(write("big.toml", std::string(std::size_t{2} << 20, '#'))), InvalidSpec);
  EXPECT_THROW(read_scene(write("deep.toml", "a = " + std::string(100000, '['))), InvalidSpec);
}

}  // namespace
}  // namespace synthoscope::simulator
