// SPDX-License-Identifier: MIT
#include "imageio/run/journal.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <vector>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "imageio/output/partial_file.hpp"
#include "imageio/run/content_hash.hpp"
#include "imageio/run/input_identity.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/full_disk.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::imageio {
namespace {

using test::TemporaryFolder;

/// A file whose state is how often it was settled. It keeps the order of what is asked of it.
class ToldFile final : public ImageFile {
 public:
  explicit ToldFile(const std::filesystem::path& path, Leftover leftover = Leftover::discard)
      : file_{path, true, leftover} {}
  [[nodiscard]] Extent3 extent() const override { return {1, 1, 1}; }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::uint8; }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::any; }
  void write(const Box3&, ConstVoxelView) override {}
  void close() override { file_.commit(); }
  [[nodiscard]] std::string checkpoint() override {
    return "state " + std::to_string(++checkpoints);
  }
  [[nodiscard]] std::int64_t written() const override { return voxels; }
  void sync() override {
    ++synced;
    if (is_broken) throw IoError("the disk is gone");
  }
  void keep(bool is_kept) noexcept override { file_.keep(is_kept); }
  int checkpoints = 0, synced = 0;
  std::int64_t voxels = 0;
  bool is_broken = false;

 private:
  PartialFile file_;
};

IntervalSet step(std::int64_t number) {
  return IntervalSet{{number, 1}};
}

Journal::Settings every_step() {
  Journal::Settings settings;
  settings.every = std::chrono::seconds{0};
  settings.boot = "this boot";
  return settings;
}

class JournalTest : public testing::Test {
 protected:
  /// Finishes `steps` steps and ends as a killed process would: journal and file stay as they are.
  void run_and_die(std::int64_t steps, const Journal::Settings& settings = every_step(),
                   const UnfinishedRun* earlier = nullptr) {
    ToldFile file{output_};
    std::string after;
    {
      Journal journal{output_,
                      R"({"boundary":"zero","image":{"bytes":12}})",
                      "the plan",
                      file,
                      [asked = 0]() mutable { return "counts " + std::to_string(++asked); },
                      earlier,
                      settings};
      const IntervalSet next = journal.to_do(1000).slice(0, steps);
      for (const std::int64_t number : next.numbers()) journal.finish(step(number));
      after = journal_bytes();
    }
    file.keep(true);
    if (!after.empty()) folder_.write("out.tif.partial.journal", after);
  }

  [[nodiscard]] std::string journal_bytes() const {
    return test::content_of(folder_ / "out.tif.partial.journal");
  }
  [[nodiscard]] std::optional<UnfinishedRun> found(const std::string& boot = "this boot") const {
    return read_journal(output_, output_, boot);
  }

  TemporaryFolder folder_;
  std::filesystem::path output_ = folder_ / "out.tif";
};

TEST_F(JournalTest, GivesBackWhatWasFinishedLast) {
  run_and_die(3);
  const auto run = found();
  ASSERT_TRUE(run);
  EXPECT_EQ(run->request, R"({"boundary":"zero","image":{"bytes":12}})");
  EXPECT_EQ(run->plan, "the plan");
  EXPECT_EQ(run->last.finished.count(), 3);
  EXPECT_EQ(run->last.file, "state 3");
  EXPECT_EQ(run->last.counts, "counts 3");
  EXPECT_FALSE(run->is_whole);
}

TEST_F(JournalTest, FindsNothingWhereNothingIsFinished) {
  EXPECT_FALSE(found());
  run_and_die(0);
  EXPECT_FALSE(found());
  run_and_die(2);
  std::filesystem::remove(partial_path(output_));
  EXPECT_FALSE(found()) << "the file is gone";
}

TEST_F(JournalTest, PassesOverARecordThatWasCutOffAnywhere) {
  run_and_die(2);
  const std::string two = journal_bytes();
  run_and_die(3);
  const std::string three = journal_bytes();
  ASSERT_TRUE(three.starts_with(two));
  for (std::size_t bytes = two.size(); bytes < three.size(); ++bytes) {
    folder_.write("out.tif.partial.journal", three.substr(0, bytes));
    const auto run = found();
    ASSERT_TRUE(run);
    EXPECT_EQ(run->last.finished.count(), 2) << "cut at byte " << bytes;
    EXPECT_EQ(run->bytes, std::ssize(two));
  }
  for (std::size_t byte = two.size(); byte + 1 < three.size(); ++byte) {
    auto flipped = three;
    flipped[byte] = static_cast<char>(flipped[byte] ^ 1);
    folder_.write("out.tif.partial.journal", flipped);
    EXPECT_EQ(found()->last.finished.count(), 2) << "flipped at byte " << byte;
  }
}

