// SPDX-License-Identifier: MIT
#include "score/tracks/divisions.hpp"
#include <gtest/gtest.h>
#include <array>
#include "tests/unit/score/tracks/drawn_movie.hpp"

namespace synthoscope::score {
namespace {

using test::DrawnMovie;
using test::scores_of;

struct DivisionCase {
  const char* name;
  DrawnMovie movie;
  std::array<double, 4> bc;  ///< by hand: one true division, and one of the result, or none
};

const DivisionCase kDivisionCases[] = {
    {"a third child is made up",
     {{{1, 0, 0, 0}, {2, 1, 1, 1}, {3, 1, 1, 1}},
      {{1, 0, 0, 0}, {2, 1, 1, 1}, {3, 1, 1, 1}, {4, 1, 1, 1}},
      {{"1111..", "1111.."}, {"2233..", "223344"}}},
     {0, 0, 0, 0}},
    {"children come after a gap, and the mother ends two frames late",
     {{{1, 0, 1, 0}, {2, 4, 4, 1}, {3, 4, 4, 1}},
      {{1, 0, 3, 0}, {2, 4, 4, 1}, {3, 4, 4, 1}},
      {{"1111", "1111"}, {"1111", "1111"}, {"....", "1111"}, {"....", "1111"}, {"2233", "2233"}}},
     {0, 0, 1, 1}},
    {"the mother is missed in her last frame",
     {{{1, 0, 2, 0}, {2, 3, 3, 1}, {3, 3, 3, 1}},
      {{1, 0, 2, 0}, {2, 3, 3, 1}, {3, 3, 3, 1}},
      {{"1111", "1111"}, {"1111", "1111"}, {"1111", "11.."}, {"2233", "2233"}}},
     {0, 0, 0, 0}},
    {"one child is late by two frames",
     {{{1, 0, 0, 0}, {2, 1, 3, 1}, {3, 1, 3, 1}},
      {{1, 0, 0, 0}, {2, 1, 3, 1}, {3, 3, 3, 1}},
      {{"1111", "1111"}, {"2233", "22.."}, {"2233", "22.."}, {"2233", "2233"}}},
     {0, 0, 1, 1}},
    {"the mother covers two objects",
     {{{1, 0, 0, 0}, {2, 1, 1, 1}, {3, 1, 1, 1}, {4, 0, 0, 0}},
      {{1, 0, 0, 0}, {2, 1, 1, 1}, {3, 1, 1, 1}},
      {{"111144", "111111"}, {"2233..", "2233.."}}},
     {0, 0, 0, 0}},
};

TEST(Divisions, EqualThoseOfTheTruthWithinSomeFrames) {
  for (const DivisionCase& c : kDivisionCases) {
    SCOPED_TRACE(c.name);
    const TrackScores scores = scores_of(c.movie);
    for (std::size_t i = 0; i < c.bc.size(); ++i) EXPECT_EQ(scores.bc[i].value_or(-1), c.bc[i]);
  }
}

}  // namespace
}  // namespace synthoscope::score
