// SPDX-License-Identifier: MIT
// Fits a scene to real images.
#include <fmt/format.h>
#include <utility>
#include "core/base/json.hpp"
#include "fit/blur/psf_file.hpp"
#include "fit/images/read_images.hpp"
#include "fit/pages/fit_json.hpp"
#include "fit/pages/fit_page.hpp"
#include "fit/run/fit_twin.hpp"
#include "fit/run/known_keys.hpp"
#include "fit/run/twin_files.hpp"
#include "fit/shapes/labels_as_bodies.hpp"
#include "imageio/output/atomic_file.hpp"
#include "multigpu/make_executor.hpp"
#include "simulator/data_set/folder.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "tools/commands/commands.hpp"
#include "tools/options/image.hpp"
#include "tools/options/rows.hpp"
#include "tools/options/run.hpp"
#include "tools/options/scene.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

namespace fs = std::filesystem;

using simulator::DataSetFolder;

constexpr const char *kSceneFile = "scene.toml", *kCameraFile = "camera.toml",
                     *kReportFile = "report.html", *kPsfFile = "psf.ome.tif";

/// Whether a file of a folder may be one that this command wrote.
bool may_be_twin(const std::string& file) {
  return file == kSceneFile || file == kCameraFile || file == kReportFile || file == kPsfFile ||
         file == fit::kBodiesFile || file == fit::kBodyLightFile;
}

std::set<fit::Stage> parse_stages(std::string_view text) {
  std::set<fit::Stage> stages;
  for (const std::string_view word : split_at_commas(text)) stages.insert(fit::stage_named(word));
  return stages;
}

std::set<fit::Stage> all_stages() {
  std::set<fit::Stage> stages;
  for (const auto& [stage, name] : fit::kStageNames) stages.insert(stage);
  return stages;
}

/// What the objects of a twin are.
enum class TwinShapes { model, labels };
constexpr NameTable<TwinShapes, 2> kShapesNames{
    {{TwinShapes::model, "model"}, {TwinShapes::labels, "labels"}}};

class FitCommand final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "fit"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Makes a twin: a scene whose images are like real ones. Camera, shapes, light, optics "
           "and texture are found one after another: the scene is simulated, measured as the real "
           "images are, and its keys are moved until both agree. Every key is written with its "
           "interval, and what images cannot tell is said.";
  }
  void describe(OptionTable& table) override;

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override;
  [[nodiscard]] std::vector<fs::path> images() const;
  [[nodiscard]] fit::TwinRequest request() const;
  [[nodiscard]] std::vector<std::string> image_names() const;
  void write(const fit::Twin& twin, const simulator::DataSetFolder& folder) const;
  void print(const fit::Twin& twin, const Console& console) const;

  fs::path real_, output_, start_, camera_, psf_;
  std::vector<fs::path> more_real_, labels_;
  std::vector<std::string> overrides_;
  std::set<fit::Stage> stages_ = all_stages();
  TwinShapes shapes_ = TwinShapes::model;
  double seconds_ = 600;
  std::int64_t evidence_ = fit::EvidenceRequest{}.twins;
  bool overwrite_ = false;
  InputOptions input_;
  RunOptions run_;
};

void FitCommand::describe(OptionTable& table) {
  table.add_argument(
      required(path_row("REAL", "", real_, "a real image: a stack or a single plane")));
  table.group("Result");
  table.add(required(
      lettered('o', path_row("output", "DIR", output_,
                             "folder for scene.toml, camera.toml, psf.ome.tif and report.html"))));
  table.add(switch_row("overwrite", overwrite_, "replace the files of an older fit"));
  table.group("Images");
  table.add(paths_row("more-real", "FILE", more_real_,
                      "more images of the same kind, which are fitted together"));
  table.add(paths_row("labels", "FILE", labels_,
                      "labels of the objects, from any segmentation: one file for each image, in "
                      "the same order"));
  table.group("What is known");
  table.add(path_row("scene", "SCENE", start_,
                     "scene to begin with: its kinds of objects, optics and keys that no stage "
                     "fits; without it, nuclei in a wide-field microscope"));
  table.add(texts_row("set", "KEY=VALUE", overrides_,
                      "a key that is known, such as optics.na=1.2: it is kept; may be repeated"));
  table.add(path_row("camera", "CAMERA", camera_,
                     "camera that is known, a TOML file as calibrate writes it: it is kept"));
  table.add(path_row("psf", "PSF", psf_, "image of a measured PSF: it is kept"));
  table.group("Fit");
  table.add(choice_row("shapes", shapes_, kShapesNames,
                       "model: objects of the scene's kind, whose keys are fitted; labels: the "
                       "labels themselves are the bodies of the twin, which needs no model, and "
                       "nothing is held out"));
  table.add({"stages", "LIST", "camera,shapes,light,blur,texture", "",
             "what is fitted; keys of other stages stay as they are in the scene to begin with",
             [this](std::string_view text) { stages_ = parse_stages(text); }});
  table.add({"time", "SECONDS", fmt::format("{}", seconds_), "s",
             "time after which no simulation is begun any more", [this](std::string_view text) {
               seconds_ = parse_real(text);
               if (seconds_ <= 0)
                 throw InvalidSpec(fmt::format("{} is no time; give seconds above 0", text));
             }});
  table.add(whole_row("evidence", "N", evidence_, 0,
                      "simulated images that are compared with real ones that the twin was not "
                      "fitted to: the last of several images, or half of a single one; 20 or more "
                      "for a verdict; 0: nothing is held out, as with the camera alone"));
  input_.describe(table);
  run_.describe_for_one_stage(table);
}

