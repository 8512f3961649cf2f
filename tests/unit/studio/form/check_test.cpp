// SPDX-License-Identifier: MIT
#include "studio/form/check.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <fstream>
#include <string>
#include "core/base/json.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/scene/keys.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/studio/form/example_scenes.hpp"

namespace synthoscope::studio {
namespace {

using test::example_scenes;

TEST(Check, AcceptsEveryExample) {
  for (const auto& [name, text] : example_scenes()) {
    const Json result = check_json(text, std::filesystem::path{SYNTHOSCOPE_EXAMPLES} / name);
    EXPECT_EQ(result.at("ok"), true) << name << ": " << result;
    EXPECT_EQ(result.at("sweep").is_object(), text.find("\n[sweep]") != std::string::npos) << name;
  }
}

TEST(Check, GivesTheValueOfEveryKey) {
  const Json values = check_json("optics.na = 1.2\n", "scene.toml").at("values");
  const auto scene = simulator::parse_scene("optics.na = 1.2", "a scene");
  EXPECT_EQ(values.size(), simulator::scene_keys().size());
  for (const simulator::SceneKey& key : simulator::scene_keys())
    EXPECT_EQ(values.at(key.full_name()), simulator::json_of(key.get(scene))) << key.full_name();
}

TEST(Check, SaysWhatASweepMakes) {
  EXPECT_EQ(check_json("", "scene.toml").at("sweep"), nullptr);
  const Json sweep =
      check_json("[sweep]\noptics.na = {from = 0.8, to = 1.2, step = 0.2}\nrepeats = 2\n",
                 "scene.toml")
          .at("sweep");
  EXPECT_EQ(sweep.at("keys"),
            (Json::array({{{"key", "optics.na"}, {"values", {"0.8", "1", "1.2"}}}})));
  EXPECT_EQ(sweep.at("repeats"), 2);
  EXPECT_EQ(sweep.at("seed"), "own");
  EXPECT_EQ(sweep.at("sets"), 6);
}

TEST(Check, SaysWhatTheSceneGivesAndUses) {
  const Json valid = check_json(
      "seed = 3\n[grid]\nsize = [4, 32, 48]\npitch_nm = [400, 130, 130]\n[beads]\ncount = 3\n"
      "[optics]\nmodel = \"file\"\nfile = \"psf.tif\"\nfile_pitch_nm = [100, 50, 50]\n"
      "[[channel]]\nname = \"red\"\nlight.beads = 1\npattern.contrast = 0.5\n",
      "folder/scene.toml");
  ASSERT_EQ(valid.at("ok"), true) << valid;
  EXPECT_EQ(valid.at("given"),
            Json::array({"seed", "grid.size", "grid.pitch_nm", "beads.count", "optics.model",
                         "optics.file", "optics.file_pitch_nm"}));
  EXPECT_EQ(valid.at("used_tables"), Json::array({"", "grid", "beads", "light", "background",
                                                  "illumination", "pattern", "optics", "camera"}));
  EXPECT_EQ(valid.at("channels"), Json::array({"red"}));
  EXPECT_EQ(valid.at("values").at("optics.file"), "psf.tif") << "as it is written";
  EXPECT_EQ(valid.at("grid").at("extent"), Json::array({4, 32, 48}));
  EXPECT_EQ(valid.at("grid").at("voxel_um"), Json::array({0.4, 0.13, 0.13}));
}

TEST(Check, NamesTheChannelOfAFault) {
  const Json wrong =
      check_json("[[channel]]\nname = \"a\"\nlight.nuclei = 1\noptics.na = 9\n", "scene.toml");
  EXPECT_EQ(wrong.at("line"), 4);
  EXPECT_EQ(wrong.at("fault"), "channel a: optics.na is 9; give 0.01 to 4");
}

TEST(Check, GivesWhatEachChannelSees) {
  const Json valid = check_json(
      "[beads]\ncount = 3\n[optics]\nna = 1.2\n[[channel]]\nname = \"red\"\nlight.beads = 1\n"
      "[[channel]]\nname = \"green\"\noptics.na = 1.1\nlight.beads = 0.5\n",
      "scene.toml");
  ASSERT_EQ(valid.at("ok"), true) << valid;
  const Json& channels = valid.at("in_channels");
  ASSERT_EQ(channels.size(), 2u);
  EXPECT_EQ(channels[0].at("given"), Json::array({"light.beads"}));
  EXPECT_EQ(channels[1].at("given"), Json::array({"light.beads", "optics.na"}));
  EXPECT_EQ(channels[0].at("values").at("optics.na"), 1.2);
  EXPECT_EQ(channels[1].at("values").at("optics.na"), 1.1);
  EXPECT_EQ(channels[1].at("values").at("light.nuclei"), 0) << "dark where it is not given";
  EXPECT_FALSE(channels[0].at("values").contains("beads.count"));
  EXPECT_EQ(check_json("seed = 1\n", "scene.toml").at("in_channels"), Json::array());
}

TEST(Check, FindsFilesBesideTheScene) {
  const std::string text = "[neuron]\nfile = \"neuron.swc\"\n";
  const std::filesystem::path examples{SYNTHOSCOPE_EXAMPLES};
  const Json found = check_json(text, examples / "scene.toml");
  EXPECT_EQ(found.at("ok"), true) << found;
  EXPECT_EQ(found.at("values").at("neuron.file"), "neuron.swc") << "as it is written";
  const Json missing = check_json(text, examples / "elsewhere" / "scene.toml");
  EXPECT_EQ(missing.at("ok"), false);
  EXPECT_EQ(missing.at("keys"), Json::array({"neuron.file"}));
}

TEST(Check, UsesNucleiIfThereAreNoOtherObjects) {
  const auto uses = [](const std::string& text, const std::string& table) {
    const Json tables = check_json(text, "scene.toml").at("used_tables");
    return std::find(tables.begin(), tables.end(), table) != tables.end();
  };
  EXPECT_TRUE(uses("seed = 1", "nuclei"));
  EXPECT_FALSE(uses("[beads]\ncount = 2", "nuclei"));
}

struct WrongText {
  const char* text;
  Json line, keys;
};

/// Returns the message of the command line.
std::string message_of_file(const std::filesystem::path& file) {
  try {
    static_cast<void>(simulator::read_scene(file));
  } catch (const InvalidSpec& problem) {
    return problem.what();
  }
  return "no message";
}

TEST(Check, HasTheMessagesOfTheCommandLine) {
  const std::vector<WrongText> cases{
      {"seed = 1\n[optics]\nna = \"wide\"\n", 3, {"optics.na"}},
      {"[optics]\nna = 9\n", 2, {"optics.na"}},
      {"[optics]\n\nnaa = 1.2\n", 3, Json::array()},
      {"[optic]\nna = 1.2\n", 1, Json::array()},
      {"[optics]\nna = = 1\n", 2, Json::array()},
      {"[optics]\nna = 9\n[camera]\nbit_depth = 40\n", 2, {"optics.na", "camera.bit_depth"}},
      {"[grid]\nsize = [4, 31, 32]\n[camera]\nbinning = 2\n",
       nullptr,
       {"grid.size", "camera.binning"}},
      {"[[channel]]\nname = \"a\"\nlight.nuclei = 1\noptics.na = 2\n", nullptr, Json::array()},
      {"[[channel]]\nname = \"a\"\nlight.nuclei = 1\noptics.na = 9\n", 4, {"optics.na"}},
  };
  const synthoscope::test::TemporaryFolder folder;
  const auto file = folder.path() / "scene.toml";
  for (const WrongText& one : cases) {
    std::ofstream{file} << one.text;
    const Json result = check_json(one.text, file);
    EXPECT_EQ(result.at("ok"), false) << one.text;
    EXPECT_EQ(result.at("error"), message_of_file(file)) << one.text;
    EXPECT_EQ(result.at("line"), one.line) << result;
    const auto fault = result.at("fault").get<std::string>();
    EXPECT_FALSE(fault.empty()) << result;
    EXPECT_EQ(fault.substr(0, fault.find('\n')).find("line "), std::string::npos) << fault;
    EXPECT_EQ(fault.find("scene.toml"), std::string::npos) << fault;
    for (const Json& key : one.keys)
      EXPECT_NE(fault.find(key.get<std::string>()), std::string::npos) << fault;
    for (const Json& key : one.keys)
      EXPECT_NE(std::find(result.at("keys").begin(), result.at("keys").end(), key),
                result.at("keys").end())
          << result;
    EXPECT_EQ(result.at("keys").empty(), one.keys.empty()) << result;
  }
}

TEST(Check, ChecksEverySceneOfASweep) {
  const std::string of_emccd = "[camera]\nem_gain = 100\n[sweep]\ncamera.kind = ";
  EXPECT_EQ(check_json(of_emccd + "[\"emccd\"]", "scene.toml").at("ok"), true);
  const Json wrong = check_json(
      "[optics]\nimmersion_index = 1.3\nna = 1.2\n[sweep]\n"
      "optics.na = [1.1, 1.4]\n",
      "scene.toml");
  EXPECT_EQ(wrong.at("ok"), false);
  EXPECT_EQ(wrong.at("line"), nullptr);
  EXPECT_NE(wrong.at("error").get<std::string>().find("data set na-1.4"), std::string::npos)
      << wrong;
}

}  // namespace
}  // namespace synthoscope::studio
