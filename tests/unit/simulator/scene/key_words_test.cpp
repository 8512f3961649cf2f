// SPDX-License-Identifier: MIT
#include "simulator/scene/key_words.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include "simulator/scene/file/scene_file.hpp"

namespace synthoscope::simulator {
namespace {

TEST(ExampleLine, IsOneThatSetTakesForEveryKey) {
  for (const SceneKey& key : scene_keys()) {
    SceneSpec scene;
    EXPECT_NO_THROW(apply_override(scene, example_line(key))) << example_line(key);
    EXPECT_FALSE(std::holds_alternative<std::monostate>(key.get(scene))) << key.full_name();
  }
}

TEST(DefaultWords, NameWhatOtherKindsChoose) {
  EXPECT_EQ(default_words(*find_key("nuclei.radius_um")),
            "3, hl60 4.5, granulocyte 2.5, fibroblast 5.2, adherent 4.8, mouse 4.8");
  EXPECT_EQ(default_words(*find_key("nuclei.layers"), "`"), "`1`");
  EXPECT_EQ(default_words(*find_key("time.bleaching_seconds")), "no bleaching");
}

TEST(KeysAbout, AreThoseWithAllWordsAndNamesComeFirst) {
  const auto all = keys_about("");
  EXPECT_EQ(all.size(), scene_keys().size());
  const auto found = keys_about("Radius NUCLEI");
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front()->full_name(), "nuclei.radius_um");
  const auto is_named = [](const SceneKey* key) {
    return key->full_name().find("radius") != std::string::npos &&
           key->full_name().find("nuclei") != std::string::npos;
  };
  EXPECT_TRUE(std::is_partitioned(found.begin(), found.end(), is_named));
  EXPECT_TRUE(keys_about("zebra").empty());
}

}  // namespace
}  // namespace synthoscope::simulator
