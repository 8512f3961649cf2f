// SPDX-License-Identifier: MIT
#include "textures/models/model_file.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <functional>
#include "core/base/error.hpp"
#include "imageio/hdf5/tables.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::textures {
namespace {

TextureModel some_model() {
  TextureModel model;
  model.spec.features.filters.bank = kernels::FilterBank::schmid;
  model.spec.features.contrast_normalised = true;
  model.spec.distance = kernels::HistogramDistance::intersection;
  model.spec.planes = Planes::middle;
  model.spec.patch = Extent3{0, 5, 6};
  model.dictionary = {13, std::vector<float>(13 * 3, 0.1f)};
  model.word_sizes = {4, 5, 6};
  model.training = {0xFFFF'FFFF'FFFFu, 100, 300, 0.25, 17, true};
  model.pitch = {std::nullopt, 0.1, 0.2};
  model.classes = {"a", "b \"c\", d"};
  model.images = {"x/1.png", "x/2.png"};
  model.image_class = {1, 0};
  model.textures = {{0, {{0, 0, 6}, {1, 5, 6}}}, {1, {{0, 5, 0}, {1, 5, 6}}}};
  model.histogram_length = 3;
  model.histograms = {0.5f, 0.25f, 0.25f, 0, 1.0f / 3, 2.0f / 3};
  return model;
}

TEST(ModelFile, GivesBackEverything) {
  const test::TemporaryFolder folder;
  const TextureModel model = some_model();
  test::TestContext t;
  write_model(folder / "m.h5", model, false, t.context.memory);
  const ReadModel read = read_model(folder / "m.h5", t.context);
  const TextureModel& found = read.model;
  EXPECT_EQ(found.spec.features.filters.bank, model.spec.features.filters.bank);
  EXPECT_EQ(found.spec.features.standardised, model.spec.features.standardised);
  EXPECT_EQ(found.spec.features.contrast_normalised, model.spec.features.contrast_normalised);
  EXPECT_EQ(found.spec.distance, model.spec.distance);
  EXPECT_EQ(found.spec.planes, model.spec.planes);
  EXPECT_EQ(found.spec.patch, model.spec.patch);
  EXPECT_EQ(found.dictionary.centroids, model.dictionary.centroids);
  EXPECT_EQ(found.word_sizes, model.word_sizes);
  EXPECT_EQ(found.training.seed, model.training.seed);
  EXPECT_EQ(found.training.inertia, model.training.inertia);
  EXPECT_EQ(found.pitch.z_um, std::nullopt);
  EXPECT_EQ(found.pitch.x_um, 0.2);
  EXPECT_EQ(found.classes, model.classes);
  EXPECT_EQ(found.images, model.images);
  EXPECT_EQ(found.image_class, model.image_class);
  EXPECT_EQ(found.textures[1].box, model.textures[1].box);
  EXPECT_EQ(found.histogram_length, 3);
  EXPECT_EQ(found.histograms, model.histograms);
  EXPECT_GT(read.held.bytes(), 0);
}

TEST(ModelFile, EqualModelsGiveEqualBytesAndAnOlderFileIsKept) {
  const test::TemporaryFolder folder;
  test::TestContext t;
  write_model(folder / "a.h5", some_model(), false, t.context.memory);
  write_model(folder / "b.h5", some_model(), false, t.context.memory);
  EXPECT_EQ(test::content_of(folder / "a.h5"), test::content_of(folder / "b.h5"));
  test::expect_failure<InvalidSpec>(
      [&] { write_model(folder / "a.h5", some_model(), false, t.context.memory); },
      {"a.h5", "exists"});
}

struct Broken {
  const char* name;
  std::function<void(TextureModel&)> change;
  const char* said;
};

const Broken kBroken[] = {
    {"class", [](TextureModel& m) { m.image_class[1] = 2; }, "classes of its images"},
    {"image", [](TextureModel& m) { m.textures[0].image = -1; }, "an image that is not in it"},
    {"histogram", [](TextureModel& m) { m.histograms[1] = -1; }, "negative or non-finite"},
    {"centroid", [](TextureModel& m) { m.dictionary.centroids[1] = NAN; }, "finite"},
    {"levels", [](TextureModel& m) { m.spec.levels = 99; }, "99 levels"},
    {"patch",
     [](TextureModel& m) {
       m.spec.patch = Extent3{0, 0, 4};
     },
     "patches"},
    {"bank", [](TextureModel& m) { m.spec.features.filters.bank = kernels::FilterBank::mr8; },
     "have 13 features, but its textures 8"},
    {"box", [](TextureModel& m) { m.textures[1].box.size.y = 0; }, "the voxels"},
    {"pyramid", [](TextureModel& m) { m.spec.levels = 1; }, "have 3 values, but its textures 15"},
    {"tolerance", [](TextureModel& m) { m.spec.features.filters.tolerance = -1; }, "leave out -1"},
};

class BrokenModels : public testing::TestWithParam<Broken> {};

TEST_P(BrokenModels, AreRefused) {
  const test::TemporaryFolder folder;
  TextureModel model = some_model();
  GetParam().change(model);
  test::TestContext t;
  write_model(folder / "m.h5", model, false, t.context.memory);
  test::expect_failure<InvalidInput>([&] { read_model(folder / "m.h5", t.context); },
                                     {"m.h5", GetParam().said, "words train"});
}

INSTANTIATE_TEST_SUITE_P(Models, BrokenModels, testing::ValuesIn(kBroken), test::kCaseName);

TEST(ModelFile, CountsWhatItTakes) {
  const test::TemporaryFolder folder;
  test::TestContext t, little{1, 100};
  test::expect_failure<PlanError>(
      [&] { write_model(folder / "m.h5", some_model(), false, little.context.memory); }, {"model"});
  EXPECT_FALSE(std::filesystem::exists(folder / "m.h5"));
  write_model(folder / "m.h5", some_model(), false, t.context.memory);
  test::expect_failure<PlanError>([&] { read_model(folder / "m.h5", little.context); }, {"model"});
}

TEST(ModelFile, OtherFilesAreRefused) {
  const test::TemporaryFolder folder;
  test::TestContext t;
  const auto refused = [&](const char* word) {
    test::expect_failure<InvalidInput>([&] { read_model(folder / "m.h5", t.context); },
                                       {"m.h5", word});
  };
  folder.write("m.h5", "no HDF5 at all");
  refused("HDF5");
  const imageio::Hdf5Table table{"/cell", 1, {{"id", {}, std::vector<std::int64_t>{7}}}};
  for (const char* text : {"no JSON", "[]", R"({"kind": 3})", "{}"}) {
    imageio::write_hdf5_tables(folder / "m.h5", {table}, text, true);
    refused("no visual words");
  }
  imageio::write_hdf5_tables(folder / "m.h5", {table},
                             R"({"kind": "visual words", "model_version": 9})", true);
  refused("version 9");
  imageio::write_hdf5_tables(folder / "m.h5", {table},
                             R"({"kind": "visual words", "model_version": 1})", true);
  refused("of its record is missing");
  test::expect_failure<IoError>([&] { read_model(folder / "none.h5", t.context); }, {"none.h5"});
}

}  // namespace
}  // namespace synthoscope::textures
