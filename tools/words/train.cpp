// SPDX-License-Identifier: MIT
// Learns visual words from folders of images, one per class, and writes a model.
#include <fmt/format.h>
#include "core/base/json.hpp"
#include "core/base/stopwatch.hpp"
#include "imageio/run/new_output.hpp"
#include "textures/answers/classify.hpp"
#include "textures/models/model_file.hpp"
#include "tools/commands/commands.hpp"
#include "tools/learning/options.hpp"
#include "tools/options/rows.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

class WordsTrain final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "words train"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Learns visual words from folders of images, one per class. A voxel is described by the "
           "responses of filters around it; words are the centres of clusters of such responses; a "
           "texture is how often each word occurs. The model contains the words and the textures "
           "of all images.";
  }
  void describe(OptionTable& table) override;

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override {
    files.add_output_file("model", output_);
  }
  void report(const textures::TextureModel& model, const textures::LeaveOneOutResult& left_out,
              double seconds, Console& console) const;

  std::filesystem::path folder_, output_;
  bool overwrite_ = false;
  LearningOptions learning_;
  InputOptions input_;
  GpuOptions gpu_;
  RunOptions run_;
};

void WordsTrain::describe(OptionTable& table) {
  table.add_argument(required(path_row(
      "DIR", "", folder_,
      "folder with a folder of images for each class: TIFF, HDF5, PNG or ICS files, or a data set "
      "of simulate --truth-layout stardist; pixels of three colours become their luminance")));
  table.group("Result");
  table.add(required(
      lettered('o', path_row("output", "MODEL.h5", output_, "model to write, an HDF5 file"))));
  table.add(switch_row("overwrite", overwrite_, "replace output that exists"));
  learning_.describe(table);
  gpu_.describe(table);
  input_.describe(table);
  run_.describe_for_one_stage(table);
}

void WordsTrain::run(const Invocation& invocation) {
  Session session{run_, invocation};
  const RunContext context = session.context();
  imageio::require_new_output(output_, overwrite_);
  const textures::ImageSet set = textures::classes_in(folder_);
  std::vector<std::filesystem::path> inputs;
  for (const auto& image : set.images) inputs.push_back(image.path);
  add_inputs("image", inputs);

  Stages stages;
  Stopwatch watch{stages};
  jobs::BrickPlace place{std::string{name()}, gpu_, session.workspace()};
  PlacedRunner runner{place};
  const textures::Trained trained =
      textures::train(set, learning_.drawn(), input_.open_options(), runner, context);
  files_.inputs().require_unchanged();
  const textures::LeaveOneOutResult left_out = textures::leave_one_out(trained.model, context);
  textures::write_model(output_, trained.model, overwrite_, context.memory);  // nothing is after it
  report(trained.model, left_out, watch.total(), invocation.console);
}

/// How well the model knows its own images.
std::string left_out_text(const textures::LeaveOneOutResult& left_out) {
  const auto accuracy = left_out.accuracy();
  if (!accuracy)
    return "the accuracy is unknown: each image is the only one of its class; give two or more per "
           "class\n";
  const std::string but =
      left_out.alone == 0
          ? ""
          : fmt::format(", without {}, each the only image of its class", left_out.alone);
  return fmt::format(
      "left out one by one, {:.1f} % of them are classified correctly by the others{}\n",
      100 * *accuracy, but);
}

void WordsTrain::report(const textures::TextureModel& model,
                        const textures::LeaveOneOutResult& left_out, double seconds,
                        Console& console) const {
  console.finish();
  if (!run_.json)
    return print_summary(fmt::format(
        "{}: {} words of {} features, from {} samples of {} images of {} classes, seed {}\n{}",
        output_.string(), model.dictionary.size(), model.dictionary.features,
        model.training.samples, model.images.size(), model.classes.size(), model.training.seed,
        left_out_text(left_out)));
  Json object = training_json(model);
  std::vector<std::int64_t> images(model.classes.size(), 0);
  for (const std::int64_t of_class : model.image_class)
    ++images[static_cast<std::size_t>(of_class)];
  Json classes = Json::array();
  for (std::size_t i = 0; i < images.size(); ++i)
    classes.push_back({{"name", model.classes[i]}, {"images", images[i]}});
  object["output"] = output_.string();
  object["classes"] = classes;
  object["textures"] = model.textures.size();
  object["left_out_accuracy"] = left_out.accuracy() ? Json(*left_out.accuracy()) : Json();
  object["alone_in_class"] = left_out.alone;
  object["seconds"] = seconds;
  object["warnings"] = console.warnings();
  print_json(object);
}

}  // namespace

std::unique_ptr<Command> make_words_train() {
  return std::make_unique<WordsTrain>();
}

}  // namespace synthoscope::tools
