// SPDX-License-Identifier: MIT
#include "score/tracks/track_table.hpp"
#include <gtest/gtest.h>
#include <fstream>
#include "core/base/error.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::score {
namespace {

using test::expect_failure;

TEST(TrackTable, IsReadFromTextOfManyKinds) {
  const char* const texts[] = {
      "3 4 6 1\n1 0 2 0\n",
      "3\t4\t6\t1\r\n1\t0\t2\t0\r\n\r\n",
      "  3  4 6 1 \n\n1 0 2 0",
      "\xEF\xBB\xBFid,begin,end,parent,object\n3,4,6,1,1\n1,0,2,0,1\n",
      "parent, label, name, end, begin\n1, 3, blue, 6, 4\n0, 1, , 2, 0\n",
      "id begin end parent\n3 4 6 1\n1 0 2 0\n",
  };
  for (const char* const text : texts) {
    SCOPED_TRACE(text);
    const std::vector<TrackLine> lines = track_lines(text, "tracks");
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].id, 3);
    EXPECT_EQ(lines[0].begin, 4);
    EXPECT_EQ(lines[0].end, 6);
    EXPECT_EQ(lines[0].parent, 1);
    EXPECT_EQ(lines[1].id, 1);
    EXPECT_EQ(lines[1].parent, 0);
  }
  EXPECT_TRUE(track_lines("\n", "tracks").empty());
}

TEST(TrackTable, IsReadFromAFile) {
  const test::TemporaryFolder folder;
  std::ofstream{folder / "man_track.txt"} << "2 3 4 1\n1 0 1 0\n";
  const TrackTable table = read_tracks(folder / "man_track.txt");
  ASSERT_EQ(table.count(), 2);
  EXPECT_EQ(table.at(0).id, 1);
  EXPECT_EQ(table.at(0).parent, kNoTrack);
  EXPECT_EQ(table.at(1).parent, 0);
  EXPECT_EQ(table.children()[0], std::vector<std::int32_t>{1});
  expect_failure<IoError>([&] { read_tracks(folder / "missing.txt"); }, {"missing.txt"});
}

TEST(TrackTable, RefusesTextThatIsNoTable) {
  const std::pair<const char*, const char*> cases[] = {
      {"1 0 2\n", "\"1 0 2\""},
      {"1 0 2 0 0\n", "\"1 0 2 0 0\""},
      {"1 0 2.5 0\n", "\"1 0 2.5 0\""},
      {"1 0 2 0\n2 0 x 0\n", "\"2 0 x 0\""},
      {"id,begin,end\n1,0,2\n", "\"id,begin,end\""},
      {"id,begin,end,parent\n1,0,2\n", "\"1,0,2\""},
  };
  for (const auto& [text, found] : cases)
    expect_failure<InvalidInput>([&] { track_lines(text, "res_track.txt"); },
                                 {"res_track.txt", found, "parent"});
}

TEST(TrackTable, RefusesTracksThatCannotBe) {
  struct Case {
    std::vector<TrackLine> lines;
    std::initializer_list<const char*> words;
  };
  const Case cases[] = {
      {{{0, 0, 1, 0}}, {"label 0", "1 or more"}},
      {{{-3, 0, 1, 0}}, {"label -3"}},
      {{{1, 3, 2, 0}}, {"track 1", "frame 3 to frame 2"}},
      {{{1, -1, 2, 0}}, {"track 1", "frame -1"}},
      {{{1, 0, 3'000'000'000, 0}}, {"track 1", "3000000000"}},
      {{{1, 0, 3, 0}, {1, 3, 4, 0}}, {"label 1", "from frame 0 to 3", "from frame 3 to 4"}},
      {{{2, 1, 3, 1}}, {"track 2", "parent 1", "no track"}},
      {{{2, 1, 3, -1}}, {"parent -1", "0 for none"}},
      {{{1, 1, 3, 1}}, {"track 1", "frame 1", "parent 1", "1 to 3"}},
      {{{1, 0, 3, 0}, {2, 3, 4, 1}}, {"track 2", "frame 3", "parent 1", "0 to 3"}},
      {{{1, 5, 6, 0}, {2, 3, 4, 1}}, {"track 2", "frame 3", "5 to 6"}},
  };
  for (const Case& c : cases)
    expect_failure<InvalidInput>([&] { track_table("res_track.txt", c.lines); }, c.words);
}

TEST(TrackTable, FindsTheParentThatEndedBeforeItsChild) {
  const TrackTable table =
      track_table("t", {{5, 8, 9, 1}, {1, 6, 7, 0}, {1, 0, 1, 0}, {1, 3, 4, 1}, {4, 5, 5, 1}});
  ASSERT_EQ(table.count(), 5);
  EXPECT_EQ(table.at(1).begin, 3);
  EXPECT_EQ(table.at(1).parent, 0);  // an id that is continued
  EXPECT_EQ(table.at(3).parent, 1);  // 4 from the second track 1
  EXPECT_EQ(table.at(4).parent, 2);  // 5 from the third
}

}  // namespace
}  // namespace synthoscope::score
