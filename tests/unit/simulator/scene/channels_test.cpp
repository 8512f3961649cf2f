// SPDX-License-Identifier: MIT
// channels_test.cpp — channels of a scene: what each sees, how they are written, what is refused.
#include "simulator/scene/channels.hpp"
#include <gtest/gtest.h>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/scene/file/sweep.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::simulator {
namespace {

using synthoscope::test::expect_failure;

constexpr const char* kTwoColours =
    "seed = 3\n[optics]\nna = 1.2\n[camera]\nbit_depth = 14\n"
    "[[channel]]\nname = \"dapi\"\noptics.wavelength_nm = 461\nlight.nuclei = 1\n"
    "[[channel]]\nname = \"gfp\"\nlight.beads = 1\nlight.nuclei = 0.05\n"
    "camera.gain_dn_per_electron = 3\ncamera.kind = \"ccd\"\n";

SceneSpec two_colours() {
  return parse_scene(kTwoColours, "two.toml");
}

TEST(Channels, HaveTheirOwnKeysAndElseThoseOfTheScene) {
  const auto channels = channels_of(two_colours());
  ASSERT_EQ(channels.size(), 2u);
  EXPECT_EQ(channels[0].name, "dapi");
  EXPECT_EQ(channels[0].number, 0u);
  EXPECT_EQ(channels[0].scene.optics.wavelength_nm, 461);
  EXPECT_EQ(channels[0].scene.camera.kind, CameraKind::scmos);
  EXPECT_EQ(channels[0].scene.camera.bit_depth, 14);
  EXPECT_EQ(channels[1].number, 1u);
  EXPECT_EQ(channels[1].scene.optics.wavelength_nm, OpticsSpec{}.wavelength_nm);
  for (const auto& channel : channels) {
    EXPECT_EQ(channel.scene.optics.na, 1.2);
    EXPECT_EQ(channel.scene.seed, 3);
    EXPECT_TRUE(channel.scene.channels.empty());
  }
}

TEST(Channels, SeeNoKindThatTheyDoNotName) {
  const auto channels = channels_of(two_colours());
  LightSpec dapi = no_light(), gfp = no_light();
  dapi.nuclei = gfp.beads = 1;
  gfp.nuclei = 0.05;
  EXPECT_EQ(channels[0].scene.light, dapi);
  EXPECT_EQ(channels[1].scene.light, gfp);
}

TEST(Channels, ReadKeysThatSetOthersFirstWhereverTheyStand) {
  const auto gfp = channel_of(two_colours(), "gfp").scene.camera;
  EXPECT_EQ(gfp.kind, CameraKind::ccd);
  EXPECT_EQ(gfp.gain_dn_per_electron, 3);
  EXPECT_EQ(gfp.read_noise_electrons, typical_camera(CameraKind::ccd).read_noise_electrons);
  EXPECT_EQ(gfp.bit_depth, 14);  // and not a ccd's 12: the scene gives it
}

TEST(Channels, KeepWhatTheSceneGivesBesideAKindWhereverItIsGiven) {
  // The file, a channel, --set and a sweep follow one rule
  const std::string camera = "[camera]\nbit_depth = 14\n", kind = "kind = \"ccd\"\n";
  const auto expected = parse_scene(camera + kind, "file").camera;
  EXPECT_EQ(expected.bit_depth, 14);
  EXPECT_EQ(expected.full_well_electrons, 40000);
  const auto same = [&](const CameraSpec& found, const char* by) {
    SceneSpec a, b;
    a.camera = expected;
    b.camera = found;
    EXPECT_EQ(to_toml(b), to_toml(a)) << by;
  };
  const auto in_channel = parse_scene(
      camera + "[[channel]]\nname = \"a\"\nlight.nuclei = 1\ncamera." + kind, "channel");
  same(channel_of(in_channel, "a").scene.camera, "channel");
  SceneSpec overridden = parse_scene(camera, "set");
  apply_override(overridden, "camera.kind=ccd");
  same(overridden.camera, "--set");
  const synthoscope::test::TemporaryFolder folder;
  const auto path = folder.write("s.toml", camera + "[sweep]\ncamera.kind = [\"ccd\"]\n");
  same(sets_of(read_scene_of_sweep(path), read_sweep(path), 7).at(0).scene.camera, "sweep");
}

TEST(Channels, OfASceneWithoutAnyAreTheSceneItself) {
  const auto channels = channels_of(SceneSpec{});
  ASSERT_EQ(channels.size(), 1u);
  EXPECT_EQ(channels[0].name, "");
  EXPECT_EQ(channels[0].scene.light, LightSpec{});
}

TEST(Channels, KeepPointsApartFromBodiesThatOthersSee) {
  const auto scene = parse_scene(
      "[nuclei]\ncount = 3\n[target]\nkind = \"points\"\n[[channel]]\nname = "
      "\"points\"\nlight.target = 1\n"
      "[[channel]]\nname = \"bodies\"\nlight.nuclei = 1\n",
      "both.toml");
  const auto channels = channels_of(scene);
  EXPECT_EQ(blur_optics(channels[0].scene).pixel_integration, true);
  EXPECT_EQ(blur_optics(channels[1].scene).pixel_integration, false);
}

TEST(Channels, ArePrintedAsTheyAreRead) {
  const auto scene = two_colours();
  const auto again = parse_scene(to_toml(scene), "again.toml");
  EXPECT_EQ(again.channels, scene.channels);
  EXPECT_EQ(to_toml(again), to_toml(scene));
  for (const char* name : {"dapi", "gfp"})
    EXPECT_EQ(to_toml(channel_of(again, name).scene), to_toml(channel_of(scene, name).scene));
  EXPECT_EQ(to_json(again), to_json(scene));
  EXPECT_EQ(to_toml(SceneSpec{}).find("[[channel]]"), std::string::npos);
  EXPECT_FALSE(parse_json(to_json(SceneSpec{})).contains("channel"));
}

TEST(Channels, AreWholeInJsonWithTheKeysOfTheScene) {
  const auto scene = two_colours();
  Json json = parse_json(to_json(scene));
  const Json gfp = json.at("channel").at(1);
  EXPECT_EQ(gfp.at("name"), "gfp");
  for (const auto& [table, keys] : gfp.items())
    if (keys.is_object())
      for (const auto& [key, value] : keys.items()) json[table][key] = value;
  json.erase("channel");
  EXPECT_EQ(json, parse_json(to_json(channel_of(scene, "gfp").scene)));
}

TEST(Channels, TakeFilesFromTheFolderOfTheScene) {
  const synthoscope::test::TemporaryFolder folder;
  const auto path = folder.write("s.toml",
                                 "[[channel]]\nname = \"a\"\nlight.nuclei = 1\n"
                                 "illumination.flat_field = \"flat.tif\"\n");
  EXPECT_EQ(channel_of(read_scene(path), "a").scene.illumination.flat_field, folder / "flat.tif");
}

TEST(Channels, AreChangedByName) {
  auto scene = two_colours();
  apply_override(scene, "channel.gfp.optics.na=0.9");
  apply_override(scene, "channel.gfp.light.nuclei=0");
  apply_override(scene, "optics.na=1.1");
  EXPECT_EQ(channel_of(scene, "gfp").scene.optics.na, 0.9);
  EXPECT_EQ(channel_of(scene, "gfp").scene.light.nuclei, 0);
  EXPECT_EQ(channel_of(scene, "dapi").scene.optics.na, 1.1);
}

TEST(Channels, AreSweptByName) {
  const synthoscope::test::TemporaryFolder folder;
  const auto path = folder.write(
      "s.toml", std::string{kTwoColours} +
                    "[sweep]\nchannel.gfp.light.nuclei = [0, 0.1]\noptics.na = [0.8, 1]\n");
  const auto sweep = read_sweep(path);
  const auto sets = sets_of(read_scene_of_sweep(path), sweep, 7);
  ASSERT_EQ(sets.size(), 4u);
  EXPECT_EQ(sets[3].folder, "nuclei-0.1_na-1");
  EXPECT_EQ(channel_of(sets[3].scene, "gfp").scene.light.nuclei, 0.1);
  EXPECT_EQ(channel_of(sets[3].scene, "dapi").scene.light.nuclei, 1);
  EXPECT_EQ(channel_of(sets[3].scene, "dapi").scene.optics.na, 1);
  const auto printed = folder.write("again.toml", to_toml(read_scene_of_sweep(path), sweep));
  EXPECT_EQ(read_sweep(printed).axes.size(), 2u);
}

struct RefusedChannel {
  const char* name;
  const char* toml;
  const char* place;
  const char* fragment;
};

const RefusedChannel kRefusedChannels[] = {
    {"one_table", "[channel]\nname = \"a\"\n", "line 1", "write [[channel]]"},
    {"no_name", "[[channel]]\nlight.nuclei = 1\n", "line 1", "a channel needs a name"},
    {"name_is_a_number", "[[channel]]\nname = 3\n", "line 2", "a channel needs a name"},
    {"name_with_a_blank", "[[channel]]\nname = \"a b\"\nlight.nuclei = 1\n", "first.toml",
     "is called \"a b\"; give a name of 1 to 32 letters"},
    {"name_that_leads_away", "[[channel]]\nname = \"../x\"\nlight.nuclei = 1\n", "first.toml",
     "is called \"../x\""},
    {"same_name",
     "[[channel]]\nname = \"a\"\nlight.nuclei = 1\n[[channel]]\nname = \"A\"\nlight.nuclei = 1\n",
     "first.toml", "two channels are called a and A, which"},
    {"no_light", "[[channel]]\nname = \"a\"\noptics.na = 1\n", "first.toml",
     "channel a names no light"},
    {"light_of_all", "[light]\nbeads = 0\n[[channel]]\nname = \"a\"\nlight.nuclei = 1\n",
     "first.toml", "[light] is for scenes without channels"},
    {"grid", "[[channel]]\nname = \"a\"\nlight.nuclei = 1\ngrid.size = [1, 2, 3]\n",
     "channel a, line 4", "grid.size is the same in all channels"},
    {"phantom", "[[channel]]\nname = \"a\"\nlight.nuclei = 1\nnuclei.count = 3\n",
     "channel a, line 4", "nuclei.count is the same in all channels"},
    {"seed", "[[channel]]\nname = \"a\"\nlight.nuclei = 1\nseed = 3\n", "channel a, line 4",
     "seed is the same in all channels"},
    {"unknown_key", "[[channel]]\nname = \"a\"\nlight.nuclei = 1\noptics.an = 1\n",
     "channel a, line 4", "there is no key optics.an; did you mean na?"},
    {"unknown_table", "[[channel]]\nname = \"a\"\nlight.nuclei = 1\noptcs.na = 1\n",
     "channel a, line 4", "did you mean [optics]?"},
    {"wrong_value", "[[channel]]\nname = \"a\"\nlight.nuclei = -1\n", "channel a, line 3",
     "light.nuclei is -1; give 0 to 1e6"},
    {"preset_against_kind",
     "[[channel]]\nname = \"a\"\nlight.nuclei = 1\ncamera.preset = \"icx285\"\n"
     "camera.kind = \"scmos\"\n",
     "first.toml", "channel a: camera.kind is \"scmos\", and camera.preset \"icx285\""},
    {"not_together", "[[channel]]\nname = \"a\"\nlight.nuclei = 1\noptics.na = 1.6\n", "first.toml",
     "channel a: optics: the numerical aperture 1.6 is not below"},
};

class RefusedChannels : public testing::TestWithParam<RefusedChannel> {};

TEST_P(RefusedChannels, AreAnsweredByNameAndLine) {
  expect_failure<InvalidSpec>([] { parse_scene(GetParam().toml, "first.toml"); },
                              {GetParam().place, GetParam().fragment});
}

INSTANTIATE_TEST_SUITE_P(Cases, RefusedChannels, testing::ValuesIn(kRefusedChannels),
                         synthoscope::test::kCaseName);

TEST(RefusedChannelKeys, SayWhichChannelsThereAre) {
  auto scene = two_colours();
  expect_failure<InvalidSpec>([&] { channel_of(scene, "rfp"); },
                              {"there is no channel rfp; the scene has dapi, gfp"});
  expect_failure<InvalidSpec>([&] { channel_of(SceneSpec{}, "rfp"); }, {"has no [[channel]]"});
  expect_failure<InvalidSpec>([&] { apply_override(scene, "channel.rfp.optics.na=1"); },
                              {"there is no channel rfp"});
  expect_failure<InvalidSpec>([&] { apply_override(scene, "channel.gfp.optics.an=1"); },
                              {"there is no key optics.an; did you mean na?"});
  expect_failure<InvalidSpec>([&] { apply_override(scene, "channel.gfp=1"); },
                              {"name a key of one"});
  expect_failure<InvalidSpec>([&] { apply_override(scene, "channel.gfp.frames=2"); },
                              {"frames is the same in all channels"});
  EXPECT_EQ(scene.channels, two_colours().channels);
}

}  // namespace
}  // namespace synthoscope::simulator
