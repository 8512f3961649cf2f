// SPDX-License-Identifier: MIT
#include "studio/form/channel_blocks.hpp"
#include <gtest/gtest.h>
#include <string>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "studio/form/check.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/unit/studio/form/example_scenes.hpp"

namespace synthoscope::studio {
namespace {

using synthoscope::test::expect_failure;

struct BlockCase {
  std::string name, before, after;
};

TEST(ChannelBlocks, AreAddedAsACopyOfTheLast) {
  const BlockCase cases[] = {
      {"after the last, before what follows",
       "[[channel]]\nname = 'a' # one\nlight.beads = 1\n\n# what records\n[camera]\n",
       "[[channel]]\nname = 'a' # one\nlight.beads = 1\n\n[[channel]]\nname = \"a-2\" # one\n"
       "light.beads = 1\n\n# what records\n[camera]\n"},
      {"a name that no channel has",
       "[[channel]]\nname = 'A-2'\n[[channel]]\nname = 'a'\nlight.beads = 1",
       "[[channel]]\nname = 'A-2'\n[[channel]]\nname = 'a'\nlight.beads = 1\n\n[[channel]]\n"
       "name = \"a-3\"\nlight.beads = 1"},
      {"with tables that have heads", "[[channel]]\nname = 'a'\n[channel.light]\nbeads = 1\n",
       "[[channel]]\nname = 'a'\n[channel.light]\nbeads = 1\n\n[[channel]]\nname = \"a-2\"\n"
       "[channel.light]\nbeads = 1\n"},
      {"a name that is as long as possible",
       "[[channel]]\nname = \"abcdefghijklmnopqrstuvwxyz012345\"\n",
       "[[channel]]\nname = \"abcdefghijklmnopqrstuvwxyz012345\"\n\n[[channel]]\n"
       "name = \"abcdefghijklmnopqrstuvwxyz0123-2\"\n"},
      {"the first sees the light of the scene",
       "[beads]\ncount = 2\n\n[light]\nbeads = 0.5\n[nuclei]\ncount = 1\n",
       "[beads]\ncount = 2\n\n[light]\n[nuclei]\ncount = 1\n\n[[channel]]\nname = \"channel-1\"\n"
       "light.nuclei = 1\nlight.beads = 0.5\n"},
  };
  for (const auto& [name, before, after] : cases) EXPECT_EQ(add_channel(before), after) << name;
}

TEST(ChannelBlocks, AreRemovedWithTheirComments) {
  const std::string two =
      "seed = 1\n\n# red\n[[channel]]\nname = 'a' # one\nlight.beads = 1\n\n# green\n"
      "[[channel]]\nname = 'b'\n\n# what records\n[camera]\n";
  EXPECT_EQ(remove_channel(two, 0),
            "seed = 1\n\n# green\n[[channel]]\nname = 'b'\n\n# what records\n[camera]\n");
  EXPECT_EQ(remove_channel(two, 1),
            "seed = 1\n\n# red\n[[channel]]\nname = 'a' # one\nlight.beads = 1\n\n"
            "# what records\n[camera]\n");
  EXPECT_EQ(remove_channel("[[channel]]\nname = 'a'", 0), "");
}

TEST(ChannelBlocks, RefuseWhatTheyCannotChange) {
  const std::string in_braces = "channel = [{name = 'a', light = {beads = 1}}]\n";
  expect_failure<InvalidSpec>([&] { add_channel(in_braces); }, {"add a channel", "[[channel]]"});
  expect_failure<InvalidSpec>([&] { remove_channel(in_braces, 0); }, {"remove a channel"});
  expect_failure<InvalidSpec>([] { remove_channel("[[channel]]\n", 1); },
                              {"remove a channel", "channel 1"});
  expect_failure<InvalidSpec>([] { add_channel("channel = 3\n"); }, {"channel", "[[channel]]"});
  expect_failure<InvalidSpec>([] { add_channel("a = = 1"); }, {"not TOML"});
}

TEST(ChannelBlocks, GiveValidScenesForAllExamples) {
  for (const auto& [name, text] : test::example_scenes()) {
    const auto file = std::filesystem::path{SYNTHOSCOPE_EXAMPLES} / name;
    const std::size_t before = check_json(text, file).at("channels").size();
    const std::string added = add_channel(text);
    const Json check = check_json(added, file);
    ASSERT_EQ(check.at("ok"), true) << name << ": " << check << added;
    ASSERT_EQ(check.at("channels").size(), before + 1) << name;
    if (before == 0) continue;
    EXPECT_EQ(remove_channel(added, before), text) << name;
  }
}

}  // namespace
}  // namespace synthoscope::studio
