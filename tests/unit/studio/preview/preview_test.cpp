// SPDX-License-Identifier: MIT
#include "studio/preview/preview.hpp"
#include <gtest/gtest.h>
#include <filesystem>
#include "core/base/error.hpp"
#include "fftconv/host/executor.hpp"
#include "imageio/open.hpp"
#include "simulator/run/pipeline.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/studio/preview/preview_case.hpp"

namespace synthoscope::studio {
namespace {

std::vector<std::byte> bytes_in(const std::filesystem::path& path) {
  const auto image = imageio::open_image(path);
  std::vector<std::byte> bytes(
      static_cast<std::size_t>(volume(image.info.extent) * size_of(image.info.type)));
  image.source->read(whole(image.info.extent),
                     VoxelView{bytes.data(), image.info.type, image.info.extent});
  return bytes;
}

class PreviewOf : public testing::TestWithParam<PreviewCase> {
 protected:
  test::TestContext run;
  std::unique_ptr<fftconv::Executor> blur = fftconv::make_host_executor({run.memory.limit()});
  simulator::SceneSpec scene = scene_of(GetParam());
};

TEST_P(PreviewOf, HasTheVoxelsOfTheFilesOfSimulate) {
  const test::TemporaryFolder folder;
  const simulator::SimulateOptions options{.directory = folder.path() / "set", .plans = {}};
  const auto done = simulator::simulate(scene, options, *blur, run.context);
  PreviewRequest request{scene, {}, GetParam().frame};
  for (const auto& image : done.images) request.plans.push_back(image.plan);
  const auto file = [&](std::string name) {
    if (scene.frames > 1) name += "_t00" + std::to_string(GetParam().frame);
    return bytes_in(options.directory / (name + ".ome.tif"));
  };
  Preview preview{*blur};
  const Shown shown = preview.make(request, run.context);
  EXPECT_EQ(bytes_of(shown.labels), file("labels"));
  ASSERT_EQ(shown.images.size(), done.images.size());
  for (std::size_t i = 0; i < done.images.size(); ++i) {
    const ShownImage& image = shown.images[i];
    EXPECT_EQ(image.channel, done.images[i].channel);
    const std::string of = image.channel.empty() ? "" : "_" + image.channel;
    EXPECT_EQ(bytes_of(image.photons), file("photons" + of));
    EXPECT_EQ(bytes_of(image.counts), file("image" + of));
    if (scene.frames > 1) continue;
    EXPECT_EQ(image.numbers.median_snr, done.images[i].median_snr);
    ASSERT_EQ(image.numbers.light_ledger.has_value(), done.images[i].energy.has_value());
    if (image.numbers.light_ledger) {
      EXPECT_DOUBLE_EQ(image.numbers.light_ledger->image, done.images[i].energy->image);
    }
  }
}

TEST_P(PreviewOf, IsTheSameAfterOtherScenes) {
  const PreviewRequest request{scene, {}, GetParam().frame};
  const AllOf fresh{Preview{*blur}.make(request, run.context)};
  Preview preview{*blur};
  for (const PreviewCase& other : kPreviewCases)
    preview.make({scene_of(other), {}, other.frame}, run.context);
  EXPECT_EQ(AllOf{preview.make(request, run.context)}, fresh);
  EXPECT_EQ(AllOf{preview.make(request, run.context)}, fresh);
}

TEST_P(PreviewOf, IsTheSameAfterAStopAnywhere) {
  const PreviewRequest request{scene, {}, GetParam().frame};
  PreviewRequest changed = request;
  changed.scene.seed = 6;
  const AllOf fresh{Preview{*blur}.make(request, run.context)},
      fresh_of_changed{Preview{*blur}.make(changed, run.context)};
  Preview preview{*blur};
  preview.make(request, run.context);
  int stopped = 0;
  for (std::int64_t check = 0; check < 4000; check = check * 3 / 2 + 1) {
    StopFlag stop;
    stop.request_at_check(check);
    const RunContext part{run.pool, run.memory, run.progress, run.log, stop};
    try {
      preview.make(changed, part);
    } catch (const Interrupted&) {
      ++stopped;
    }
    EXPECT_EQ(AllOf{preview.make(check % 2 ? changed : request, run.context)},
              check % 2 ? fresh_of_changed : fresh)
        << check;
  }
  EXPECT_GT(stopped, 3);
}

TEST_P(PreviewOf, FitsTheMemoryOrIsRefused) {
  const PreviewRequest request{scene, {}, GetParam().frame};
  int refused = 0;
  for (std::int64_t bytes = 1 << 14;; bytes += bytes / 2) try {
      test::TestContext small{2, bytes};
      const auto executor = fftconv::make_host_executor({bytes});
      Preview preview{*executor};
      preview.make(request, small.context);
      EXPECT_LE(small.memory.peak(), bytes);
      break;
    } catch (const PlanError&) {
      ++refused;
    }
  EXPECT_GT(refused, 0);
}

INSTANTIATE_TEST_SUITE_P(Scenes, PreviewOf, testing::ValuesIn(kPreviewCases), test::kCaseName);

TEST(Preview, DrawsASeedOnce) {
  test::TestContext run;
  const auto blur = fftconv::make_host_executor({run.memory.limit()});
  PreviewRequest request{scene_of(kPreviewCases[0])};
  request.scene.seed.reset();
  Preview preview{*blur};
  const AllOf first{preview.make(request, run.context)};
  EXPECT_EQ(AllOf{preview.make(request, run.context)}, first);
  EXPECT_EQ(run.log.notes.size(), 1U);
}

}  // namespace
}  // namespace synthoscope::studio
