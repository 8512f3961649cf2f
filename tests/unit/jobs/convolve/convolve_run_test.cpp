// SPDX-License-Identifier: MIT
// One convolution of files: what it makes, and what stays where it is interrupted.
#include "jobs/convolve/convolve_run.hpp"
#include <gtest/gtest.h>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "imageio/create.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::jobs {
namespace {

constexpr Extent3 kImage{24, 20, 30}, kKernel{3, 5, 5};

class NamedListener final : public JobListener {
 public:
  [[nodiscard]] std::vector<std::string> command_line() const override { return {"a job"}; }
};

/// Requests a stop after some progress.
class StopAfter final : public Progress {
 public:
  StopAfter(StopFlag& stop, std::int64_t units) : stop_{stop}, units_{units} {}
  void begin(std::string_view, std::int64_t) override {}
  void advance(std::int64_t units) override {
    if ((units_ -= units) <= 0) stop_.request();
  }

 private:
  StopFlag& stop_;
  std::int64_t units_;
};

class ConvolveRuns : public testing::Test {
 protected:
  ConvolveRuns() {
    write("image.tif", kImage);
    write("kernel.tif", kKernel);
    job_.image.file = folder_ / "image.tif";
    job_.kernel.file = folder_ / "kernel.tif";
    job_.plan.strategy = fftconv::Strategy::ring;
    job_.gpu.gpus = "none";
    job_.resume.every_seconds = 0;
  }
  void write(const char* name, const Extent3& extent) {
    imageio::ImageSpec spec;
    spec.extent = extent;
    const auto voxels = test::pattern<float>(extent);
    const auto file = imageio::create_image(folder_ / name, spec);
    file->write({{}, extent}, ConstVoxelView{voxels.view()});
    file->close();
  }
  ConvolveReport run(std::int64_t stop_after = std::int64_t{1} << 40) {
    test::TestContext machine{1};
    StopAfter progress{machine.stop, stop_after};
    stages_.clear();
    Stopwatch watch{stages_};
    Workspace workspace{with_progress(progress, machine.context), [] { return std::int64_t{0}; },
                        watch};
    imageio::RunFiles files;
    name_files(job_, files);
    files.check();
    ConvolveRun run{job_, files, workspace};
    run.plan();
    const auto report = run.make(NamedListener{});
    seconds_ = watch.total();
    notes_ = machine.log.notes;
    return report;
  }
  /// Returns the bytes of a result that was not interrupted.
  std::string expected() {
    job_.output = folder_ / "expected.tif";
    run();
    return test::content_of(job_.output);
  }
  [[nodiscard]] bool exists(const char* name) const {
    return std::filesystem::exists(folder_ / name);
  }

  test::TemporaryFolder folder_;
  ConvolveJob job_;
  std::vector<std::string> notes_;
  Stages stages_;
  double seconds_ = 0;
};

TEST_F(ConvolveRuns, MakeAFileWithItsRecord) {
  job_.output = folder_ / "out.tif";
  job_.certify.voxels = 20;
  const ConvolveReport report = run();
  EXPECT_TRUE(report.is_complete);
  EXPECT_EQ(report.extent, kImage);
  ASSERT_TRUE(report.certified.by_sums.has_value());
  EXPECT_EQ(report.certified.by_sums->voxels, 20);
  EXPECT_NE(test::content_of(folder_ / "out.tif.json").find("a job"), std::string::npos);
  EXPECT_FALSE(exists("out.tif.uncertified"));
}

TEST_F(ConvolveRuns, HaveEverySecondInAStage) {
  job_.output = folder_ / "out.tif";
  const ConvolveReport report = run();
  double sum = 0;
  std::vector<std::string> names;
  for (const auto& [name, seconds] : stages_) {
    sum += seconds;
    names.push_back(name);
  }
  EXPECT_GT(sum, 0.95 * seconds_);
  EXPECT_LE(sum, seconds_);
  for (const char* name : {"open files", "kernel", "plan", "create file", "tiles and turns",
                           "release memory", "hash inputs", "finish file", "sync", "record"})
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
}

TEST_F(ConvolveRuns, AreResumedWithTheSameBytes) {
  const std::string whole = expected();
  job_.output = folder_ / "out.tif";
  test::expect_failure<Interrupted>([&] { run(8); }, {"the finished part is kept", "--resume"});
  EXPECT_TRUE(exists("out.tif.partial.journal"));
  job_.resume.resume = true;
  run();
  ASSERT_FALSE(notes_.empty());
  EXPECT_NE(notes_[0].find("resumes"), std::string::npos) << notes_[0];
  EXPECT_EQ(test::content_of(job_.output), whole);
}

TEST_F(ConvolveRuns, LeaveNothingUnlessTheyKeepIt) {
  job_.output = folder_ / "out.tif";
  job_.resume.keeps = false;
  const auto before = folder_.names();
  try {
    run(8);
    FAIL() << "it was not interrupted";
  } catch (const Interrupted& failure) {
    EXPECT_EQ(std::string{failure.what()}.find("kept"), std::string::npos) << failure.what();
  }
  EXPECT_EQ(folder_.names(), before);
}

TEST_F(ConvolveRuns, FillVoxelsOfTheCaller) {
  const auto image = test::pattern<float>(kImage);
  MemorySource voxels{image.view()};
  Volume<float> result{kImage}, from_file{kImage};
  MemorySink sink{result.view()}, other{from_file.view()};
  job_.sink = &sink;
  job_.asked.output_type = fftconv::OutputType::float32;
  run();
  job_.image = {{}, &voxels, "the image"};
  job_.sink = &other;
  run();
  EXPECT_EQ(result.voxels, from_file.voxels);
  EXPECT_NE(result.voxels, Volume<float>{kImage}.voxels);
}

TEST_F(ConvolveRuns, RefuseARoomOfAnotherSize) {
  Volume<float> small{{1, 2, 3}};
  MemorySink sink{small.view()};
  job_.sink = &sink;
  test::expect_failure<InvalidSpec>([&] { run(); }, {"the result has", "shape same gives"});
}

TEST(RequireCertifiable, RefusesWhatCannotBeRecomputed) {
  ConvolveJob job;
  job.certify.voxels = 1;
  EXPECT_NO_THROW(require_certifiable(job));
  job.asked.non_finite = NonFinite::propagate;
  EXPECT_THROW(require_certifiable(job), InvalidSpec);
  job.asked.non_finite = NonFinite::refuse;
  job.file.format = imageio::FileFormat::bdv;
  EXPECT_THROW(require_certifiable(job), InvalidSpec);
}

TEST(ConvolveCountsText, IsReadBack) {
  const ConvolveCounts counts = counts_from(counts_text({3, 5, true}));
  EXPECT_EQ(counts.clipped, 3);
  EXPECT_EQ(counts.non_finite, 5);
  EXPECT_TRUE(counts.met_non_finite);
  EXPECT_EQ(counts_from("").clipped, 0);
  EXPECT_THROW(counts_from("[]"), InvalidInput);
}

}  // namespace
}  // namespace synthoscope::jobs
