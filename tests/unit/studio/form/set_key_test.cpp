// SPDX-License-Identifier: MIT
#include "studio/form/set_key.hpp"
#include <gtest/gtest.h>
#include <string>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "tests/support/expect_failure.hpp"

namespace synthoscope::studio {
namespace {

using synthoscope::test::expect_failure;

struct EditCase {
  std::string name, before, key;
  Json value;
  std::string after;
};

const std::vector<EditCase>& edit_cases() {
  static const std::vector<EditCase> kCases{
      {"only the value is replaced", "[optics] # lens\n  na   =  1.2   # wide\nmodel = 'sted'\n",
       "optics.na", 0.8, "[optics] # lens\n  na   =  0.8   # wide\nmodel = 'sted'\n"},
      {"whole numbers stay whole", "[optics]\nna = 1.2\n", "optics.na", 1, "[optics]\nna = 1\n"},
      {"characters of several bytes", "[optics]\nmodel = \"\xC3\xA4\xC3\xB6\" # \xC3\xBC\n",
       "optics.model", "sted", "[optics]\nmodel = \"sted\" # \xC3\xBC\n"},
      {"quotes in texts", "[optics]\nfile = 'a'\n", "optics.file", "\"b\" \\ c\x7F",
       "[optics]\nfile = \"\\\"b\\\" \\\\ c\\u007F\"\n"},
      {"a list of several lines",
       "[grid]\nsize = [ 1, # z\n  2, 3 ] # voxels\nmasks = \"section\"\n",
       "grid.size",
       {4, 5, 6},
       "[grid]\nsize = [4, 5, 6] # voxels\nmasks = \"section\"\n"},
      {"a text of several lines", "[optics]\nzernike = '''5: 0.1,\n6: 0.2''' # waves\n",
       "optics.zernike", "5: 0.1", "[optics]\nzernike = \"5: 0.1\" # waves\n"},
      {"a switch", "[output]\nlight = true\n", "output.light", false, "[output]\nlight = false\n"},
      {"a key at the top", "seed = 3 # drawn\n", "seed", 4, "seed = 4 # drawn\n"},
      {"a dotted key", "optics . \"na\" = 1.2 # wide\n", "optics.na", 0.8,
       "optics . \"na\" = 0.8 # wide\n"},
      {"an inline table", "optics = { na = 1.2, model = 'sted' } # lens\n", "optics.na", 0.8,
       "optics = { na = 0.8, model = 'sted' } # lens\n"},
      {"channels and sweeps stay",
       "[optics]\nna = 1.2\n[[channel]]\nname = 'a'\noptics.na = 1.1\n[sweep]\n"
       "optics.na = [1, 1.1]\n",
       "optics.na", 0.8,
       "[optics]\nna = 0.8\n[[channel]]\nname = 'a'\noptics.na = 1.1\n[sweep]\n"
       "optics.na = [1, 1.1]\n"},

      {"a new key follows the last of its table",
       "[optics]\n  na = 1.2 # wide\n\n# what records\n[camera]\nbinning = 2\n", "optics.model",
       "sted",
       "[optics]\n  na = 1.2 # wide\n  model = \"sted\"\n\n# what records\n[camera]\n"
       "binning = 2\n"},
      {"it follows a list of several lines", "[grid]\nsize = [1,\n 2,\n 3] # z\n", "grid.masks",
       "footprint", "[grid]\nsize = [1,\n 2,\n 3] # z\nmasks = \"footprint\"\n"},
      {"an empty table", "[optics] # lens\n[camera]\n", "optics.na", 0.8,
       "[optics] # lens\nna = 0.8\n[camera]\n"},
      {"a line without an end", "[optics]\nmodel = 'sted'", "optics.na", 0.8,
       "[optics]\nmodel = 'sted'\nna = 0.8\n"},
      {"lines that end as on Windows", "[optics]\r\nmodel = 'sted'\r\n", "optics.na", 0.8,
       "[optics]\r\nmodel = 'sted'\r\nna = 0.8\r\n"},
      {"a table of dotted keys", "optics.model = 'sted'\n[camera]\n", "optics.na", 0.8,
       "optics.model = 'sted'\noptics.na = 0.8\n[camera]\n"},
      {"a key more in an inline table", "optics = { model = 'sted' }\n", "optics.na", 0.8,
       "optics = { model = 'sted', na = 0.8 }\n"},
      {"a key in an empty inline table", "optics = {}\n", "optics.na", 0.8,
       "optics = {na = 0.8}\n"},
      {"a new table", "# a scene\n\n[optics]\nna = 1.2", "camera.binning", 2,
       "# a scene\n\n[optics]\nna = 1.2\n\n[camera]\nbinning = 2\n"},
      {"a new table after channels", "[[channel]]\nname = 'a'\n", "camera.binning", 2,
       "[[channel]]\nname = 'a'\n\n[camera]\nbinning = 2\n"},
      {"an empty scene", "", "camera.binning", 2, "[camera]\nbinning = 2\n"},
      {"another key at the top", "frames = 2\n\n[optics]\n", "seed", 4,
       "frames = 2\nseed = 4\n\n[optics]\n"},
      {"the first key at the top", "# a scene\n\n# lens\n[optics]\nna = 1\n", "seed", 4,
       "# a scene\n\nseed = 4\n\n# lens\n[optics]\nna = 1\n"},
      {"the first key below comments about the scene", "# a scene\n[optics]\nna = 1\n", "seed", 4,
       "# a scene\nseed = 4\n\n[optics]\nna = 1\n"},
      {"the first key before dotted ones", "optics.na = 1\n", "seed", 4,
       "seed = 4\n\noptics.na = 1\n"},
      {"the first key before channels", "[[channel]]\nname = 'a'\n", "seed", 4,
       "seed = 4\n\n[[channel]]\nname = 'a'\n"},
      {"a key at the top of an empty scene", "# a scene", "seed", 4, "# a scene\nseed = 4\n"},

      {"a key is removed with its line", "[optics]\n# lens\nna = 1.2 # wide\nmodel = 'sted'\n",
       "optics.na", nullptr, "[optics]\n# lens\nmodel = 'sted'\n"},
      {"a list is removed with its lines", "[grid]\nsize = [1,\n 2, 3] # z\nmasks = 'section'\n",
       "grid.size", nullptr, "[grid]\nmasks = 'section'\n"},
      {"the last line is removed", "[optics]\nna = 1.2", "optics.na", nullptr, "[optics]\n"},
      {"a dotted key is removed", "optics.na = 1.2\n[camera]\n", "optics.na", nullptr,
       "[camera]\n"},
      {"the first of an inline table is removed", "optics = { na = 1.2 , model = 'sted' }\n",
       "optics.na", nullptr, "optics = { model = 'sted' }\n"},
      {"the last of an inline table is removed", "optics = { na = 1.2 , model = 'sted' }\n",
       "optics.model", nullptr, "optics = { na = 1.2 }\n"},
      {"the only one of an inline table is removed", "optics = {na = 1.2}\n", "optics.na", nullptr,
       "optics = {}\n"},
      {"a key that is not given is not removed", "[optics]\nmodel = 'sted' # x", "optics.na",
       nullptr, "[optics]\nmodel = 'sted' # x"},
      {"a byte order mark stays", "\xEF\xBB\xBFseed = 3\n", "seed", 4, "\xEF\xBB\xBFseed = 4\n"},
  };
  return kCases;
}

TEST(SetKey, ChangesOnlyThatKey) {
  for (const EditCase& one : edit_cases())
    EXPECT_EQ(set_key(one.before, one.key, one.value), one.after) << one.name;
}

struct ChannelCase {
  std::string name, before, key;
  Json value;
  std::size_t channel;
  std::string after;
};

const std::vector<ChannelCase>& channel_cases() {
  static const std::string kTwo =
      "[optics]\nna = 1.2\n[[channel]]\nname = 'a'\noptics.na = 1.1 # low\nlight.beads = 1\n\n"
      "[[channel]]\nname = 'b'\nlight.beads = 1\n";
  static const std::vector<ChannelCase> kCases{
      {"only the value of that channel is replaced", kTwo, "optics.na", 1, 0,
       "[optics]\nna = 1.2\n[[channel]]\nname = 'a'\noptics.na = 1 # low\nlight.beads = 1\n\n"
       "[[channel]]\nname = 'b'\nlight.beads = 1\n"},
      {"a key of a table that is there", kTwo, "optics.model", "sted", 0,
       "[optics]\nna = 1.2\n[[channel]]\nname = 'a'\noptics.na = 1.1 # low\n"
       "optics.model = \"sted\"\nlight.beads = 1\n\n[[channel]]\nname = 'b'\nlight.beads = 1\n"},
      {"a key of another table", kTwo, "optics.na", 1, 1, kTwo + "optics.na = 1\n"},
      {"a key is removed", kTwo, "light.beads", nullptr, 1,
       kTwo.substr(0, kTwo.size() - std::string{"light.beads = 1\n"}.size())},
      {"a name", kTwo, "name", "red", 1,
       kTwo.substr(0, kTwo.find("'b'")) + "\"red\"\nlight.beads = 1\n"},
      {"a line of blanks before it", "[[channel]]\n  name = 'a'\n  light.beads = 1", "light.nuclei",
       1, 0, "[[channel]]\n  name = 'a'\n  light.beads = 1\n  light.nuclei = 1\n"},
      {"a table with a head", "[[channel]]\nname = 'a'\n[channel.optics]\nna = 1\n[camera]\n",
       "optics.model", "sted", 0,
       "[[channel]]\nname = 'a'\n[channel.optics]\nna = 1\nmodel = \"sted\"\n[camera]\n"},
      {"a key before a table with a head",
       "[[channel]]\nname = 'a'\n[channel.optics]\nna = 1\n[camera]\n", "light.beads", 1, 0,
       "[[channel]]\nname = 'a'\nlight.beads = 1\n[channel.optics]\nna = 1\n[camera]\n"},
      {"an inline table", "[[channel]]\nname = 'a'\noptics = { na = 1 }\n", "optics.model", "sted",
       0, "[[channel]]\nname = 'a'\noptics = { na = 1, model = \"sted\" }\n"},
      {"an empty channel", "[[channel]] # one\n[camera]\n", "light.beads", 1, 0,
       "[[channel]] # one\nlight.beads = 1\n[camera]\n"},
      {"an inline channel", "channel = [{name = 'a', light = {beads = 1}}]\n", "optics.na", 1, 0,
       "channel = [{name = 'a', light = {beads = 1}, optics.na = 1}]\n"},
  };
  return kCases;
}

TEST(SetKey, ChangesOnlyThatKeyOfAChannel) {
  for (const ChannelCase& one : channel_cases())
    EXPECT_EQ(set_key(one.before, one.key, one.value, one.channel), one.after) << one.name;
}

TEST(SetKey, LeavesWrongValuesToTheCheck) {
  EXPECT_EQ(set_key("[optics]\nna = 1.2\n", "optics.na", "wide"), "[optics]\nna = \"wide\"\n");
  EXPECT_EQ(set_key("[optics]\nnaa = 1.2\n", "optics.na", 1e20),
            "[optics]\nnaa = 1.2\nna = 1e+20\n");
}

TEST(SetKey, RefusesWhatItCannotChange) {
  expect_failure<InvalidSpec>([] { set_key("", "optics.naa", 1); }, {"optics", "naa"});
  expect_failure<InvalidSpec>([] { set_key("seed = = 1", "seed", 1); }, {"line 1", "not TOML"});
  expect_failure<InvalidSpec>([] { set_key("optics = 5", "optics.na", 1); },
                              {"set optics.na", "line 1", "[optics]"});
  expect_failure<InvalidSpec>([] { set_key("", "optics.na", Json::object()); },
                              {"set optics.na", "{}"});
  expect_failure<InvalidSpec>(
      [] {
        set_key("", "grid.size", Json{1, nullptr, 2});
      },
      {"set grid.size", "null"});
  expect_failure<InvalidSpec>([] { set_key("[[channel]]\n", "optics.na", 1, 1); },
                              {"set optics.na", "channel 1", "0 to 0"});
  expect_failure<InvalidSpec>([] { set_key("", "name", "a"); }, {"name"});
}

}  // namespace
}  // namespace synthoscope::studio