TEST_F(JournalTest, GoesOnBehindTheLastWholeRecord) {
  run_and_die(2);
  folder_.write("out.tif.partial.journal", journal_bytes() + "0123456789abcdef {\"torn");
  const auto run = found();
  ASSERT_TRUE(run);
  // A new file takes the journal away, which one that is gone on with does not: put it back
  const std::string bytes = journal_bytes();
  {
    ToldFile file{output_};
    folder_.write("out.tif.partial.journal", bytes);
    Journal journal{output_, "{}", "", file, [] { return ""; }, &*run, every_step()};
    EXPECT_EQ(journal.to_do(5), IntervalSet({2, 3}));
    journal.finish(step(2));
    EXPECT_TRUE(journal.keep_for_resume());
  }
  EXPECT_EQ(found()->last.finished.count(), 3);
  EXPECT_EQ(found()->plan, "the plan");
}

TEST_F(JournalTest, KnowsStepsThatWereFinishedInAnyOrder) {
  {
    ToldFile file{output_};
    Journal journal{output_, "{}", "", file, [] { return ""; }, nullptr, every_step()};
    journal.finish(step(7));
    IntervalSet two = step(1);
    two.add({3, 2});
    journal.finish(two);
    EXPECT_TRUE(journal.keep_for_resume());
  }
  EXPECT_EQ(found()->last.finished.numbers(), (std::vector<std::int64_t>{1, 3, 4, 7}));
  const auto run = found();
  ToldFile file{output_, Leftover::resume};
  Journal journal{output_, "{}", "", file, [] { return ""; }, &*run, every_step()};
  EXPECT_EQ(journal.to_do(9).numbers(), (std::vector<std::int64_t>{0, 2, 5, 6, 8}));
}

TEST_F(JournalTest, LeavesTheFileWhereItCannotBeOpened) {
  run_and_die(2);
  const auto run = found();
  ASSERT_TRUE(run);
  const std::string bytes = journal_bytes();
  std::filesystem::remove(journal_path(output_));
  std::filesystem::create_directory(journal_path(output_));
  {
    ToldFile file{output_, Leftover::resume};
    EXPECT_THROW((Journal{output_, "{}", "", file, [] { return ""; }, &*run, every_step()}),
                 IoError);
  }
  std::filesystem::remove(journal_path(output_));
  folder_.write("out.tif.partial.journal", bytes);
  EXPECT_TRUE(found());
}

TEST_F(JournalTest, TrustsAfterAnotherBootOnlyWhatWasSynced) {
  run_and_die(3);
  EXPECT_FALSE(found("another boot"));
  auto settings = every_step();
  settings.sync_every = std::chrono::seconds{0};
  run_and_die(4, settings);
  EXPECT_EQ(found("another boot")->last.finished.count(), 4);
}

TEST_F(JournalTest, WritesNoMoreOftenThanItIsAskedTo) {
  auto settings = every_step();
  settings.every = std::chrono::hours{1};
  run_and_die(5, settings);
  EXPECT_EQ(found()->last.finished.count(), 1) << "the first one at once";
  ToldFile file{output_};
  Journal journal{output_, "{}", "", file, [] { return ""; }, nullptr, settings};
  for (int i = 0; i < 5; ++i) journal.finish(step(i));
  EXPECT_EQ(file.checkpoints, 1) << "what no record speaks of is not put aside";
  EXPECT_TRUE(journal.keep_for_resume());
  EXPECT_EQ(found()->last.finished.count(), 5) << "the last one when it ends";
}

TEST_F(JournalTest, LeavesTheRecordThatHoldsWhenAStepWasBroken) {
  auto settings = every_step();
  settings.every = std::chrono::hours{1};
  ToldFile file{output_};
  Journal journal{output_, "{}", "", file, [] { return ""; }, nullptr, settings};
  for (int i = 0; i < 5; ++i) journal.finish(step(i));
  ++file.voxels;
  EXPECT_TRUE(journal.keep_for_resume());
  EXPECT_EQ(found()->last.finished.count(), 1);
}

