// SPDX-License-Identifier: MIT
// Finds the light that most likely made an image.
#include <fmt/format.h>
#include "core/base/json.hpp"
#include "fftconv/plan.hpp"
#include "jobs/deconvolve/camera_response.hpp"
#include "jobs/deconvolve/deconvolve_run.hpp"
#include "simulator/scene/file/inputs.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "tools/commands/commands.hpp"
#include "tools/options/convolution.hpp"
#include "tools/options/image.hpp"
#include "tools/options/rows.hpp"
#include "tools/options/run.hpp"
#include "tools/options/shown_job.hpp"
#include "tools/options/work.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

class Deconvolve final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "deconvolve"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Finds the light that most likely made an image, from its PSF. Images may be larger "
           "than the memory; there are no tiles, and so no seams.";
  }
  void describe(OptionTable& table) override;

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override {
    jobs::name_files(job_, files);
    files.add_input("camera", camera_);
    files.add_input("optics", optics_);
  }
  void finish_job();
  [[nodiscard]] std::string explained(const jobs::IterationPlan& plan) const;
  void print_plan(const jobs::IterationPlan& plan) const;
  void print(const jobs::DeconvolveReport& report, const Invocation& invocation) const;

  jobs::DeconvolveJob job_;
  std::filesystem::path camera_, optics_;
  InputOptions input_;
  FileOptions file_;
  PlanOptions plan_;
  RunOptions run_;
};

void Deconvolve::describe(OptionTable& table) {
  table.add_argument(required(path_row("IMAGE", "", job_.image.file, "stack to deconvolve")));
  table.add_argument(path_row("PSF", "", job_.kernel.file,
                              "point spread function, an image of any size with the voxels of "
                              "IMAGE; not with --optics"));
  table.group("Result");
  table.add(lettered(
      'o', path_row("output", "OUT", job_.output, "file to write, such as out.ome.tif; float32")));
  table.add(choice_row("method", job_.method, jobs::kMethodNames,
                       "rl: the iteration of Richardson and Lucy; shb: the same with momentum, "
                       "which needs some five times fewer iterations; wb: the same with a back "
                       "projector by Wiener and Butterworth, 1 to 3 iterations of bright images; "
                       "wiener: one linear pass, whose result may be negative"));
  table.add({"iterations", "N|auto", "20 for shb, 60 for rl, 2 for wb", "",
             "number of iterations: more give sharper light, and more noise. auto finds it with "
             "--camera: half of the electrons are deconvolved, until they fit the other half best",
             [this](std::string_view text) {
               job_.finds_iterations = text == "auto";
               if (!job_.finds_iterations) job_.iterations = parse_whole(text, 1);
             }});
  table.add(real_row("alpha", "N", job_.alpha, "",
                     "of wb: noise over signal; 0.3 for noisy images, below 0.01 iterations may "
                     "diverge"));
  table.add({"lambda", "N|auto", "auto", "",
             "of wiener: noise power over signal power, such as 0.1 of noisy images to 0.001 of "
             "clean ones; auto finds it by cross-validation",
             [this](std::string_view text) {
               job_.lambda.reset();
               if (text != "auto") job_.lambda = parse_real(text);
             }});
  table.add(
      {"regularize", "none|tv:L", "none", "",
       "of rl and shb. tv:L keeps noise out by a penalty for light that changes between "
       "neighbours, so that more iterations do not add noise; L up to 1, such as 0.3 divided by "
       "the photons of a bright voxel",
       [this](std::string_view text) { job_.regularize = jobs::parse_regularization(text); }});
  table.add({"background", "N|auto|none", "auto", "",
             "grey level of the image where there is no object; auto estimates it from the darkest "
             "1 % of the image; none is 0, or the offset of the camera",
             [this](std::string_view text) { job_.background = fftconv::parse_background(text); }});
  table.add(path_row("camera", "CAMERA.toml", camera_,
                     "file of a camera, or of a scene with it: noise is then taken as what it is, "
                     "and the result is in photons"));
  table.add(choice_row("edge", job_.edge, deconvolution::kEdgeNames,
                       "what lies beyond the edges of the image. extend: more light, which is "
                       "estimated as well; wrap: the opposite edge"));
  table.group("PSF");
  table.add(path_row("optics", "SCENE.toml", optics_,
                     "compute the PSF from the optics of a scene, for the planes and voxels of "
                     "IMAGE; if it varies with depth, several are interpolated, as simulate does"));
  using fftconv::KernelNormalization;
  table.add(choice_row("normalize-kernel", job_.psf.normalization,
                       {KernelNormalization::sum, KernelNormalization::none},
                       "divide the PSF by its sum, so that the result has as much light as the "
                       "image; none: for a PSF whose planes have the sum 1, as psf writes it, the "
                       "result is then the light of each voxel"));
  describe_place(table, job_.psf, "the centre in the PSF's file, otherwise its peak");
  input_.describe(table);
  file_.describe(table);
  plan_.describe_for_several(table);
  table.group("Resuming");
  table.add(switch_row("resume", job_.saving.resume,
                       "go on from the last checkpoint of the same command, which was stopped, "
                       "killed or failed; the result is identical to the last bit"));
  table.add(real_row("checkpoint-every", "SECONDS", job_.saving.every_seconds, "s",
                     "shortest time between two checkpoints, OUT.checkpoint; each takes as much "
                     "disk as the result, or twice as much with shb"));
  run_.describe(table);
}

