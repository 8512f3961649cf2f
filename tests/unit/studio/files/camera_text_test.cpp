// SPDX-License-Identifier: MIT
#include "studio/files/camera_text.hpp"
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>
#include "core/base/error.hpp"

namespace synthoscope::studio {
namespace {

TEST(CameraText, IsToldFromAScene) {
  for (const auto& [text, is_camera] : std::vector<std::pair<const char*, bool>>{
           {"kind = \"scmos\"\ngain_dn_per_electron = 2.2  # +- 0.1\n", true},
           {"[camera]\noffset_dn = 3\n", true},
           {"kind = \"scmos\"\nseed = 3\n", false},
           {"[camera]\noffset_dn = 3\n[grid]\nsize = [1, 2, 3]\n", false},
           {"", false},
           {"# nothing\n", false}})
    EXPECT_EQ(is_camera_text(text, "a.toml"), is_camera) << text;
  EXPECT_THROW(is_camera_text("no TOML", "a.toml"), InvalidSpec);
}

TEST(CameraText, ReplacesAllKeysOfTheCameraAndNothingElse) {
  const std::string before = "seed = 3  # mine\n";
  const std::string camera = "offset_dn = 101.5  # +- 0.2\ngain_dn_per_electron = 2\n";
  struct Row {
    std::string scene, changed;
  };
  for (const auto& [scene, changed] : std::vector<Row>{
           {before + "[camera]\noffset_dn = 7  # old\nem_gain = 3\n",
            before + "[camera]\noffset_dn = 101.5  # old\ngain_dn_per_electron = 2\n"},
           {before, before + "\n[camera]\ngain_dn_per_electron = 2\noffset_dn = 101.5\n"},
       })
    EXPECT_EQ(with_camera(scene, camera, "a.toml"), changed);
}

TEST(CameraText, IsRefusedByItsNameIfAKeyIsWrong) {
  try {
    with_camera("", "offset_dn = 3\ngain_dn_per_electron = -1\n", "mine.toml");
    FAIL() << "it was accepted";
  } catch (const InvalidSpec& problem) {
    EXPECT_NE(std::string{problem.what()}.find("mine.toml, line 2"), std::string::npos)
        << problem.what();
  }
}

}  // namespace
}  // namespace synthoscope::studio
