// SPDX-License-Identifier: MIT
// What a job left unfinished in frequency parts goes, unless somebody is at it still.
#include "jobs/output/shared_output.hpp"
#include <gtest/gtest.h>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "fftconv/plan.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::jobs {
namespace {

std::string plan_in(fftconv::Strategy strategy) {
  fftconv::Problem problem;
  problem.image = problem.kernel = {20, 30, 40};
  problem.center = {10, 15, 20};
  return to_json(plan_convolution(problem, {std::int64_t{1} << 40}, strategy));
}

/// A file of two shares of which none is done.
class SharedParts : public ::testing::Test {
 protected:
  void begin(fftconv::Strategy strategy) {
    folder_.write("out.tif.partial", "begun");
    imageio::SharedFileLock{output_}.begin({"{}", plan_in(strategy), "{}", 2, 2, false, "{}"});
  }

  [[nodiscard]] bool is_begun() const {
    return imageio::SharedFileLock{output_}.begun().has_value();
  }

  test::TemporaryFolder folder_;
  std::filesystem::path output_ = folder_ / "out.tif";
};

TEST_F(SharedParts, ThatNobodyMakesAreForgotten) {
  begin(fftconv::Strategy::parts);
  forget_unfinished_parts(output_);
  EXPECT_FALSE(is_begun());
}

TEST_F(SharedParts, ThatAJobIsMakingStay) {
  begin(fftconv::Strategy::parts);
  for (const std::int64_t number : {1, 2}) {
    const imageio::ShareLock running{output_, number, 2};
    test::expect_failure<IoError>([&] { forget_unfinished_parts(output_); },
                                  {"out.tif", "another process is doing shard"});
    EXPECT_TRUE(is_begun());
  }
}

TEST_F(SharedParts, OfOtherStrategiesAreGoneOnWith) {
  begin(fftconv::Strategy::ring);
  forget_unfinished_parts(output_);
  EXPECT_TRUE(is_begun());
}

TEST_F(SharedParts, WithARecordThatLacksSomethingAreRefused) {
  begin(fftconv::Strategy::parts);
  Json record = parse_json(test::content_of(folder_ / "out.tif.partial.shares"));
  for (const char* key : {"identity", "steps", "command"}) {
    Json lacking = record;
    lacking.erase(key);
    folder_.write("out.tif.partial.shares", text_of(lacking));
    test::expect_failure<InvalidSpec>([&] { (void)is_begun(); },
                                      {"out.tif.partial.shares", "remove it"});
  }
}

}  // namespace
}  // namespace synthoscope::jobs
