// SPDX-License-Identifier: MIT
#include "simulator/run/image_series.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include "core/base/error.hpp"
#include "fftconv/host/executor.hpp"
#include "simulator/run/pipeline.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/hang.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

constexpr const char* kScene =
    "seed = 5\nframes = 5\n[grid]\nsize = [8, 32, 36]\npitch_nm = [400, 200, 200]\n"
    "[nuclei]\ncount = 2\nradius_um = 1.1\ngap_um = 0.1\nphotons_per_um3 = 3000\n";
constexpr const char* kOptics = "[optics]\nna = 0.8\nimmersion_index = 1.33\nsize = [5, 9, 9]\n";

struct SeriesCase {
  const char* name;
  std::string scene;
  imageio::FileFormat format = imageio::FileFormat::tiff;
  imageio::Compression compression = imageio::Compression::none;
};

const SeriesCase kCases[] = {
    {"independent_frames", std::string{kScene} + kOptics},
    {"binned", std::string{kScene} + kOptics + "[camera]\nbinning = 2\n"},
    {"oversampled", std::string{kScene} + kOptics + "oversample = 2\n"},
    {"movie_out_of_focus", std::string{kScene} + kOptics +
                               "[time]\ninterval_seconds = 60\ndiffusion_um2_per_second = "
                               "0.001\nfocus_drift_um_per_second = 0.001\n"},
    {"compressed", std::string{kScene} + kOptics, imageio::FileFormat::hdf5,
     imageio::Compression::deflate},
};

/// Hosts that run plans at the same time, as devices do.
class Hosts final : public fftconv::Executor {
 public:
  /// @param meet  several are to work
  Hosts(std::size_t count, std::int64_t bytes, bool meet) : waits_{meet} {
    for (std::size_t i = 0; i < count; ++i)
      hosts_.push_back(std::make_unique<Host>(fftconv::make_host_executor({bytes}), *this));
  }
  [[nodiscard]] fftconv::Machine machine() const override { return hosts_.front()->machine(); }
  [[nodiscard]] std::vector<Executor*> at_once(const fftconv::Plan&) override {
    std::vector<Executor*> all;
    for (const auto& host : hosts_) all.push_back(host.get());
    return all;
  }
  fftconv::RunReport run(const fftconv::Plan&, std::span<const fftconv::Term>, Epilogue&, Sink&,
                         const RunContext&) override {
    throw std::logic_error("one of them is to be chosen");
  }
  [[nodiscard]] std::size_t worked() const { return worked_.size(); }

 private:
  struct Host final : Executor {
    Host(std::unique_ptr<Executor> host, Hosts& hosts) : inner{std::move(host)}, all{hosts} {}
    [[nodiscard]] fftconv::Machine machine() const override { return inner->machine(); }
    fftconv::RunReport run(const fftconv::Plan& plan, std::span<const fftconv::Term> terms,
                           Epilogue& epilogue, Sink& sink, const RunContext& context) override {
      EXPECT_FALSE(busy.exchange(true)) << "two threads at once";
      all.meet(*this);
      auto report = inner->run(plan, terms, epilogue, sink, context);
      busy = false;
      return report;
    }
    std::unique_ptr<Executor> inner;
    Hosts& all;
    std::atomic<bool> busy{false};
  };

  /// Each waits for another one to begin, where several are expected.
  void meet(const Host& host) {
    std::unique_lock lock{mutex_};
    worked_.insert(&host);
    others_.notify_all();
    others_.wait_for(lock, waits_ ? test::kHang : std::chrono::seconds{0},
                     [&] { return worked_.size() > 1; });
  }

  bool waits_;
  std::mutex mutex_;
  std::condition_variable others_;
  std::set<const Host*> worked_;
  std::vector<std::unique_ptr<Host>> hosts_;
};

class ImageSeries : public testing::TestWithParam<SeriesCase> {
 protected:
  std::map<std::string, std::string> files_by(std::size_t hosts, std::int64_t bytes,
                                              std::size_t* worked = nullptr,
                                              std::vector<std::string>* notes = nullptr) {
    const test::TemporaryFolder folder;
    test::TestContext run{4, bytes};
    Hosts executor{hosts, bytes, hosts > 1 && worked && !notes};
    const auto report = simulate(parse_scene(GetParam().scene, "series"),
                                 {.directory = folder.path() / "set",
                                  .format = GetParam().format,
                                  .compression = GetParam().compression,
                                  .plans = {}},
                                 executor, run.context);
    EXPECT_EQ(report.frames, 5);
    EXPECT_TRUE(report.images.front().energy);
    std::map<std::string, std::string> files;
    for (const auto& file : report.files) files[file.filename().string()] = test::content_of(file);
    files["report"] =
        fmt::format("{} {:a} {:a}", report.images.front().camera.voxels,
                    report.images.front().energy->emitted, report.images.front().energy->image);
    if (worked) *worked = executor.worked();
    if (notes) *notes = run.log.notes;
    return files;
  }
};

TEST_P(ImageSeries, HasTheFilesOfOneExecutorWhereSeveralTakeImages) {
  constexpr std::int64_t kBytes = std::int64_t{1} << 30;
  const auto expected = files_by(1, kBytes);
  EXPECT_GT(expected.size(), 15u);
  std::size_t worked = 0;
  for (const std::size_t hosts : {2u, 3u, 9u}) {
    const auto found = files_by(hosts, kBytes, &worked);
    EXPECT_GT(worked, 1u);
    EXPECT_LE(worked, 5u);
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [name, bytes] : expected) EXPECT_TRUE(found.at(name) == bytes) << name;
  }
}

TEST_P(ImageSeries, TakesAsManyAtOnceAsMemoryHasRoomFor) {
  std::int64_t least = 0;
  for (least = std::int64_t{1} << 20; least < std::int64_t{1} << 30; least += least / 8) try {
      files_by(1, least);
      break;
    } catch (const PlanError&) {
    }
  std::size_t worked = 0;
  std::vector<std::string> notes;
  EXPECT_NO_THROW(files_by(8, least, &worked, &notes));
  EXPECT_LT(worked, 5u);
  EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
    return note.find("of 8 devices make images: no more fit into --memory") != std::string::npos;
  }));
}

INSTANTIATE_TEST_SUITE_P(Scenes, ImageSeries, testing::ValuesIn(kCases),
                         synthoscope::test::kCaseName);

}  // namespace
}  // namespace synthoscope::simulator