void FitCommand::name_files(imageio::RunFiles& files) const {
  for (const auto& path : images()) files.add_input("real image", path);
  for (const auto& path : labels_) files.add_input("labels", path);
  files.add_input("scene", start_);
  files.add_input("camera", camera_);
  files.add_input("psf", psf_);
  if (output_.empty()) return;
  files.add_output_folder("twin", output_);
}

std::vector<fs::path> FitCommand::images() const {
  std::vector<fs::path> all{real_};
  all.insert(all.end(), more_real_.begin(), more_real_.end());
  return all;
}

fit::TwinRequest FitCommand::request() const {
  fit::TwinRequest asked;
  asked.seconds = seconds_;
  asked.twins = evidence_;
  asked.fit.stages = stages_;
  if (!start_.empty()) asked.fit.start = simulator::read_scene(start_);
  if (!camera_.empty()) fit::take_camera(asked.fit, camera_);
  if (!psf_.empty()) fit::take_psf(asked.fit, psf_);
  for (const auto& assignment : overrides_) fit::take_key(asked.fit, assignment);
  return asked;
}

std::vector<std::string> FitCommand::image_names() const {
  std::vector<std::string> names;
  for (const auto& path : images()) names.push_back(path.filename().string());
  return names;
}

void FitCommand::run(const Invocation& invocation) {
  fit::TwinRequest asked = request();
  DataSetFolder::require_free(output_, overwrite_, may_be_twin);
  Session session{run_, invocation};
  const RunContext& context = session.context();
  fit::LabelledImages real =
      fit::read_images(fit::images_in({images(), labels_, input_.open_options()}),
                       asked.fit.start.grid.pitch.z_um, context);
  const auto executor = multigpu::make_executor(session.workspace().machine({}), {}, output_);
  DataSetFolder folder{output_, overwrite_, may_be_twin};
  if (shapes_ == TwinShapes::labels) {
    asked.fit.bodies = folder / "";
    asked.twins = 0;
  }
  fit::Twin twin = fit::fit_twin(std::move(real), asked, *executor, context);
  fit::write_psf(twin.scene, folder / kPsfFile, false, context);
  if (asked.fit.bodies) twin.scene = fit::with_files_beside(std::move(twin.scene));
  files_.inputs().require_unchanged();
  write(twin, folder);
  folder.commit();
  invocation.console.finish();
  print(twin, invocation.console);
}

void FitCommand::write(const fit::Twin& twin, const DataSetFolder& folder) const {
  const std::vector<std::string> names = image_names();
  const auto write_text = [&](const char* file, const std::string& text) {
    imageio::write_file_atomically(folder / file, text, false);
  };
  write_text(kSceneFile, scene_toml(twin, names));
  write_text(kCameraFile, camera_toml(twin, names));
  write_text(kReportFile, fit_page(twin, names));
}

void FitCommand::print(const fit::Twin& twin, const Console& console) const {
  if (!run_.json)
    return print_summary(fmt::format("{}{}: scene.toml, camera.toml, psf.ome.tif, report.html",
                                     twin_text(twin), output_.string()));
  Json json = json_of(twin);
  json["output"] = output_.string();
  json["warnings"] = console.warnings();
  print_json(json);
}

}  // namespace

std::unique_ptr<Command> make_fit() {
  return std::make_unique<FitCommand>();
}

}  // namespace synthoscope::tools
