// SPDX-License-Identifier: MIT
// Writes the word of every voxel of an image.
#include <fmt/format.h>
#include <optional>
#include <utility>
#include <vector>
#include "core/base/json.hpp"
#include "kernels/visual_words/word_map.hpp"
#include "textures/images/grey_image.hpp"
#include "textures/models/measure.hpp"
#include "textures/models/model_file.hpp"
#include "tools/commands/commands.hpp"
#include "tools/jobs/kernel_job.hpp"
#include "tools/learning/options.hpp"
#include "tools/options/rows.hpp"

namespace synthoscope::tools {
namespace {

class WordsAssign final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "words assign"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Writes the nearest word of every voxel of an image. Images of any size, within "
           "--memory; words are numbered from 0 as in the model.";
  }
  void describe(OptionTable& table) override {
    job_.describe_files(table, "image or stack whose voxels get words");
    table.add(required(
        path_row("model", "MODEL.h5", model_, "model with the words, as words train wrote it")));
    job_.describe_gpu(table);
    job_.describe_rest(table);
  }

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override {
    job_.name_files(files, {job_.output});
    files.add_input("model", model_);
  }

  KernelJobOptions job_;
  std::filesystem::path model_;
};

void WordsAssign::run(const Invocation& invocation) {
  // The model says which planes it looks at; what it holds is of the job's memory, and goes first
  std::optional<KernelJob> job;
  textures::ReadModel known;
  job.emplace(name(), job_, std::vector{job_.output}, files_, invocation,
              [&](const auto& path, const auto& options, const RunContext& context) {
                textures::ReadModel read = textures::read_model(model_, context);
                auto image = textures::open_grey(path, options, read.model.spec.planes, context);
                known = std::move(read);
                return image;
              });
  job->add_inputs("model", {model_});
  const textures::TextureModel& model = known.model;
  if (const auto warning = pitch_difference(model, job->image()); !warning.empty())
    invocation.console.warn(warning);

  kernels::WordMapSpec spec;
  spec.features = textures::features_for(model.spec.features, job->image());
  const double gain = kernels::feature_gain(
      spec.features, textures::deviation_of(job->source(), job->image(), job->context()));
  const auto words =
      kernels::make_word_map({.image = job->image().extent}, spec, gain, model.dictionary);
  Json asked{{"model", training_json(model)}, {"gain", gain}};
  job->run(*words.operation, asked,
           words.host_seconds * static_cast<double>(volume(job->image().extent)));
}

}  // namespace

std::unique_ptr<Command> make_words_assign() {
  return std::make_unique<WordsAssign>();
}

}  // namespace synthoscope::tools
