// SPDX-License-Identifier: MIT
// No run writes over what it reads, and none replaces files of others on the way.
#include "imageio/run/run_files.hpp"
#include <gtest/gtest.h>
#include <sys/stat.h>
#include "core/base/error.hpp"
#include "imageio/output/atomic_file.hpp"
#include "imageio/output/partial_file.hpp"
#include "imageio/run/provenance.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::imageio {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

/// A run that makes an image of a kernel and perhaps more, in a folder of its own.
struct RunCase {
  const char* name;
  const char* kernel;  ///< a file that is there
  const char* output;
  const char* words;  ///< of the refusal; null: there is none
  FileFormat format = FileFormat::by_name;
};

const RunCase kRuns[] = {
    {"OtherNames", "k.tif", "o.tif", nullptr},
    {"TheOutputItself", "o.tif", "o.tif", "it is the kernel"},
    {"ByADot", "o.tif", "./o.tif", "it is the kernel"},
    {"ByAFolderThatIsNotThere", "o.tif", "no/../o.tif", "it is the kernel"},
    {"TheUnfinishedFile", "o.tif.partial", "o.tif", "has a name that is used until"},
    {"TheJournal", "o.tif.partial.journal", "o.tif", "has a name that is used until"},
    {"TheList", "o.tif.partial.shares", "o.tif", "has a name that is used until"},
    {"AJournalOfAShare", "o.tif.partial.share-1-of-2.journal", "o.tif", "has a name that is used"},
    {"TheRecord", "o.tif.json", "o.tif", "o.tif.json, which is written with it, is the kernel"},
    {"TheUnfinishedRecord", "o.tif.json.partial", "o.tif", "has a name that is used until"},
    {"PackedChunks", "o.tif.chunks.partial", "o.tif", "has a name that is used until"},
    {"NotWhatMerelyBeginsAlike", "o.tif.partially", "o.tif", nullptr},
    {"NotOfAnotherOutput", "o.tif.partial", "o.tiff", nullptr},
    {"OneFileOfSeveralDataSets", "o.h5", "o.h5:/b", "it is the kernel"},
    {"TheXml", "o.xml", "o.h5", "o.xml, which is written with it, is the kernel", FileFormat::bdv},
    {"TheXmlOfOthersStays", "o.xml", "o.h5", nullptr, FileFormat::hdf5},
    {"TheUnfinishedXml", "o.xml.partial", "o.h5", "has a name that is used", FileFormat::bdv},
    {"WhatTheOutputHolds", "o.zarr/0/k.tif", "o.zarr", "it holds the kernel"},
    {"WhatTheUnfinishedHolds", "o.zarr.partial/0/k.tif", "o.zarr", "has a name that is used until"},
    {"TheAsideOfAFolder", "o.zarr.older/0", "o.zarr", "has a name that is used until"},
};

class RunFilesOf : public testing::TestWithParam<RunCase> {};

TEST_P(RunFilesOf, AreComparedBeforeAnythingHappens) {
  const RunCase& run = GetParam();
  const TemporaryFolder folder;
  const fs::path kernel = folder / run.kernel;
  fs::create_directories(kernel.parent_path());
  write_file_atomically(kernel, "kernel", false);
  RunFiles files;
  files.add_input("kernel", kernel);
  files.add_output_image("result", folder / run.output, run.format);
  if (run.words)
    test::expect_failure<InvalidSpec>(
        [&] { files.check(); },
        {"write ", run.words, run.kernel, "the run reads", "choose another name"});
  else
    EXPECT_NO_THROW(files.check());
  EXPECT_EQ(test::content_of(kernel), "kernel");
}

INSTANTIATE_TEST_SUITE_P(Table, RunFilesOf, testing::ValuesIn(kRuns), test::kCaseName);

/// Refuses to write `output` where `kernel` is read.
void expect_kernel_is(const fs::path& kernel, const fs::path& output, const char* words) {
  RunFiles files;
  files.add_input("kernel", kernel);
  files.add_output_image("result", output, FileFormat::tiff);
  test::expect_failure<InvalidSpec>([&] { files.check(); }, {words, kernel.c_str()});
}

