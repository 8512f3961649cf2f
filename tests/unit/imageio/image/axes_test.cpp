// SPDX-License-Identifier: MIT
#include "imageio/image/axes.hpp"
#include <gtest/gtest.h>
#include "core/base/error.hpp"
#include "tests/support/expect_failure.hpp"

namespace synthoscope::imageio {
namespace {

KnownAxes known(const std::vector<std::int64_t>& sizes, const std::string& letters,
                const std::string& given = "") {
  return axes_of_array("a.h5", {sizes, letters, "its words"}, given);
}

TEST(Axes, AreThoseThatAreNamedElseYXAndZ) {
  const struct {
    std::vector<std::int64_t> sizes;
    const char *letters, *given, *axes, *source;
    bool is_assumed;
  } cases[] = {
      {{4, 5}, "", "", "Y=4, X=5", "not named by the file", false},
      {{3, 4, 5}, "", "", "Z=3, Y=4, X=5", "not named by the file", true},
      {{1, 4, 5}, "", "", "Z=1, Y=4, X=5", "not named by the file", false},
      {{1, 3, 4, 5}, "", "", "?=1, Z=3, Y=4, X=5", "not named by the file", true},
      {{3, 4, 5}, "tyx", "", "T=3, Y=4, X=5", "named by its words", false},
      {{4, 5, 2}, "yxc", "", "Y=4, X=5, C=2", "named by its words", false},
      {{2, 4, 5}, "QYX", "", "Z=2, Y=4, X=5", "named by its words", true},
      {{1, 3, 4, 5}, "PZYX", "", "P=1, Z=3, Y=4, X=5", "named by its words", false},
      {{3, 4, 5}, "zyx", "tyx", "T=3, Y=4, X=5", "given by --axes", false},
      {{2, 3, 4, 5}, "", "TZYX", "T=2, Z=3, Y=4, X=5", "given by --axes", false},
  };
  for (const auto& c : cases) {
    const KnownAxes found = known(c.sizes, c.letters, c.given);
    EXPECT_EQ(print_axes(found.axes), c.axes);
    EXPECT_EQ(found.source, c.source) << c.axes;
    EXPECT_EQ(found.is_assumed, c.is_assumed) << c.axes;
  }
}

TEST(Axes, ThatCannotBeReadAreRefusedWithWhatHelps) {
  const struct {
    std::vector<std::int64_t> sizes;
    const char *letters, *words;
  } cases[] = {{{2, 3, 4, 5}, "", "more than three of them have no name"},
               {{2, 3, 4, 5}, "QZYX", "more than three of them have no name"},
               {{3, 4, 5}, "PYX", "axis P is not one of T, C, Z, Y, X"},
               {{3, 4, 5}, "YYX", "axis Y is named twice"},
               {{3, 4, 5}, "TZX", "axis Y is missing"},
               {{3, 4, 5}, "YX", "that is 2 letters"}};
  for (const auto& c : cases)
    test::expect_failure<InvalidInput>([&] { known(c.sizes, c.letters); },
                                       {"a.h5", c.words, "--axes"});
  for (const char* given : {"YX", "TCZYX", "PYX", "YYX"})
    test::expect_failure<InvalidSpec>([&] { known({3, 4, 5}, "", given); }, {"a.h5", "--axes"});
}

TEST(Axes, HaveWordsForLetters) {
  EXPECT_EQ(axis_letter("z"), 'Z');
  EXPECT_EQ(axis_letter("time"), 'T');
  EXPECT_EQ(axis_letter("Channel"), 'C');
  EXPECT_EQ(axis_letter(""), '?');
  EXPECT_EQ(axis_letter("position"), '#');
}

}  // namespace
}  // namespace synthoscope::imageio