TEST_F(JournalTest, KnowsTheNameOfAFileWithoutSteps) {
  std::string bytes;
  {
    ToldFile file{output_};
    Journal journal{output_, "{}", "the plan", file, [] { return "7"; }, nullptr, every_step()};
    journal.finish_file();
    EXPECT_FALSE(found()) << "no step to go on behind, and no name";
    EXPECT_FALSE(journal.keep_for_resume());
    file.close();
    EXPECT_TRUE(found()->is_whole);
    EXPECT_EQ(found()->last.counts, "7");
    EXPECT_TRUE(journal.keep_for_resume());
  }
  EXPECT_TRUE(found()->is_whole);
  std::filesystem::rename(output_, folder_ / "certified.tif");
  EXPECT_FALSE(found());
  EXPECT_TRUE(read_journal(output_, folder_ / "certified.tif", "this boot")->is_whole);
}

TEST_F(JournalTest, WithoutStepsIsDoneWithoutOnAFullDisk) {
  ToldFile file{output_};
  Journal journal{output_, "{}", "", file, [] { return ""; }, nullptr, every_step()};
  const test::FullDisk full{0};
  EXPECT_NO_THROW(journal.finish_file());
  EXPECT_FALSE(found());
}

TEST_F(JournalTest, SyncsTheFileBeforeItSaysSo) {
  ToldFile file{output_};
  auto settings = every_step();
  settings.sync_every = std::chrono::seconds{0};
  Journal journal{output_, "{}", "", file, [] { return ""; }, nullptr, settings};
  journal.finish(step(0));
  EXPECT_EQ(file.synced, 1);
  file.is_broken = true;
  EXPECT_THROW(journal.finish(step(1)), IoError);
  EXPECT_EQ(found("another boot")->last.finished.count(), 1);
  EXPECT_FALSE(journal.keep_for_resume()) << "what the disk has after a failed sync is unknown";
}

TEST_F(JournalTest, LeavesNothingUnlessItIsToldTo) {
  {
    ToldFile file{output_};
    Journal journal{output_, "{}", "", file, [] { return ""; }, nullptr, every_step()};
    journal.finish(step(0));
    EXPECT_EQ(folder_.names(),
              (std::set<std::string>{"out.tif.partial", "out.tif.partial.journal"}));
  }
  EXPECT_TRUE(folder_.names().empty());
  {
    ToldFile file{output_};
    Journal journal{output_, "{}", "", file, [] { return ""; }, nullptr, every_step()};
    EXPECT_FALSE(journal.keep_for_resume()) << "nothing is finished";
  }
  EXPECT_TRUE(folder_.names().empty());
}

TEST_F(JournalTest, KeepsItsRecordsOnAFullDisk) {
  ToldFile file{output_};
  Journal journal{output_, "{}", "", file, [] { return ""; }, nullptr, every_step()};
  journal.finish(step(0));
  const test::FullDisk full{static_cast<rlim_t>(journal_bytes().size())};
  EXPECT_THROW(journal.finish(step(1)), IoError);
  EXPECT_TRUE(journal.keep_for_resume()) << "the records before hold";
  EXPECT_EQ(found()->last.finished.count(), 1);
}

TEST_F(JournalTest, KnowsThatTheFileHasItsName) {
  std::string bytes;
  {
    ToldFile file{output_};
    Journal journal{output_, "{}", "", file, [] { return "7"; }, nullptr, every_step()};
    journal.finish(step(0));
    journal.finish_file();
    EXPECT_EQ(file.synced, 1);
    EXPECT_FALSE(found()->is_whole) << "not yet";
    file.close();
    EXPECT_TRUE(found()->is_whole);
    EXPECT_TRUE(found("another boot")->is_whole);
    EXPECT_EQ(found()->last.counts, "7");
    bytes = journal_bytes();
  }
  EXPECT_EQ(folder_.names(), std::set<std::string>{"out.tif"});
  folder_.write("out.tif.partial.journal", bytes);
  folder_.write("out.tif", "somebody else's");
  EXPECT_FALSE(found()) << "not the file that was written";
}

