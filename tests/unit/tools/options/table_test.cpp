// SPDX-License-Identifier: MIT
#include "tools/options/table.hpp"
#include <gtest/gtest.h>
#include "core/base/error.hpp"
#include "tests/support/case_name.hpp"
#include "tools/options/rows.hpp"

namespace synthoscope::tools {
namespace {

enum class Colour { red, green };
constexpr NameTable<Colour, 2> kColours{{{Colour::red, "red"}, {Colour::green, "green"}}};

/// A command with a row of every kind.
struct Sample {
  std::filesystem::path image, output;
  std::optional<int> threads;
  std::int64_t count = 3;
  double background = 0, shade = 0;
  std::optional<double> index;
  bool overwrite = false;
  Colour colour = Colour::red;
  std::vector<std::string> settings;

  OptionTable table() {
    OptionTable t;
    t.add_argument(required(path_row("IMAGE", "", image, "the image")));
    t.add(required(lettered('o', path_row("output", "OUT", output, "the result"))));
    t.add(whole_row("threads", "N", threads, 1, "all", "threads"));
    t.add(whole_row("count", "N", count, 0, "how many"));
    t.add(real_row("kernel-background", "N", background, "", "background"));
    t.add(real_row("index", "N", index, "", "none", "index"));
    t.add(switch_row("overwrite", overwrite, "replace"));
    t.add(choice_row("colour", colour, kColours, "colour"));
    t.add(only(
        "with --colour green", [this] { return colour == Colour::green; },
        real_row("shade", "N", shade, "", "how dark")));
    t.add(texts_row("set", "KEY=VALUE", settings, "settings"));
    return t;
  }
};

TEST(Parse, HandsEveryValueToItsRow) {
  Sample s;
  const std::vector<std::string> words{"a.tif", "-o",      "b.tif", "--threads=4", "--count",
                                       "7",     "--index", "1.33",  "--colour",    "green",
                                       "--set", "a.b=1",   "--set", "c=\"x y\"",   "--overwrite"};
  parse(s.table(), "sample", words);
  EXPECT_EQ(s.image, "a.tif");
  EXPECT_EQ(s.output, "b.tif");
  EXPECT_EQ(s.threads, 4);
  EXPECT_EQ(s.count, 7);
  EXPECT_EQ(s.index, 1.33);
  EXPECT_EQ(s.colour, Colour::green);
  EXPECT_TRUE(s.overwrite);
  EXPECT_EQ(s.settings, (std::vector<std::string>{"a.b=1", "c=\"x y\""}));
}

TEST(Parse, TakesWhatMeansSomethingOnlyBesideAWordThatFollows) {
  Sample s;
  const std::vector<std::string> words{"a", "-o", "b", "--shade", "0.5", "--colour", "green"};
  parse(s.table(), "sample", words);
  EXPECT_EQ(s.shade, 0.5);
}

TEST(Parse, TakesNegativeNumbersAsValues) {
  for (const auto& words : {std::vector<std::string>{"a", "-o", "b", "--kernel-background", "-5.5"},
                            {"a", "-o", "b", "--kernel-background=-5.5"}}) {
    Sample s;
    parse(s.table(), "sample", words);
    EXPECT_EQ(s.background, -5.5);
  }
}

TEST(Parse, TakesNamesThatBeginWithADashAfterTwoDashes) {
  Sample s;
  const std::vector<std::string> words{"-o", "b", "--", "-strange.tif"};
  parse(s.table(), "sample", words);
  EXPECT_EQ(s.image, "-strange.tif");
}

struct RefusedCase {
  const char* name;
  std::vector<std::string> words;
  const char* message;
};

const RefusedCase kRefusedCases[] = {
    {"unknown_option",
     {"a", "-o", "b", "--thread", "4"},
     "sample: there is no option --thread; did you mean --threads?"},
    {"unknown_option_with_value",
     {"a", "-o", "b", "--ouptut=x"},
     "sample: there is no option --ouptut; did you mean --output?"},
    {"stranger",
     {"a", "-o", "b", "--zzzzzz"},
     "sample: there is no option --zzzzzz; see synthoscope sample --help"},
    {"unknown_letter",
     {"a", "-o", "b", "-q"},
     "sample: there is no option -q; see synthoscope sample --help"},
    {"missing_argument",
     {"-o", "b"},
     "sample: IMAGE is missing: the image; see synthoscope sample --help"},
    {"missing_option", {"a"}, "sample: --output is missing: the result; write --output OUT"},
    {"too_many_arguments",
     {"a", "c", "-o", "b"},
     "sample: 'c' is one argument too many; see synthoscope sample --help"},
    {"value_missing",
     {"a", "-o", "b", "--count"},
     "sample: --count has no value; write it as --count VALUE"},
    {"value_to_a_switch",
     {"a", "-o", "b", "--overwrite=yes"},
     "sample: --overwrite is a switch and takes no value; write it alone"},
    {"twice",
     {"a", "-o", "b", "--count", "1", "--count", "2"},
     "sample: --count is given twice; give it once"},
    {"meaningless",
     {"a", "-o", "b", "--shade", "0.5"},
     "sample: --shade has an effect only with --colour green; leave it out"},
    {"no_number",
     {"a", "-o", "b", "--count", "many"},
     "sample: --count: 'many' is not accepted; give a whole number from 0 up"},
    {"fraction_for_whole",
     {"a", "-o", "b", "--count", "1.5"},
     "sample: --count: '1.5' is not accepted; give a whole number from 0 up"},
    {"below_the_least",
     {"a", "-o", "b", "--threads", "0"},
     "sample: --threads: '0' is not accepted; give a whole number from 1 to 2147483647"},
    {"not_finite",
     {"a", "-o", "b", "--index", "nan"},
     "sample: --index: 'nan' is not a number; give one such as 1.4"},
    {"unknown_word",
     {"a", "-o", "b", "--colour", "blue"},
     "sample: --colour: 'blue' is not one of the accepted words; write red, green"},
    {"empty_name", {"a", "-o", ""}, "sample: --output: the name is empty; give the name of a file"},
};

class ParseRefuses : public testing::TestWithParam<RefusedCase> {};
INSTANTIATE_TEST_SUITE_P(Table, ParseRefuses, testing::ValuesIn(kRefusedCases), test::kCaseName);

TEST_P(ParseRefuses, InOneSentenceThatSaysWhatToDo) {
  Sample s;
  try {
    parse(s.table(), "sample", GetParam().words);
    FAIL() << "it was let pass";
  } catch (const InvalidSpec& failure) {
    EXPECT_EQ(std::string{failure.what()}, GetParam().message);
  }
}

/// A command whose first argument repeats.
struct Copy {
  std::vector<std::filesystem::path> from;
  std::filesystem::path to, last;

