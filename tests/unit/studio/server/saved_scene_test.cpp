// SPDX-License-Identifier: MIT
#include "studio/server/saved_scene.hpp"
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace synthoscope::studio {
namespace {

using namespace std::string_literals;

TEST(SavedScene, HasAPlainNameThatEndsInToml) {
  for (const auto& [name, is_accepted] : std::vector<std::pair<std::string, bool>>{
           {"scene.toml", true},
           {"my scene 2.toml", true},
           {"\xc3\xa4.toml", true},
           {"a..b.toml", true},
           {std::string(195, 'a') + ".toml", true},
           {std::string(196, 'a') + ".toml", false},
           {"", false},
           {".toml", false},
           {".hidden.toml", false},
           {"scene", false},
           {"scene.TOML", false},
           {"scene.toml.sh", false},
           {"scene.toml/", false},
           {"../scene.toml", false},
           {"/etc/scene.toml", false},
           {"folder/scene.toml", false},
           {"folder\\scene.toml", false},
           {"..toml", false},
           {"a\nb.toml", false},
           {"a\0b.toml"s, false},
           {"a\x7f.toml", false},
       })
    EXPECT_EQ(is_scene_name(name), is_accepted) << testing::PrintToString(name);
}

}  // namespace
}  // namespace synthoscope::studio
