// SPDX-License-Identifier: MIT
// Finds the light that most likely made an image.
#include <fmt/format.h>
#include "core/base/json.hpp"
#include "fftconv/plan.hpp"
#include "jobs/deconvolve/image_list.hpp"
#include "tools/commands/commands.hpp"
#include "tools/jobs/beside_picture.hpp"
#include "tools/options/convolution.hpp"
#include "tools/options/image.hpp"
#include "tools/options/rows.hpp"
#include "tools/options/run.hpp"
#include "tools/options/shown_job.hpp"
#include "tools/options/work.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

/// Returns where the volumes lie of iterations whose spectra stay in the memory of GPUs.
std::string text_of_gpus(const jobs::IterationPlan& plan) {
  const std::string& name = plan.gpus.front().gpu.name;
  const std::string there =
      plan.gpus.size() == 1
          ? fmt::format("in the memory of {} ({})", name, print_bytes(plan.device_bytes))
          : fmt::format("in the memory of {} {}, each with a part of at most {} ({})",
                        plan.gpus.size(), name, plan.gpus.back().part.field.size,
                        print_bytes(plan.device_bytes));
  if (!plan.on_host.any()) return "iterations " + there;
  const char* const which = plan.on_host.image && plan.on_host.estimates ? "image and estimates"
                            : plan.on_host.image                         ? "the image"
                                                                         : "estimates";
  return fmt::format("spectra {}\n{} on the host, {}: an iteration copies {} up and {} down", there,
                     which, plan.in_files ? "in scratch files" : "in memory",
                     print_bytes(plan.link.up), print_bytes(plan.link.down));
}

/// Returns the number that `parse` finds in `text`; none for "auto".
template <class Parse>
auto or_auto(std::string_view text, const Parse& parse) -> std::optional<decltype(parse(text))> {
  if (text == "auto") return std::nullopt;
  try {
    return parse(text);
  } catch (const InvalidSpec& failure) {
    throw InvalidSpec(fmt::format("{}, or auto", failure.what()));
  }
}

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
  void name_files(imageio::RunFiles& files) const override;
  [[nodiscard]] jobs::ImageList images() const;
  [[nodiscard]] bool has_several() const { return image_files_.size() > 1; }
  [[nodiscard]] std::filesystem::path picture_of(const jobs::DeconvolveJob& job) const;
  Json done(const jobs::ImageInTurn& image, const RunContext& context,
            const Invocation& invocation) const;
  static std::string explained(const jobs::IterationPlan& plan);
  [[nodiscard]] std::string named(const jobs::DeconvolveJob& job) const;
  [[nodiscard]] Json json_of(const jobs::DeconvolveJob& job, const jobs::IterationPlan& plan) const;
  static std::string summary_of(const jobs::DeconvolveJob& job,
                                const jobs::DeconvolveReport& report);
  [[nodiscard]] Json json_of(const jobs::DeconvolveJob& job,
                             const jobs::DeconvolveReport& report) const;

  std::vector<std::filesystem::path> image_files_;
  jobs::DeconvolveJob job_;  ///< what all images share
  std::filesystem::path camera_, optics_, picture_;
  InputOptions input_;
  FileOptions file_;
  PlanOptions plan_;
  RunOptions run_;
};