TEST(RunFiles, FollowLinks) {
  const TemporaryFolder folder;
  folder.write("k.tif", "kernel");
  fs::create_directory(folder / "real");
  fs::create_directory_symlink(folder / "real", folder / "linked");
  write_file_atomically(folder / "real/k.tif", "kernel", false);
  fs::create_symlink("k.tif", folder / "soft.tif");
  fs::create_hard_link(folder / "k.tif", folder / "hard.tif");
  fs::create_hard_link(folder / "k.tif", folder / "o.tif.partial");
  fs::create_symlink("k.tif", folder / "p.tif.json");
  fs::create_symlink("real/new.tif", folder / "dangling.tif");
  expect_kernel_is(folder / "k.tif", folder / "soft.tif", "it is the kernel");
  expect_kernel_is(folder / "k.tif", folder / "hard.tif", "it is the kernel");
  expect_kernel_is(folder / "k.tif", folder / "o.tif", "has a name that is used until");
  expect_kernel_is(folder / "k.tif", folder / "p.tif", "p.tif.json, which is written with it, is");
  expect_kernel_is(folder / "real/k.tif", folder / "linked/k.tif", "it is the kernel");
  expect_kernel_is(folder / "linked/k.tif", folder / "real/k.tif", "it is the kernel");
  expect_kernel_is(folder / "real/o.tif.partial", folder / "linked/o.tif", "has a name that is");
  expect_kernel_is(folder / "linked/a/o.tif", folder / "real/a/o.tif", "it is the kernel");
  expect_kernel_is(folder / "linked/new.tif", folder / "dangling.tif", "it is the kernel");
}

TEST(RunFiles, MayBeReadTwice) {
  const TemporaryFolder folder;
  RunFiles files;
  files.add_input("image", folder / "a.tif");
  files.add_input("kernel", std::vector{folder / "a.tif", folder / "b.tif"});
  files.add_input("plan", fs::path{});
  files.add_output_image("result", folder / "o.tif", FileFormat::tiff);
  EXPECT_NO_THROW(files.check());
}

TEST(RunFiles, KeepResultsApart) {
  const TemporaryFolder folder;
  const auto expect = [&](const char* other, std::initializer_list<const char*> words) {
    RunFiles files;
    files.add_output_image("result", folder / "o.tif", FileFormat::tiff);
    files.add_output_image("labels", folder / other, FileFormat::tiff);
    test::expect_failure<InvalidSpec>([&] { files.check(); }, words);
  };
  expect("./o.tif", {"o.tif would be in the same file"});
  expect("o.tif.json", {"o.tif.json", "would be in the same file"});
  expect("o.tif.partial", {"the labels", "has a name that is used until"});
  expect("o.tif/in", {"it holds the labels"});
}

TEST(RunFiles, KeepTheLogApart) {
  const TemporaryFolder folder;
  const auto expect = [&](const char* log, std::initializer_list<const char*> words) {
    RunFiles files;
    files.add_input("image", folder / "a.tif");
    files.add_output_image("result", folder / "o.tif", FileFormat::tiff);
    files.add_output_folder("data set", folder / "set");
    files.add_log(folder / log);
    test::expect_failure<InvalidSpec>([&] { files.check(); }, words);
  };
  expect("a.tif", {"write the log", "it is the image", "which the run reads", "--log-file"});
  expect("o.tif", {"write the log", "it is the result", "which the run creates", "--log-file"});
  expect("o.tif.json", {"write the log", "it is the result", "o.tif.json itself", "--log-file"});
  for (const char* name : {"o.tif.partial", "o.tif.partial.journal", "o.tif.json.partial",
                           "o.tif.chunks.partial", "set.partial", "set.shards", "set.parts/a"})
    expect(name, {"write the log", "it has a name that is used until", "--log-file"});
  expect("set/run.log", {"write the log", "it would be in the data set", "--log-file"});
}

TEST(RunFiles, MayNotLieInWhatIsRead) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "set/in");
  RunFiles files;
  files.add_input("data set", folder / "set");
  files.add_output_file("page", folder / "set/in/page.html");
  test::expect_failure<InvalidSpec>([&] { files.check(); },
                                    {"page.html: it would be in the data set", "the run reads"});
}

TEST(RunFiles, LeaveItToTheWriterToSayThatAFileHoldsNoFiles) {
  const TemporaryFolder folder;
  folder.write("a.tif", "image");
  RunFiles files;
  files.add_input("image", folder / "a.tif");
  files.add_output_image("result", folder / "a.tif/o.tif", FileFormat::tiff);
  files.add_log(folder.path());
  EXPECT_NO_THROW(files.check());
}

