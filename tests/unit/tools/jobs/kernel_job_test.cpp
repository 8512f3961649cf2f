// SPDX-License-Identifier: MIT
#include "tools/jobs/kernel_job.hpp"
#include <gtest/gtest.h>
#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include "core/base/json.hpp"
#include "imageio/output/partial_file.hpp"
#include "imageio/run/input_identity.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::tools {
namespace {

constexpr Extent3 kExtent{3, 20, 30};

/// Makes zeros, and does something when it makes a box.
class Disturbed final : public kernels::Operation {
 public:
  explicit Disturbed(std::function<void()> disturb) : disturb_{std::move(disturb)} {}
  [[nodiscard]] std::string_view stage() const override { return "disturbed"; }
  [[nodiscard]] Extent3 extent() const override { return kExtent; }
  [[nodiscard]] std::vector<PixelType> types() const override { return {PixelType::uint8}; }
  [[nodiscard]] Box3 needs(const Box3& box) const override { return box; }
  [[nodiscard]] std::int64_t working_bytes(const Extent3&, int) const override { return 0; }
  void apply(const kernels::Window&, const Box3& box, std::span<const VoxelView> out,
             TaskPool&) override {
    std::memset(out[0].data(), 0, static_cast<std::size_t>(volume(box.size)));
    disturb_();
  }
  [[nodiscard]] StoredCounts stored_counts() const override { return {}; }

 private:
  std::function<void()> disturb_;
};

class DisturbedJob : public testing::Test {
 protected:
  DisturbedJob() {
    imageio::ImageSpec spec;
    spec.extent = kExtent;
    spec.type = PixelType::uint8;
    const auto file = imageio::create_image(image_, spec);
    const auto all = test::pattern<std::uint8_t>(kExtent);
    file->write(whole(kExtent), ConstVoxelView{all.view()});
    file->close();
    // File systems tell times in steps of some milliseconds: a change would have the same
    std::filesystem::last_write_time(
        image_, std::filesystem::last_write_time(image_) - std::chrono::seconds{1});
  }
  void run(std::function<void()> disturb) const {
    Console console;
    RunClock clock;
    StopFlag stop;
    KernelJobOptions options;
    options.image = image_;
    options.output = output_;
    options.run.silent = options.run.json = true;
    const Invocation invocation{console, clock, stop, {"synthoscope", "test"}};
    imageio::RunFiles files;
    options.name_files(files, {output_});
    KernelJob job{"test", options, {output_}, files, invocation};
    Disturbed operation{std::move(disturb)};
    job.run(operation, Json{{"sigma", 1}});
  }

  test::TemporaryFolder folder_;
  std::filesystem::path image_ = folder_ / "image.tif", output_ = folder_ / "out.tif";
};

TEST_F(DisturbedJob, HasAResultWhereNothingHappens) {
  testing::internal::CaptureStdout();
  run([] {});
  testing::internal::GetCapturedStdout();
  EXPECT_EQ(folder_.names(), (std::set<std::string>{"image.tif", "out.tif", "out.tif.json"}));
}

TEST_F(DisturbedJob, HasNoResultOfAnInputThatChanged) {
  const auto change = [&] {
    std::fstream file{image_, std::ios::in | std::ios::out | std::ios::binary};
    file.seekp(-1, std::ios::end);
    file.put('x');
  };
  test::expect_failure<imageio::InputChanged>([&] { run(change); }, {"image.tif", "was changed"});
  EXPECT_EQ(folder_.names(), std::set<std::string>{"image.tif"});
}

TEST_F(DisturbedJob, HasNoResultIfItsFileWasRemoved) {
  const auto remove = [&] { std::filesystem::remove(folder_ / "out.tif.partial"); };
  test::expect_failure<imageio::OutputLost>([&] { run(remove); }, {"out.tif.partial was removed"});
  EXPECT_EQ(folder_.names(), std::set<std::string>{"image.tif"});
}

TEST_F(DisturbedJob, KeepsItsWholeResultAndTheFileThatTookItsName) {
  const auto take = [&] { folder_.write("out.tif", "of others"); };
  test::expect_failure<imageio::NameTaken>(
      [&] { run(take); }, {"out.tif", "another program created it", "out.tif.partial"});
  EXPECT_EQ(folder_.names(), (std::set<std::string>{"image.tif", "out.tif", "out.tif.partial"}));
  EXPECT_EQ(test::content_of(folder_ / "out.tif"), "of others");
}

TEST(KernelJob, PutsSuffixesBeforeTheWholeExtension) {
  const std::pair<const char*, const char*> kNames[] = {
      {"out.tif", "out-a.tif"},
      {"some/out.ome.tif", "some/out-a.ome.tif"},
      {"out.v2.tif", "out.v2-a.tif"},
      {"out", "out-a"},
      {".hidden", ".hidden-a"},
      {"out.h5", "out-a.h5"},
      {"out.h5:/group/image", "out-a.h5:/group/image"},
  };
  for (const auto& [name, expected] : kNames) EXPECT_EQ(with_suffix(name, "a"), expected);
}

}  // namespace
}  // namespace synthoscope::tools