/// Returns the file of a measured PSF, if the optics of a scene name one.
std::vector<std::filesystem::path> psf_files_of(const simulator::SceneSpec& scene) {
  simulator::SceneSpec optics_alone;
  optics_alone.optics.file = scene.optics.file;
  return input_files_of(optics_alone);
}

/// Copies the options into the job.
void Deconvolve::finish_job() {
  job_.opening = input_.open_options();
  job_.file = file_;
  job_.plan = static_cast<const jobs::PlanSettings&>(plan_);
  job_.gpu = static_cast<const jobs::GpuChoice&>(plan_.gpu);
  if (!optics_.empty()) {
    job_.optics = simulator::read_scene(optics_);
    files_.finish_input(optics_);
    add_inputs("measured PSF", psf_files_of(*job_.optics));
  }
  if (camera_.empty()) return;
  const auto camera = simulator::read_camera(camera_, std::nullopt);
  files_.finish_input(camera_);
  job_.camera = jobs::response_of(camera.camera);
}

void Deconvolve::run(const Invocation& invocation) {
  if (job_.output.empty() && !plan_.dry_run)
    throw InvalidSpec(
        "deconvolve: --output is missing: write -o OUT, or --dry-run for only the plan");
  finish_job();
  jobs::require_meant(job_);
  Session session{run_, invocation};
  jobs::DeconvolveRun run{job_, files_, session.workspace()};
  const jobs::IterationPlan& plan = run.plan();
  if (plan_.dry_run) return print_plan(plan);
  if (plan_.explain || run_.verbose) invocation.console.text(explained(plan));
  const auto report = run.make(ShownJob{invocation});
  if (run_.verbose)
    invocation.console.text(
        stages_text(invocation.clock.watch().stages(), report.peak_memory_bytes));
  print(report, invocation);
}

std::string Deconvolve::explained(const jobs::IterationPlan& plan) const {
  if (plan.filter) return explain(*plan.filter);
  if (!plan.steps) return "iterations in the memory of " + plan.device->name;
  return fmt::format("volumes {}\n{}\n{}", plan.in_files ? "in scratch files" : "in memory",
                     explain(plan.steps->blur), explain(plan.steps->adjoint));
}

void Deconvolve::print_plan(const jobs::IterationPlan& plan) const {
  if (!run_.json) return print_text(explained(plan));
  Json json{{"momentum", plan.has_momentum}, {"scratch_files", plan.in_files}};
  if (plan.device) json["device"] = plan.device->name;
  if (plan.filter) json["filter"] = parse_json(fftconv::to_json(*plan.filter));
  if (plan.steps) {
    json["blur"] = parse_json(fftconv::to_json(plan.steps->blur));
    json["adjoint"] = parse_json(fftconv::to_json(plan.steps->adjoint));
  }
  print_json(json);
}

void Deconvolve::print(const jobs::DeconvolveReport& report, const Invocation& invocation) const {
  if (!run_.json) {
    const auto how = job_.method == jobs::Method::wiener
                         ? std::string{"a linear filter"}
                         : fmt::format("{} iterations", report.found.iterations);
    return print_summary(fmt::format("{}: {} float32, {}, {:.3f} s", job_.output.string(),
                                     report.extent, how, report.seconds));
  }
  const Index3& center = report.prepared.psf_center;
  print_json(Json{{"output", job_.output.string()},
                  {"extent", json_of(report.extent)},
                  {"type", "float32"},
                  {"iterations", report.found.iterations},
                  {"log_likelihoods", report.found.log_likelihoods},
                  {"held_out", report.found.held_out},
                  {"background", report.prepared.background},
                  {"lambda", report.prepared.lambda},
                  {"negative_voxels", report.prepared.unusable.negative},
                  {"saturated_voxels", report.prepared.unusable.saturated},
                  {"psf",
                   {{"center", {center.z, center.y, center.x}},
                    {"depths", report.prepared.psfs},
                    {"sum", report.prepared.psf_sum},
                    {"negative_voxels", report.prepared.psf_negative}}},
                  {"scratch_files", report.in_files},
                  {"in_gpu_memory", report.on_device},
                  {"warnings", invocation.console.warnings()},
                  {"seconds", report.seconds},
                  {"run", invocation.clock.json()}});
}

}  // namespace

std::unique_ptr<Command> make_deconvolve() {
  return std::make_unique<Deconvolve>();
}

}  // namespace synthoscope::tools