void Deconvolve::describe(OptionTable& table) {
  table.add_argument(required(paths_row("IMAGE...", "", image_files_,
                                        "stack to deconvolve, or several, one after another")));
  table.add_argument(path_row("PSF", "", job_.kernel.file,
                              "point spread function, an image of any size with the voxels of "
                              "IMAGE; not with --optics"));
  table.group("Result");
  table.add(lettered(
      'o', path_row("output", "OUT", job_.output,
                    "file to write, such as out.ome.tif; float32. With several images a folder, in "
                    "which each has its result: cell.tif becomes cell.ome.tif")));
  table.add(choice_row("method", job_.method, jobs::kMethodNames,
                       "rl: the iteration of Richardson and Lucy; shb: the same with momentum, "
                       "which needs some five times fewer iterations; wb: the same with a back "
                       "projector by Wiener and Butterworth, 1 to 3 iterations of bright images; "
                       "wiener: one linear pass, whose result may be negative"));
  table.add(
      {"iterations", "N|auto", "20 for shb, 60 for rl, 2 for wb", "",
       "number of iterations: more give sharper light, and more noise. auto finds it with "
       "--camera: simulates images of the light found so far, and deconvolves them to see how "
       "many iterations come closest to it",
       [this](std::string_view text) {
         job_.iterations = or_auto(text, [](std::string_view n) { return parse_whole(n, 1); });
         job_.finds_iterations = !job_.iterations;
       }});
  table.add(real_row("alpha", "N", job_.alpha, "",
                     "of wb: noise over signal; 0.3 for noisy images, below 0.01 iterations may "
                     "diverge"));
  table.add({"lambda", "N|auto", "auto", "",
             "of wiener: noise power over signal power, such as 0.1 of noisy images to 0.001 of "
             "clean ones; auto finds it by cross-validation",
             [this](std::string_view text) { job_.lambda = or_auto(text, parse_real); }});
  table.add(
      {"regularize", "none|tv:L", "none", "",
       "of rl and shb. tv:L keeps noise out by a penalty for light that changes between "
       "neighbours, so that more iterations do not add noise; L up to 1, such as 0.3 divided by "
       "the photons of a bright voxel",
       [this](std::string_view text) { job_.regularize = jobs::parse_regularization(text); }});
  table.add({"background", "N|auto|none", "auto", "",
             "grey level of the image where there is no object; auto estimates it from the darkest "
             "places; none is 0, or the offset of the camera",
             [this](std::string_view text) { job_.background = fftconv::parse_background(text); }});
  table.add(path_row("camera", "CAMERA.toml", camera_,
                     "file of a camera, or of a scene with it: noise is then taken as what it is, "
                     "and the result is in photons"));
  table.add(choice_row("edge", job_.edge, deconvolution::kEdgeNames,
                       "what lies beyond the edges of the image. extend: more light, which is "
                       "estimated as well; wrap: the opposite edge"));
  table.add(path_row("preview", "PICTURE.png", picture_,
                     "also draw image and result beside each other, as maximum projections, each "
                     "in its own range; with several images a folder, such as OUT"));
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
                       "killed or failed; the result is identical to the last bit. Results that it "
                       "finished are kept"));
  table.add(real_row("checkpoint-every", "SECONDS", job_.saving.every_seconds, "s",
                     "shortest time between two checkpoints, OUT.checkpoint; each takes as much "
                     "disk as the result, or twice as much with shb"));
  table.group("Checking");
  table.add(whole_row("certify", "N", job_.certify.voxels, 0,
                      "recompute N voxels of both convolutions by direct sums in double, and fail "
                      "if one differs by more than 1e-6 of the largest sum of |image| |kernel|, or "
                      "if one convolution is not the adjoint of the other; on a GPU, volumes then "
                      "do not stay in its memory"));
  table.add(whole_row("seed", "N", job_.certify.seed, 0,
                      "seed of the random choice of voxels for --certify"));
  run_.describe(table);
}

/// Copies the options into the jobs; the camera is left out.
jobs::ImageList Deconvolve::images() const {
  jobs::DeconvolveJob common = job_;
  common.opening = input_.open_options();
  common.file = file_;
  common.plan = static_cast<const jobs::PlanSettings&>(plan_);
  common.gpu = static_cast<const jobs::GpuChoice&>(plan_.gpu);
  std::vector<jobs::Stack> stacks;
  for (const std::filesystem::path& file : image_files_) stacks.push_back({file});
  return {common,
          stacks,
          has_several() ? jobs::ResultPlace::folder : jobs::ResultPlace::file,
          {camera_, optics_}};
}

void Deconvolve::name_files(imageio::RunFiles& files) const {
  const jobs::ImageList list = images();
  list.name_files(files);
  if (plan_.dry_run) return;
  for (const jobs::DeconvolveJob& job : list.jobs())
    files.add_output_file("picture", picture_of(job));
}

/// Returns the picture of an image; empty if none is wanted.
std::filesystem::path Deconvolve::picture_of(const jobs::DeconvolveJob& job) const {
  if (picture_.empty() || !has_several()) return picture_;
  return picture_ / (jobs::short_name_of(job.image.file) + ".png");
}

void Deconvolve::run(const Invocation& invocation) {
  if (job_.output.empty() && !plan_.dry_run)
    throw InvalidSpec(
        "deconvolve: --output is missing: write -o OUT, or --dry-run for only the plan");
  if (has_several() && plan_.gpu.may_fall_back)
    throw InvalidSpec(
        "deconvolve --allow-cpu-fallback: with several images it would begin with the first one "
        "again; leave it out: after a GPU failed, the same command with --resume and --gpus none "
        "keeps what is finished");
  jobs::ImageList list = images();
  for (const jobs::DeconvolveJob& job : list.jobs())
    if (!picture_.empty()) require_picture(picture_of(job), job, has_several());
  list.begin();
  Session session{run_, invocation};
  Json all = Json::array();
  list.for_each({session.context(), program_bytes, invocation.clock.watch(), ShownJob{invocation}},
                [&](const jobs::ImageInTurn& image) {
                  all.push_back(done(image, session.context(), invocation));
                });
  if (!run_.json) return;
  Json result = has_several() ? Json{{"results", std::move(all)}} : std::move(all.front());
  if (!plan_.dry_run) {
    result["warnings"] = invocation.console.warnings();
    result["run"] = invocation.clock.json();
  }
  print_json(result);
}

