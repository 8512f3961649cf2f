// SPDX-License-Identifier: MIT
#include "simulator/timelapse/tracks.hpp"
#include <gtest/gtest.h>

namespace synthoscope::simulator {
namespace {

TEST(Tracks, EndWhereAnObjectIsNotSeenAndBeginAgainUnderANewLabel) {
  Tracks tracks;
  tracks.add({0, 1}, {true, true}, {-1, -1});
  tracks.add({0, 1}, {true, false}, {-1, -1});
  tracks.add({0, 1}, {true, true}, {-1, -1});
  tracks.add({0, 1}, {true, true}, {-1, -1});
  ASSERT_EQ(tracks.all().size(), 3u);
  EXPECT_EQ(tracks.all()[0].end, 3);
  EXPECT_EQ(tracks.all()[1].end, 0);
  EXPECT_EQ(tracks.all()[2].begin, 2);
  EXPECT_EQ(tracks.all()[2].end, 3);
  EXPECT_EQ(tracks.all()[2].parent, 0);
  EXPECT_EQ(tracks.at(1, 0).label, 2);
  EXPECT_EQ(tracks.at(1, 1).label, 2) << "not seen: still its label";
  EXPECT_EQ(tracks.at(1, 2).label, 3);
  EXPECT_EQ(tracks.first(1).label, 2);
}

TEST(Tracks, NameTheMotherOfThoseThatAreBorn) {
  Tracks tracks;
  tracks.add({0, 4}, {true, true}, {-1, -1});
  tracks.add({1, 2, 4}, {true, true, true}, {0, 0, -1});
  EXPECT_EQ(tracks.at(1, 1).label, 3);
  EXPECT_EQ(tracks.at(1, 1).parent, 1);
  EXPECT_EQ(tracks.at(2, 1).parent, 1);
  EXPECT_EQ(tracks.at(0, 0).end, 0);
  EXPECT_EQ(tracks.at(4, 1).label, 2);
}

TEST(Tracks, OfAnObjectThatIsSeenLateBeginsThereUnderItsOnlyLabel) {
  Tracks tracks;
  tracks.add({0, 1}, {false, false}, {-1, -1});
  tracks.add({0, 1}, {false, true}, {-1, -1});
  tracks.add({2, 3, 1}, {true, true, true}, {0, 0, -1});
  EXPECT_FALSE(tracks.at(0, 1).is_seen());
  EXPECT_EQ(tracks.at(1, 0).label, 2);
  EXPECT_EQ(tracks.at(1, 2).begin, 1);
  EXPECT_EQ(tracks.at(2, 2).parent, 0) << "nobody has seen the mother";
}

}  // namespace
}  // namespace synthoscope::simulator
