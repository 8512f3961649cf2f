// SPDX-License-Identifier: MIT
#include "studio/form/set_sweep.hpp"
#include <gtest/gtest.h>
#include <initializer_list>
#include <string>
#include <vector>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "tests/support/expect_failure.hpp"

namespace synthoscope::studio {
namespace {

struct SweepEdit {
  std::string name, before, key;
  Json value;
  std::string after;
};

const std::vector<SweepEdit>& sweep_edits() {
  static const std::vector<SweepEdit> kEdits{
      {"a first key",
       "seed = 3 # drawn\n",
       "optics.na",
       {0.8, 1.2},
       "seed = 3 # drawn\n\n[sweep]\noptics.na = [0.8, 1.2]\n"},
      {"a text without an end of line", "seed = 3", "repeats", 4,
       "seed = 3\n\n[sweep]\nrepeats = 4\n"},
      {"a second key",
       "[sweep] # all\noptics.na = [1, 1.2] # wide\n# end\n",
       "grid.size",
       {{8, 9, 10}, {8, 18, 20}},
       "[sweep] # all\noptics.na = [1, 1.2] # wide\ngrid.size = [[8, 9, 10], [8, 18, 20]]\n# "
       "end\n"},
      {"other values",
       "[sweep]\n  optics.na = [1,\n 1.2] # wide\nrepeats = 2\n",
       "optics.na",
       {0.9},
       "[sweep]\n  optics.na = [0.9] # wide\nrepeats = 2\n"},
      {"a range",
       "[sweep]\nrepeats = 2\n",
       "optics.na",
       {{"from", 0.8}, {"to", 1.4}, {"count", 4}},
       "[sweep]\nrepeats = 2\noptics.na = {from = 0.8, to = 1.4, count = 4}\n"},
      {"values instead of a range",
       "[sweep]\noptics.na = {from = 0.8, to = 1.4, step = 0.2} # na\n",
       "optics.na",
       {1},
       "[sweep]\noptics.na = [1] # na\n"},
      {"texts",
       "[sweep]\nrepeats = 2\n",
       "optics.model",
       {"scalar", "sted"},
       "[sweep]\nrepeats = 2\noptics.model = [\"scalar\", \"sted\"]\n"},
      {"a key of a channel",
       "[sweep]\nrepeats = 2\n",
       "channel.gfp.optics.na",
       {1, 1.1},
       "[sweep]\nrepeats = 2\nchannel.gfp.optics.na = [1, 1.1]\n"},
      {"the seeds", "[sweep]\nrepeats = 2\n", "seed", "shared",
       "[sweep]\nrepeats = 2\nseed = \"shared\"\n"},
      {"a quoted key",
       "[sweep]\n\"optics.na\" = [1]\n",
       "optics.na",
       {2},
       "[sweep]\n\"optics.na\" = [2]\n"},
      {"a key by its last part",
       "[sweep]\nna = [1.1]\n",
       "optics.na",
       {1.2},
       "[sweep]\nna = [1.2]\n"},
      {"a key below a head",
       "[sweep.optics]\nna = [1] # wide\n",
       "optics.na",
       {2},
       "[sweep.optics]\nna = [2] # wide\n"},
      {"a new key before such a head",
       "[sweep]\nrepeats = 2\n[sweep.optics]\nna = [1]\n",
       "nuclei.count",
       {3, 4},
       "[sweep]\nrepeats = 2\nnuclei.count = [3, 4]\n[sweep.optics]\nna = [1]\n"},
      {"a new key after such a head",
       "[sweep.optics]\nna = [1]\n",
       "nuclei.count",
       {3, 4},
       "[sweep.optics]\nna = [1]\n\n[sweep]\nnuclei.count = [3, 4]\n"},
      {"a table follows", "[sweep]\noptics.na = [1]\n\n[optics]\nna = 1.2\n", "repeats", 2,
       "[sweep]\noptics.na = [1]\nrepeats = 2\n\n[optics]\nna = 1.2\n"},
      {"lines that end as on Windows", "seed = 3\r\n", "repeats", 2,
       "seed = 3\r\n\r\n[sweep]\r\nrepeats = 2\r\n"},

      {"one key of two", "[sweep]\noptics.na = [1] # wide\nrepeats = 2 # each\n", "optics.na",
       nullptr, "[sweep]\nrepeats = 2 # each\n"},
      {"the only key", "seed = 3\n\n[sweep]\noptics.na = [1] # wide\n", "optics.na", nullptr,
       "seed = 3\n"},
      {"the only key, with seeds", "seed = 3\n\n[sweep]\nseed = \"shared\"\nrepeats = 2\n",
       "repeats", nullptr, "seed = 3\n"},
      {"the only key, before a comment and a table",
       "# one\n[sweep]\nrepeats = 2\n# two\n[optics]\nna = 1\n", "repeats", nullptr,
       "# one\n# two\n[optics]\nna = 1\n"},
      {"the only key below a head", "[sweep]\nrepeats = 2\n\n[sweep.optics]\nna = [1]\n",
       "optics.na", nullptr, "[sweep]\nrepeats = 2\n"},
      {"a key that is not there", "[optics]\nna = 1\n", "optics.na", nullptr, "[optics]\nna = 1\n"},
      {"a dotted sweep", "sweep.optics.na = [1]\nsweep.repeats = 2\n[optics]\nna = 1\n",
       "optics.na", nullptr, "sweep.repeats = 2\n[optics]\nna = 1\n"},
  };
  return kEdits;
}

TEST(SetSweep, ChangesOneKeyAndNoOtherText) {
  for (const SweepEdit& edit : sweep_edits())
    EXPECT_EQ(set_sweep(edit.before, edit.key, edit.value), edit.after) << edit.name;
}

TEST(SetSweep, CanBeTakenBack) {
  for (const std::string before : {"", "seed = 3\n", "[optics]\nna = 1.2 # wide\n\n# end\n"}) {
    const std::string swept = set_sweep(set_sweep(before, "optics.na", {1, 1.2}), "repeats", 2);
    EXPECT_EQ(set_sweep(set_sweep(swept, "repeats", nullptr), "optics.na", nullptr), before);
  }
}

TEST(SetSweep, RefusesWhatItCannotChangeAlone) {
  using synthoscope::test::expect_failure;
  const auto refuse = [](const std::string& toml, const std::string& key, const Json& value,
                         std::initializer_list<const char*> words) {
    expect_failure<InvalidSpec>([&] { static_cast<void>(set_sweep(toml, key, value)); }, words);
  };
  refuse("", "optics.nq", {1}, {"optics.nq", "did you mean na"});
  refuse("[[", "optics.na", {1}, {"line 1"});
  refuse("", "optics.na", Json::array({nullptr}), {"sweep.optics.na"});
  refuse("sweep = {optics.na = [1]}\n", "repeats", 2, {"repeats", "change it in the text"});
  refuse("sweep = 3\n", "repeats", 2, {"change it in the text"});
  refuse("sweep.optics.na = [1]\n", "repeats", 2, {"change it in the text"});
}

}  // namespace
}  // namespace synthoscope::studio