/// Plans or makes the result of an image, and prints a line about it. Returns what --json prints.
Json Deconvolve::done(const jobs::ImageInTurn& image, const RunContext& context,
                      const Invocation& invocation) const {
  const jobs::DeconvolveJob& job = image.job;
  const jobs::IterationPlan& plan = image.run.plan();
  if (plan_.dry_run && !run_.json) print_text(named(job) + explained(plan));
  if (plan_.dry_run) return json_of(job, plan);
  if ((plan_.explain || run_.verbose) && !image.run.is_finished())
    invocation.console.text(explained(plan));
  const auto report = image.run.make(image.listener);
  if (!picture_.empty()) draw_beside(job, picture_of(job), context);
  if (run_.verbose)
    invocation.console.text(stages_text(image.watch.stages(), report.peak_memory_bytes));
  if (!run_.json) print_summary(summary_of(job, report));
  return json_of(job, report);
}

std::string Deconvolve::explained(const jobs::IterationPlan& plan) {
  if (plan.filter) return explain(*plan.filter);
  std::string text;
  if (plan.search)
    text = fmt::format("the number of iterations is found on {} voxels\n{}\n",
                       plan.search->geometry.field, explain(plan.search->steps.blur));
  if (!plan.steps) return text + text_of_gpus(plan);
  return text + fmt::format("volumes {}\n{}\n{}", plan.in_files ? "in scratch files" : "in memory",
                            explain(plan.steps->blur), explain(plan.steps->adjoint));
}

/// Returns a line with the name of the image, if it is one of several.
std::string Deconvolve::named(const jobs::DeconvolveJob& job) const {
  return has_several() ? job.image.file.string() + ":\n" : "";
}

Json Deconvolve::json_of(const jobs::DeconvolveJob& job, const jobs::IterationPlan& plan) const {
  Json json{{"momentum", plan.has_momentum}, {"scratch_files", plan.in_files}};
  if (!plan.gpus.empty()) json["device"] = plan.gpus.front().gpu.name;
  if (plan.search) json["searched"] = tools::json_of(plan.search->geometry.field);
  if (plan.filter) json["filter"] = parse_json(fftconv::to_json(*plan.filter));
  if (plan.steps) {
    json["blur"] = parse_json(fftconv::to_json(plan.steps->blur));
    json["adjoint"] = parse_json(fftconv::to_json(plan.steps->adjoint));
  } else if (!plan.gpus.empty()) {
    json["gpus"] = plan.gpus.size();
    json["gpu_bytes"] = plan.device_bytes;
    json["on_host"] = {{"image", plan.on_host.image}, {"estimates", plan.on_host.estimates}};
    json["iteration_link_bytes"] = {{"up", plan.link.up}, {"down", plan.link.down}};
  }
  if (has_several()) json["image"] = job.image.file.string();
  return json;
}

std::string Deconvolve::summary_of(const jobs::DeconvolveJob& job,
                                   const jobs::DeconvolveReport& report) {
  const auto how = job.method == jobs::Method::wiener
                       ? std::string{"a linear filter"}
                       : fmt::format("{} iteration{}", report.found.iterations,
                                     report.found.iterations == 1 ? "" : "s");
  if (report.was_finished)
    return fmt::format("{}: {} float32, {}, made by an earlier run", job.output.string(),
                       report.extent, how);
  return fmt::format("{}: {} float32, {}, {:.3f} s", job.output.string(), report.extent, how,
                     report.seconds);
}

Json Deconvolve::json_of(const jobs::DeconvolveJob& job,
                         const jobs::DeconvolveReport& report) const {
  const Index3& center = report.prepared.psf_center;
  Json json{{"output", job.output.string()},
            {"extent", tools::json_of(report.extent)},
            {"type", "float32"},
            {"iterations", report.found.iterations},
            {"log_likelihoods", report.found.log_likelihoods},
            {"search", jobs::json_of(report.found.rounds)},
            {"search_end", report.search_end},
            {"background", report.prepared.background},
            {"lambda", report.prepared.lambda},
            {"negative_voxels", report.prepared.unusable.negative},
            {"saturated_voxels", report.prepared.unusable.saturated},
            {"psf",
             {{"center", {center.z, center.y, center.x}},
              {"depths", report.prepared.psfs},
              {"sum", report.prepared.psf_sum},
              {"negative_voxels", report.prepared.psf_negative}}},
            {"was_finished", report.was_finished},
            {"scratch_files", report.in_files},
            {"in_gpu_memory", report.on_device},
            {"seconds", report.seconds}};
  if (has_several()) json["image"] = job.image.file.string();
  if (!report.certificate.empty()) json["certificate"] = parse_json(report.certificate);
  if (!picture_.empty()) json["preview"] = picture_of(job).string();
  return json;
}

}  // namespace

std::unique_ptr<Command> make_deconvolve() {
  return std::make_unique<Deconvolve>();
}

}  // namespace synthoscope::tools
