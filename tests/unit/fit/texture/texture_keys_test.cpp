// SPDX-License-Identifier: MIT
#include "fit/texture/texture_keys.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <string_view>

namespace synthoscope::fit {
namespace {

using simulator::NucleiKind;
using simulator::SceneSpec;

bool has_texture_key(const std::vector<FittedKey>& keys, std::string_view name) {
  return std::any_of(keys.begin(), keys.end(),
                     [&](const FittedKey& key) { return key.key == name; });
}

TEST(TextureKeys, AreThoseThatChangeTheImagesOfTheScene) {
  SceneSpec scene;  // ten nuclei with the texture chromatin, without nucleoli
  EXPECT_TRUE(has_texture_key(texture_keys(scene), "nuclei.texture_contrast"));
  EXPECT_FALSE(has_texture_key(texture_keys(scene), "nuclei.lacuna_share"));
  EXPECT_FALSE(has_texture_key(texture_keys(scene), "nuclei.nucleolus_radius"));
  give_stain(scene, NucleiKind::adherent, {});
  EXPECT_TRUE(has_texture_key(texture_keys(scene), "nuclei.lacuna_share"));
  EXPECT_TRUE(has_texture_key(texture_keys(scene), "nuclei.nucleolus_radius"));
  scene.nuclei.count = 0;
  scene.cells.count = 3;
  EXPECT_TRUE(has_texture_key(texture_keys(scene), "cells.cytoplasm_contrast"));
  scene.cells.count = 0;
  EXPECT_TRUE(texture_keys(scene).empty());
}

TEST(Stain, OfEveryKindReplacesThatOfAnyOther) {
  for (const auto& [from, from_name] : simulator::kNucleiKindNames)
    for (const auto& [to, to_name] : simulator::kNucleiKindNames) {
      SceneSpec scene, typical;
      give_stain(scene, from, {});
      give_stain(scene, to, {});
      set_typical(typical.nuclei, to);
      EXPECT_EQ(scene.nuclei.texture, typical.nuclei.texture) << from_name << to_name;
      EXPECT_EQ(scene.nuclei.nucleolus_height, typical.nuclei.nucleolus_height);
      EXPECT_EQ(scene.nuclei.envelope_density, typical.nuclei.envelope_density);
      EXPECT_EQ(scene.nuclei.radius_um, SceneSpec{}.nuclei.radius_um);  // shapes stay
    }
}

TEST(Stain, KeepsFixedKeys) {
  SceneSpec scene;
  scene.nuclei.texture_contrast = 0.33;
  give_stain(scene, NucleiKind::mouse, {"nuclei.texture_contrast"});
  EXPECT_EQ(scene.nuclei.texture_contrast, 0.33);
  EXPECT_EQ(scene.nuclei.texture, simulator::TextureKind::domains);
}

TEST(Stain, BecomesWeakerInAllOfItsContrasts) {
  SceneSpec scene;
  give_stain(scene, NucleiKind::mouse, {});
  const simulator::NucleiSpec before = scene.nuclei;
  weaken_stain(scene, 0.5, {"nuclei.clump_density"});
  EXPECT_EQ(scene.nuclei.texture_contrast, before.texture_contrast / 2);
  EXPECT_EQ(scene.nuclei.envelope_density, before.envelope_density / 2);
  EXPECT_EQ(scene.nuclei.clump_density, before.clump_density);
  EXPECT_EQ(scene.nuclei.lacuna_density, (1 + before.lacuna_density) / 2);
  EXPECT_EQ(scene.nuclei.nucleolus_density, (1 + before.nucleolus_density) / 2);
}

}  // namespace
}  // namespace synthoscope::fit
