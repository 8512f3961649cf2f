// SPDX-License-Identifier: MIT
// What stays of a run that fails is what can be gone on with.
#include "jobs/output/resumable_output.hpp"
#include <gtest/gtest.h>
#include <new>
#include <stdexcept>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "imageio/output/partial_file.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::jobs {
namespace {

constexpr Extent3 kExtent{3, 4, 5};

struct FailureCase {
  const char* name;
  void (*fail)();
  bool stays, is_said;
};

const FailureCase kFailures[] = {
    {"interrupted", [] { throw Interrupted("stop"); }, true, true},
    {"disk", [] { throw IoError("write"); }, true, true},
    {"plan", [] { throw PlanError("plan"); }, true, true},
    {"memory", [] { throw std::bad_alloc{}; }, true, false},
    {"folder",
     [] {
       throw std::filesystem::filesystem_error{"", std::error_code{}};
     },
     true, false},
    {"usage", [] { throw InvalidSpec("appeared"); }, true, false},
    {"defect", [] { throw std::logic_error("defect"); }, true, false},
    {"input", [] { throw InvalidInput("NaN"); }, false, false},
    {"certificate", [] { throw VerificationFailed("differs"); }, false, false},
};

class Failures : public testing::TestWithParam<FailureCase> {
 protected:
  Failures() { spec_.extent = kExtent; }

  std::unique_ptr<ResumableOutput> output(const imageio::UnfinishedRun* unfinished = nullptr) {
    ResumeChoice options;
    options.every_seconds = 0;
    return std::make_unique<ResumableOutput>(path_, spec_, ResumableRequest{"{}", {}}, unfinished,
                                             options, log_, [] { return "{}"; });
  }
  /// Finishes plane `z` and then fails. @returns what was said
  std::string fail_after(ResumableOutput& output, std::int64_t z) {
    try {
      output.complete([&] {
        const auto all = test::pattern<float>(kExtent);
        const auto part = test::cut(all, plane(kExtent, z));
        output.sink().write(plane(kExtent, z), ConstVoxelView{part.view()});
        output.checkpoint()->finish(IntervalSet{{z, 1}});
        GetParam().fail();
      });
    } catch (const std::exception& failure) {
      return failure.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return "";
  }
  void expect_names() const {
    std::set<std::string> names;
    if (GetParam().stays) names = {"out.tif.partial", "out.tif.partial.journal"};
    EXPECT_EQ(folder_.names(), names);
  }

  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "out.tif";
  imageio::ImageSpec spec_;
  NoLog log_;
};

TEST_P(Failures, KeepWhatIsFinishedUnlessTheResultIsRefused) {
  const std::string said = fail_after(*output(), 0);
  EXPECT_EQ(said.find("--resume continues") != std::string::npos, GetParam().is_said) << said;
  expect_names();
  if (!GetParam().stays) return;
  const auto unfinished = imageio::read_journal(path_, path_);
  ASSERT_TRUE(unfinished);
  fail_after(*output(&*unfinished), 1);
  expect_names();
  EXPECT_EQ(imageio::read_journal(path_, path_)->last.finished.count(), 2);
}

TEST_P(Failures, OfARunThatGoesOnDoTheSame) {
  {
    auto first = output();
    first->checkpoint()->finish(IntervalSet{{0, 1}});
    EXPECT_THROW(first->complete([] { throw Interrupted("stop"); }), Interrupted);
  }
  const auto unfinished = imageio::read_journal(path_, path_);
  ASSERT_TRUE(unfinished);
  fail_after(*output(&*unfinished), 1);
  expect_names();
}

INSTANTIATE_TEST_SUITE_P(Table, Failures, testing::ValuesIn(kFailures), test::kCaseName);

TEST(WholeOutput, TakesAwayTheChunksThatAKillLeft) {
  const test::TemporaryFolder folder;
  folder.write("out.h5.chunks.partial", "chunks");
  folder.write("out.h5.partial.journal", "journal");
  folder.write("out.h5", "whole");
  imageio::UnfinishedRun unfinished;
  unfinished.is_whole = true;
  NoLog log;
  ResumableOutput output{folder / "out.h5:/a", {}, {"{}", {}}, &unfinished, {}, log,
                         [] { return ""; }};
  EXPECT_TRUE(output.is_whole());
  output.complete([] {});
  EXPECT_EQ(folder.names(), std::set<std::string>{"out.h5"});
}

}  // namespace
}  // namespace synthoscope::jobs