/// What lies at a name that the run needs on the way, and whether the run may replace it.
struct LeftoverCase {
  const char *name, *file, *content;
  const char* words;  ///< of the refusal; null: there is none
};

const LeftoverCase kLeftovers[] = {
    {"NothingInIt", "o.tif.partial", "", nullptr},
    {"AnImage", "o.tif.partial", "II*", "it was not left by a run of this program"},
    {"AnImageForARecord", "o.tif.json", "II*", "it is not a record of this program"},
    {"JsonOfOthers", "o.tif.json", R"({"program": "other"})", "it is not a record of this program"},
    {"ASceneOfOurs", "o.tif.json", R"({"program": "synthoscope", "seed": 1})",
     "it is not a record"},
    {"AnotherJournal", "o.tif.partial.journal", "Dear diary", "it is not a journal"},
    {"AnotherList", "o.tif.partial.shares", "milk", "it is not a list of shards"},
    {"OthersChunks", "o.tif.chunks.partial", "chunks", "it was not left by a run of this program"},
    {"OthersUnfinishedRecord", "o.tif.json.partial", "{}",
     "it was not left by a run of this program"},
};

class OwnLeftovers : public testing::Test {
 protected:
  void check() const {
    RunFiles files;
    files.add_output_image("result", folder_ / "o.tif", FileFormat::tiff);
    files.check();
  }
  TemporaryFolder folder_;
};

class Leftovers : public OwnLeftovers, public testing::WithParamInterface<LeftoverCase> {};

TEST_P(Leftovers, OfOthersAreNeverReplaced) {
  const LeftoverCase& left = GetParam();
  folder_.write(left.file, left.content);
  if (!left.words) {
    EXPECT_NO_THROW(check());
    return;
  }
  test::expect_failure<InvalidSpec>([&] { check(); }, {"o.tif", left.file, left.words, "move it"});
  EXPECT_EQ(test::content_of(folder_ / left.file), left.content);
}

INSTANTIATE_TEST_SUITE_P(Table, Leftovers, testing::ValuesIn(kLeftovers), test::kCaseName);

TEST_F(OwnLeftovers, AreReplaced) {
  RunRecord record;
  record.command_line = {"synthoscope", "filter"};
  write_record(folder_ / "o.tif", record, false);
  {
    PartialFile killed{folder_ / "o.tif", false};
    killed.allocate(100);
    killed.keep(true);
  }
  folder_.write("o.tif.partial.journal", "its first line was cut o");
  EXPECT_NO_THROW(check());
  PartialFile again{folder_ / "o.tif", false};
  EXPECT_EQ(again.size(), 0);
}

TEST_F(OwnLeftovers, AreKnownByTheirJournalWhereNoMarkIsKept) {
  folder_.write("o.tif.partial", "half");
  EXPECT_THROW(check(), InvalidSpec);
  folder_.write("o.tif.partial.journal",
                R"(0123456789abcdef {"format":2,"program":"synthoscope","version":"0.1.0"})");
  EXPECT_NO_THROW(check());
}

TEST_F(OwnLeftovers, LoseTheirMarkWithTheirName) {
  const auto mode_of = [&](const char* name) {
    struct stat status {};
    EXPECT_EQ(::stat((folder_ / name).c_str(), &status), 0);
    return status.st_mode & 07777;
  };
  folder_.write("plain.txt", "x");
  PartialFile file{folder_ / "o.tif", false};
  EXPECT_EQ(mode_of("o.tif.partial"), mode_of("plain.txt") | S_ISVTX);
  file.commit();
  EXPECT_EQ(mode_of("o.tif"), mode_of("plain.txt"));
}

TEST_F(OwnLeftovers, AreNotFoldersWhereAFileIsMade) {
  fs::create_directory(folder_ / "o.tif.partial");
  test::expect_failure<InvalidSpec>([&] { check(); }, {"o.tif.partial", "move it"});
}

TEST(PartialFile, NeverEmptiesAFileOfOthers) {
  const TemporaryFolder folder;
  folder.write("a.json.partial", "mine");
  test::expect_failure<InvalidSpec>([&] { write_file_atomically(folder / "a.json", "new", false); },
                                    {"a.json.partial", "it was not left by a run of this program"});
  EXPECT_EQ(test::content_of(folder / "a.json.partial"), "mine");
}

}  // namespace
}  // namespace synthoscope::imageio