TEST_F(JournalTest, RefusesWhatAnotherVersionOrProgramWrote) {
  run_and_die(1);
  const std::string all = journal_bytes();
  const auto end = all.find('\n');
  const auto header = parse_json(all.substr(17, end - 17));
  const auto with_header = [&](const Json& other) {
    const std::string text = text_of(other);
    ContentHash hash;
    hash.update(std::as_bytes(std::span{text.data(), text.size()}));
    folder_.write("out.tif.partial.journal",
                  fmt::format("{:016x} {}{}", hash.value(), text, all.substr(end)));
  };
  with_header(header);
  EXPECT_EQ(found()->last.finished.count(), 1);
  for (const auto& change : {Json{{"format", 1}}, Json{{"version", "9.9"}}}) {
    auto other = header;
    other.update(change);
    with_header(other);
    test::expect_failure<InvalidSpec>([&] { (void)found(); },
                                      {"out.tif", "version", "without --resume"});
  }
  auto no_json = header, no_object = header;
  no_json["request"] = "{";
  no_object["request"] = "[1]";
  for (const auto& strange : {Json{}, Json{{"format", 2}}, no_json, no_object}) {
    with_header(strange);
    test::expect_failure<InvalidSpec>([&] { (void)found(); },
                                      {"not a journal of this program", "without --resume"});
  }
}

TEST_F(JournalTest, RefusesStepsThatCannotBeCounted) {
  run_and_die(1);
  const std::string all = journal_bytes();
  const auto begin = all.find('\n') + 1;
  auto entry = parse_json(all.substr(begin + 17, all.find('\n', begin) - begin - 17));
  for (const char* steps : {"[[-1, 4]]", "[[0, -4]]", "[[1, 9223372036854775807]]"}) {
    entry["finished"] = parse_json(steps);
    const std::string text = text_of(entry);
    ContentHash hash;
    hash.update(std::as_bytes(std::span{text.data(), text.size()}));
    folder_.write("out.tif.partial.journal",
                  fmt::format("{}{:016x} {}\n", all.substr(0, begin), hash.value(), text));
    test::expect_failure<InvalidSpec>([&] { (void)found(); },
                                      {"not a journal of this program", "without --resume"});
  }
}

TEST(RequireSameRequest, NamesWhatChanged) {
  const std::string then = R"({"boundary":"zero","image":{"bytes":12,"content":"ab"}})";
  EXPECT_NO_THROW(require_same_request("out.tif", then, then));
  const struct {
    const char* now;
    std::vector<const char*> words;
  } cases[] = {
      {R"({"boundary":"wrap","image":{"bytes":12,"content":"ab"}})",
       {"out.tif", "boundary was \"zero\"", "is \"wrap\" now", "leave --resume out"}},
      {R"({"boundary":"zero","image":{"bytes":13,"content":"ab"}})",
       {"image bytes was 12", "is 13"}},
      {R"({"boundary":"zero","image":{"bytes":12,"content":"ab"},"frame":2})",
       {"frame was not given", "is 2"}},
      {R"({"image":{"bytes":12,"content":"ab"}})", {"boundary was \"zero\"", "is not given"}},
  };
  for (const auto& row : cases) try {
      require_same_request("out.tif", then, row.now);
      ADD_FAILURE() << row.now;
    } catch (const InvalidSpec& failure) {
      for (const char* word : row.words)
        EXPECT_NE(std::string{failure.what()}.find(word), std::string::npos) << failure.what();
    }
}

TEST(IdentityOfInput, ChangesWithEveryBlockOfASmallFileAndWithBothEndsOfALargeOne) {
  const TemporaryFolder folder;
  constexpr std::size_t kBlock = 1 << 14;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, kBlock + 1, 3 * kBlock - 1,
                                 64 * kBlock, 200 * kBlock + 7}) {
    const auto content = [&](const std::string& bytes) {
      const auto path = folder.write("input", bytes);
      auto identity = parse_json(identity_of_input(path));
      identity.erase("time of change");  // which every write changes
      return identity;
    };
    const std::string zeros(size, '\0');
    const auto was = content(zeros);
    EXPECT_EQ(content(zeros), was);
    EXPECT_NE(content(zeros + '\0'), was);
    const std::size_t step = size <= 64 * kBlock ? kBlock / 2 : size - 1;
    for (std::size_t at = 0; at < size; at += std::max<std::size_t>(1, step)) {
      auto other = zeros;
      other[at] = 1;
      EXPECT_NE(content(other), was) << "byte " << at << " of " << size;
    }
  }
}

}  // namespace
}  // namespace synthoscope::imageio