  OptionTable table(bool has_third) {
    OptionTable t;
    t.add_argument(required(paths_row("FROM...", "", from, "the sources")));
    t.add_argument(required(path_row("TO", "", to, "the target")));
    if (has_third) t.add_argument(required(path_row("LAST", "", last, "the end")));
    return t;
  }
};

TEST(Parse, GivesARepeatedArgumentWhatTheOthersLeave) {
  using Paths = std::vector<std::filesystem::path>;
  for (const bool has_third : {false, true})
    for (const std::size_t sources : {1U, 2U, 5U}) {
      Paths from;
      std::vector<std::string> words;
      for (std::size_t i = 0; i < sources; ++i) {
        words.push_back(std::to_string(i));
        from.emplace_back(words.back());
      }
      words.emplace_back("target");
      if (has_third) words.emplace_back("end");
      Copy copy;
      parse(copy.table(has_third), "copy", words);
      EXPECT_EQ(copy.from, from);
      EXPECT_EQ(copy.to, "target");
      EXPECT_EQ(copy.last, has_third ? "end" : "");
    }
}

TEST(Parse, MissesArgumentsAfterARepeatedOne) {
  Copy copy;
  try {
    parse(copy.table(false), "copy", std::vector<std::string>{"one"});
    FAIL();
  } catch (const InvalidSpec& failure) {
    EXPECT_STREQ(failure.what(), "copy: TO is missing: the target; see synthoscope copy --help");
  }
}

}  // namespace
}  // namespace synthoscope::tools
