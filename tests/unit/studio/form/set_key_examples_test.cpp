// SPDX-License-Identifier: MIT
// Every key in every scene of examples/: changed, added and removed.
#include <gtest/gtest.h>
#include <toml++/toml.h>
#include <algorithm>
#include <sstream>
#include <string>
#include "core/base/json.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/scene/key_place.hpp"
#include "simulator/scene/keys.hpp"
#include "studio/form/set_key.hpp"
#include "tests/unit/studio/form/example_scenes.hpp"

namespace synthoscope::studio {
namespace {

using simulator::SceneKey;
using test::example_scenes;
using test::ExampleScene;
using test::other_value;

simulator::SceneSpec scene_of(const std::string& text) {
  return simulator::parse_scene_of_sweep(text, "scene.toml");
}

/// Returns the file as the parser has it, with one key set or erased.
toml::table changed_by_parser(const std::string& text, const SceneKey& key, const Json& value) {
  toml::table root = toml::parse(text);
  if (!key.table.empty() && !root.contains(key.table)) root.insert(key.table, toml::table{});
  toml::table& table = key.table.empty() ? root : *root[key.table].as_table();
  table.erase(key.name);
  if (!value.is_null()) {
    const toml::table one = toml::parse("v = " + text_of(value));
    one.at("v").visit([&](const auto& held) { table.insert(key.name, held); });
  }
  return root;
}

/// Returns how much of `text` stays at its beginning and at its end.
std::size_t kept_of(const std::string& text, const std::string& edited) {
  const auto [a, b] = std::mismatch(text.begin(), text.end(), edited.begin(), edited.end());
  const auto [c, d] = std::mismatch(text.rbegin(), text.rend(), edited.rbegin(), edited.rend());
  return static_cast<std::size_t>((a - text.begin()) + (c - text.rbegin()));
}

/// The bytes that a change may replace: the value, or the key's line.
std::size_t most_lost(const std::string& text, const SceneKey& key, bool is_removed) {
  const toml::table root = toml::parse(text);
  const toml::node* const node =
      key.table.empty() ? root.get(key.name) : root[key.table][key.name].node();
  if (!node) return 0;
  const auto& [begin, end, path] = node->source();
  if (!is_removed && begin.line == end.line) return end.column - begin.column;
  std::istringstream lines{text};
  std::size_t bytes = 0;
  std::string line;
  for (toml::source_index number = 1; std::getline(lines, line); ++number)
    if (number >= begin.line && number <= end.line) bytes += line.size() + 1;
  return bytes;
}

/// Expects the key to have the value, unless the scene refuses it beside another key, such as a
/// kind of camera beside its preset.
void expect_value(const std::string& text, const SceneKey& key, const Json& value) {
  try {
    EXPECT_EQ(simulator::json_of(key.get(scene_of(text))), value);
  } catch (const InvalidSpec& problem) {
    EXPECT_NE(std::string{problem.what()}.find(key.full_name()), std::string::npos)
        << problem.what();
  }
}

void expect_changed(const ExampleScene& example, const SceneKey& key, const Json& value) {
  SCOPED_TRACE(example.name + ": " + key.full_name() + " = " + text_of(value));
  const std::string edited = set_key(example.text, key.full_name(), value);
  EXPECT_TRUE(toml::parse(edited) == changed_by_parser(example.text, key, value)) << edited;
  if (!value.is_null()) expect_value(edited, key, value);
  EXPECT_GE(kept_of(example.text, edited) + most_lost(example.text, key, value.is_null()),
            example.text.size());
}

TEST(SetKeyInExamples, ChangesOrAddsAnyKey) {
  for (const ExampleScene& example : example_scenes()) {
    const simulator::SceneSpec scene = scene_of(example.text);
    for (const SceneKey& key : simulator::scene_keys()) {
      const Json value = other_value(key, scene);
      EXPECT_NE(value, simulator::json_of(key.get(scene))) << key.full_name();
      expect_changed(example, key, value);
      if (HasFailure()) return;
    }
  }
}

TEST(SetKeyInExamples, ChangesOrAddsAnyKeyOfAChannel) {
  std::size_t channels = 0;
  for (const ExampleScene& example : example_scenes()) {
    const simulator::SceneSpec scene = scene_of(example.text);
    channels += scene.channels.size();
    for (std::size_t at = 0; at < scene.channels.size(); ++at)
      for (const SceneKey& key : simulator::scene_keys()) {
        if (!may_differ_in_channels(key)) continue;
        SCOPED_TRACE(example.name + ": " + key.full_name());
        const Json value = other_value(key, scene);
        const std::string edited = set_key(example.text, key.full_name(), value, at);
        const toml::table root = toml::parse(edited);
        const toml::table& channel = *root["channel"][at].as_table();
        ASSERT_TRUE(channel[key.table][key.name]) << edited;
        EXPECT_TRUE(toml::parse(set_key(edited, key.full_name(), nullptr, at)) ==
                    toml::parse(set_key(example.text, key.full_name(), nullptr, at)));
      }
  }
  EXPECT_GT(channels, 3u);
}

TEST(SetKeyInExamples, RemovesAnyKeyThatIsGiven) {
  for (const ExampleScene& example : example_scenes()) {
    const auto given = scene_of(example.text).given;
    EXPECT_FALSE(given.empty()) << example.name;
    for (const std::string& name : given) {
      expect_changed(example, *simulator::find_key(name), nullptr);
      if (HasFailure()) return;
    }
  }
}

TEST(SetKeyInExamples, KeepsAllTextIfAKeyIsAddedAndRemoved) {
  for (const ExampleScene& example : example_scenes()) {
    const simulator::SceneSpec scene = scene_of(example.text);
    for (const SceneKey& key : simulator::scene_keys()) {
      if (scene.given.contains(key.full_name())) continue;
      const std::string added = set_key(example.text, key.full_name(), other_value(key, scene));
      const std::string removed = set_key(added, key.full_name(), nullptr);
      EXPECT_GE(kept_of(example.text, removed), example.text.size()) << key.full_name();
    }
  }
}

}  // namespace
}  // namespace synthoscope::studio
