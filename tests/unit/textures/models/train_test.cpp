// SPDX-License-Identifier: MIT
// train_test.cpp — from folders of images to a model that tells their classes.
#include "textures/models/train.hpp"
#include <gtest/gtest.h>
#include <span>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/textures/made_textures.hpp"
#include "textures/answers/classify.hpp"
#include "textures/answers/compare.hpp"
#include "textures/images/grey_image.hpp"
#include "textures/models/measure.hpp"

namespace synthoscope::textures {
namespace {

TrainingSpec small_spec() {
  TrainingSpec spec;
  spec.words = 12;
  spec.samples_each = 200;
  spec.seed = 5;
  return spec;
}

TEST(Train, TellsImagesOfClassesItHasSeenOthersOf) {
  const test::TemporaryFolder seen, unseen;
  const ImageSet set = finished_data_set(seen, 100, 4), other = finished_data_set(unseen, 200, 4);
  test::TestContext t;
  HostRunner runner;
  const Trained trained = train(set, small_spec(), {}, runner, t.context);
  const TextureModel& model = trained.model;
  EXPECT_EQ(model.classes, (std::vector<std::string>{"narrow", "noise", "wide"}));
  EXPECT_EQ(model.dictionary.size(), 12);
  EXPECT_EQ(model.dictionary.features, 8);
  EXPECT_EQ(model.training.samples, 12 * 200);
  EXPECT_EQ(leave_one_out(model, t.context).accuracy(), 1);

  std::vector<std::filesystem::path> paths;
  for (const auto& image : other.images) paths.push_back(image.path);
  const Measured measured = measure(paths, model.spec, model.dictionary, {}, runner, t.context);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const auto histogram = measured.histogram(static_cast<std::int64_t>(i));
    EXPECT_EQ(classify(model, histogram).best().of_class, other.images[i].of_class) << paths[i];
  }
}

TEST(Train, DoesNotDependOnThreadsOrMemory) {
  const test::TemporaryFolder folder;
  const ImageSet set = finished_data_set(folder, 100, 2);
  HostRunner runner;
  test::TestContext many{2}, one{1, std::int64_t{4} << 20};
  const Trained first = train(set, small_spec(), {}, runner, many.context);
  const Trained again = train(set, small_spec(), {}, runner, one.context);
  EXPECT_EQ(first.model.dictionary.centroids, again.model.dictionary.centroids);
  EXPECT_EQ(first.model.histograms, again.model.histograms);
}

TEST(Train, PatchesAreTexturesOfTheirOwn) {
  const test::TemporaryFolder folder;
  const ImageSet set = finished_data_set(folder, 100, 2);
  TrainingSpec spec = small_spec();
  spec.texture.patch = Extent3{0, 32, 20};
  spec.texture.levels = 1;
  test::TestContext t;
  HostRunner runner;
  const TextureModel model = train(set, spec, {}, runner, t.context).model;
  EXPECT_EQ(model.textures.size(), 6u * 2 * 3);
  EXPECT_EQ(model.histogram_length, 12 * (1 + 4));
  EXPECT_EQ(model.textures[5].box, (Box3{{0, 32, 40}, {1, 32, 20}}));
  EXPECT_EQ(model.training.samples, 36 * 200);
}

TEST(Train, PatchesAreWhatFilesOfThemWouldBe) {
  const test::TemporaryFolder whole_images, parts;
  made_image(whole_images, MadeTexture::wide, 100);
  made_image(whole_images, MadeTexture::noise, 100);
  test::TestContext t;
  HostRunner runner;
  TrainingSpec spec = small_spec();
  spec.texture.patch = Extent3{0, 32, 64};
  const TextureModel model =
      train(classes_in(whole_images.path()), spec, {}, runner, t.context).model;

  // Cut the same images by hand
  spec.texture.patch.reset();
  for (const char* name : {"noise", "wide"}) {
    const auto image = open_grey((whole_images / name) / "100.png", {}, Planes::all, t.context);
    Volume<std::uint8_t> pixels{image.info.extent};
    image.source->read(whole(pixels.extent), VoxelView{pixels.view()});
    std::filesystem::create_directories(parts / name);
    for (const std::size_t half : {0, 1}) {
      const std::span rows{pixels.voxels.data() + half * 32 * 64, 32 * 64};
      imageio::write_png((parts / name) / fmt::format("{}.png", half), 64, 32, rows, false);
    }
  }
  const TextureModel cut = train(classes_in(parts.path()), spec, {}, runner, t.context).model;
  EXPECT_EQ(model.dictionary.centroids, cut.dictionary.centroids);
  EXPECT_EQ(model.histograms, cut.histograms);
}

TEST(Train, MemoryThatHasNoRoomIsSaidBeforeAnImageIsRead) {
  const test::TemporaryFolder folder;
  const ImageSet set = finished_data_set(folder, 100, 2);
  TrainingSpec spec = small_spec();
  spec.samples_each = 4096;
  test::TestContext t{1, 100'000};
  HostRunner runner;
  test::expect_failure<PlanError>([&] { train(set, spec, {}, runner, t.context); }, {"--memory"});
}

TEST(Compare, SetsOfOneTextureAreAlikeAndOthersAreNot) {
  const test::TemporaryFolder folder;
  std::vector<std::filesystem::path> paths;
  for (std::uint64_t i = 0; i < 12; ++i)
    paths.push_back(made_image(folder, MadeTexture::narrow, 300 + i));
  for (std::uint64_t i = 0; i < 6; ++i)
    paths.push_back(made_image(folder, MadeTexture::wide, 400 + i));
  test::TestContext t;
  HostRunner runner;
  const TextureModel model = learn_words(paths, small_spec(), {}, runner, t.context);
  const auto compared = [&](std::ptrdiff_t begin) {
    const std::vector<std::filesystem::path> both(paths.begin() + begin,
                                                  paths.begin() + begin + 12);
    const Measured measured = measure(both, model.spec, model.dictionary, {}, runner, t.context);
    const auto made = distances_of(measured, 6, model.spec.distance, t.context);
    return compare_sets(made.distances, 199, 1, t.stop);
  };
  EXPECT_GT(compared(0).p_energy, 0.02);  // sets of one kind are below it once in fifty times
  EXPECT_LE(compared(6).p_energy, 0.01);
  EXPECT_EQ(compared(6).accuracy, 1);
}

}  // namespace
}  // namespace synthoscope::textures
