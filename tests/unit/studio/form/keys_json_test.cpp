// SPDX-License-Identifier: MIT
#include "studio/form/keys_json.hpp"
#include <gtest/gtest.h>
#include <set>
#include <string>
#include "core/base/json.hpp"
#include "simulator/scene/keys.hpp"
#include "studio/stages.hpp"

namespace synthoscope::studio {
namespace {

Json key_named(const std::string& full) {
  for (const Json& table : keys_json())
    for (const Json& key : table.at("keys"))
      if (key.at("full") == full) return key;
  return nullptr;
}

TEST(KeysJson, HasEveryKeyOnceInTheOrderOfTheReference) {
  std::vector<std::string> expected, found;
  std::set<std::string> tables;
  for (const simulator::SceneKey& key : simulator::scene_keys())
    expected.push_back(key.full_name());
  for (const Json& table : keys_json()) {
    EXPECT_TRUE(tables.insert(table.at("table")).second) << table.at("table");
    for (const Json& key : table.at("keys")) found.push_back(key.at("full"));
  }
  EXPECT_EQ(found, expected);
}

TEST(KeysJson, DescribesEachKey) {
  for (const Json& table : keys_json())
    for (const Json& key : table.at("keys")) {
      EXPECT_NE(key.at("kind"), "unknown") << key;
      EXPECT_TRUE(named_in(kStageNames, key.at("stage").get<std::string>())) << key;
      EXPECT_FALSE(key.at("help").get<std::string>().empty()) << key;
      EXPECT_TRUE(!key.at("default").is_null() || key.at("optional").get<bool>()) << key;
      EXPECT_EQ(key.at("optional").get<bool>(), !key.at("absent").get<std::string>().empty());
      const bool has_words = key.at("kind") == "choice" || key.at("kind") == "text_or_number";
      EXPECT_EQ(has_words, !key.at("choices").empty()) << key;
    }
}

struct KeyCase {
  std::string full;
  Json expected;  ///< some of the members
};

TEST(KeysJson, GivesKindsRangesAndDefaults) {
  const std::vector<KeyCase> cases{
      {"optics.na",
       {{"name", "na"},
        {"kind", "number"},
        {"low", 0.01},
        {"high", 4.0},
        {"low_open", false},
        {"high_open", false},
        {"default", 1.4},
        {"optional", false},
        {"stage", "optics"}}},
      {"camera.exposure_seconds",
       {{"unit", "s"}, {"low", 0.0}, {"low_open", true}, {"high", 1e6}, {"default", 0.1}}},
      {"seed",
       {{"kind", "integer"},
        {"low", 0.0},
        {"high", nullptr},
        {"default", nullptr},
        {"optional", true},
        {"absent", "random, and recorded in scene.json"}}},
      {"grid.size", {{"kind", "list_of_integers"}, {"default", {64, 256, 256}}}},
      {"grid.pitch_nm", {{"kind", "list_of_numbers"}, {"default", {250.0, 90.0, 90.0}}}},
      {"grid.masks",
       {{"kind", "choice"},
        {"choices", {"section", "footprint"}},
        {"default", "section"},
        {"low", nullptr},
        {"high", nullptr}}},
      {"optics.axial_origin",
       {{"kind", "text_or_number"}, {"choices", {"focus", "nominal"}}, {"default", "focus"}}},
      {"optics.zernike", {{"kind", "terms"}, {"default", ""}}},
      {"optics.file", {{"kind", "file"}, {"default", nullptr}}},
      {"output.light", {{"kind", "switch"}, {"default", false}, {"stage", "other"}}},
  };
  for (const KeyCase& one : cases) {
    const Json key = key_named(one.full);
    for (const auto& [member, value] : one.expected.items())
      EXPECT_EQ(key.at(member), value) << one.full << ": " << member;
  }
}

}  // namespace
}  // namespace synthoscope::studio
