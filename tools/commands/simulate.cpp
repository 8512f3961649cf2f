// SPDX-License-Identifier: MIT
// Simulates a scene: phantom, optics, detector, into a folder with images and their truth.
#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include <utility>
#include "core/base/json.hpp"
#include "fftconv/plan.hpp"
#include "jobs/plan/choose_machine.hpp"
#include "multigpu/make_executor.hpp"
#include "simulator/imaging/references.hpp"
#include "simulator/run/pipeline.hpp"
#include "simulator/run/rehearsal.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/share/data_set_state.hpp"
#include "simulator/share/scene_share.hpp"
#include "simulator/simulation_files.hpp"
#include "simulator/sweep/run.hpp"
#include "simulator/sweep/share.hpp"
#include "tools/commands/commands.hpp"
#include "tools/jobs/dose_picture.hpp"
#include "tools/jobs/simulate_result.hpp"
#include "tools/options/image.hpp"
#include "tools/options/rows.hpp"
#include "tools/options/run.hpp"
#include "tools/options/scene.hpp"
#include "tools/options/work.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

/// Which frames of a scene are made.
Option frames_row(std::optional<simulator::FrameRange>& frames) {
  return {"frames",
          "A-B",
          "all",
          "",
          "make only these frames, from 0, as one of several machines that share a long movie; "
          "images and masks are identical to those of the whole movie; objects.csv and spots.csv "
          "contain only these frames",
          [&frames](std::string_view text) {
            const auto dash = text.find('-');
            const auto whole = [&](std::string_view part) {
              return parse_whole(part, 0, std::numeric_limits<std::int64_t>::max());
            };
            simulator::FrameRange range;
            range.first = whole(text.substr(0, dash));
            range.last =
                dash == std::string_view::npos ? range.first : whole(text.substr(dash + 1));
            if (range.last < range.first)
              throw InvalidSpec(
                  fmt::format("frame {} comes before {}; write the first, a dash and "
                              "the last",
                              range.last, range.first));
            frames = range;
          }};
}

class Simulate final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "simulate"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Simulates a scene: images with their ground truth, in a folder. It renders the "
           "phantom, blurs it with the PSF, and records it with the camera.";
  }
  void describe(OptionTable& table) override {
    table.add_argument(path_row("SCENE", "", scene_.file,
                                "scene to simulate: a TOML file, such as one of init, or the "
                                "scene.json of a data set; may be left out with --print-config"));
    table.group("Result");
    table.add(lettered('o', path_row("output", "DIR", output_, "folder to make")));
    table.add(choice_row("truth-layout", layout_, simulator::kTruthLayoutNames,
                         "names, folders and format of images and masks: our own, or those of the "
                         "Cell Tracking Challenge, StarDist or Cellpose; or pairs as StarDist's "
                         "with boxes and masks in COCO's format, boxes for YOLO, or points and "
                         "tracks for napari"));
    table.add(switch_row("no-photons", no_photons_,
                         "leave the noise-free photons out of the finished data set, which take "
                         "most of its space; report needs them"));
    table.add(switch_row("join-channels", join_channels_,
                         "put the channels of a frame into one TIFF file, as CZYX, instead of one "
                         "file each; cellpose always does"));
    scene_.describe(table);
    dose_picture_.describe(table);
    table.add(channel_row(channel_, "all"));
    table.add(frames_row(frames_));
    table.add(
        switch_row("resume", resume_,
                   "keep complete data sets and make the others, to continue a stopped sweep; a "
                   "random seed stays the same, also for data sets that --overwrite makes again"));
    table.add(switch_row("print-config", print_config_,
                         "print the scene with every key, as TOML, and stop"));
    file_.describe(table);
    plan_.describe(table);
    shard_.describe(
        table,
        "make share I of N, from 1, of the data sets of a sweep, the frames of a scene or the "
        "volume of its only frame, as one of N processes on one or several machines with a shared "
        "folder; the first process plans for all, and the last to finish joins the shares; "
        "complete data sets, frames and parts of a volume are kept");
    run_.describe(table);
  }

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override;
  void print_defaults() const;
  /// Refuses options that a picture of doses does not have.
  void require_picture(const simulator::SweepSpec& sweep) const;
  [[nodiscard]] simulator::SimulateOptions options() const;
  /// Returns the plans of the scene, or of all sets of the sweep.
  [[nodiscard]] std::vector<fftconv::Plan> plans_for(const fftconv::Machine& machine,
                                                     const simulator::SceneSpec& scene,
                                                     const simulator::SweepSpec& sweep,
                                                     const RunContext& context) const;
  /// Whether --resume finds the data set whole; takes a seed that was drawn from its record.
  bool is_finished(simulator::SceneSpec& scene, const fftconv::Executor& executor,
                   const RunContext& context) const;
  void run_one(simulator::SceneSpec scene, fftconv::Executor& executor, const RunContext& context,
               const Invocation& invocation) const;
  /// Ends the progress, and adds the stages of the simulation to those of the process.
  void finish(const Invocation& invocation, const Stages& stages, std::int64_t memory) const;
  void run_sweep(const simulator::SceneSpec& scene, const simulator::SweepSpec& sweep,
                 fftconv::Executor& executor, const RunContext& context,
                 const Invocation& invocation) const;

  SceneOptions scene_;
  std::optional<std::string> channel_;
  std::optional<simulator::FrameRange> frames_;
  DosePicture dose_picture_;
  std::filesystem::path output_;
  bool print_config_ = false, resume_ = false, join_channels_ = false, no_photons_ = false;
  simulator::TruthLayout layout_ = simulator::TruthLayout::native;
  FileOptions file_;
  PlanOptions plan_;
  ShardOptions shard_;
  RunOptions run_;
  std::optional<cuda::DeviceInfo> device_;  ///< that makes labels
};

/// A value that is given for a key that the sweep sets would be lost.
void require_not_swept(const std::vector<std::string>& overrides,
                       const simulator::SweepSpec& sweep) {
  for (const auto& axis : sweep.axes)
    for (const auto& text : overrides)
      if (simulator::overridden_key(text) == axis.key)
        throw InvalidSpec(
            fmt::format("simulate: --set {} and [sweep] both set {}; leave --set out, or remove "
                        "the key from [sweep]",
                        text, axis.key));
}

/// Returns the plan of a scene without channels unchanged, otherwise one for each channel.
std::string plans_json(const std::vector<simulator::Channel>& channels,
                       const std::vector<fftconv::Plan>& plans) {
  if (channels.front().name.empty()) return fftconv::to_json(plans.front());
  Json rows = Json::array();
  for (std::size_t i = 0; i < channels.size(); ++i)
    rows.push_back({{"channel", channels[i].name}, {"plan", parse_json(to_json(plans[i]))}});
  return text_of(rows);
}

/// The plan of a blur, and how many times it is run where the PSF varies.
std::string plan_text(const simulator::Channel& channel, const fftconv::Plan& plan,
                      TaskPool& pool) {
  std::string text = explain(plan);
  const std::int64_t light = volume(plan.problem.image) * plan.problem.image_voxel_bytes;
  if (light > 0)
    text += fmt::format("\nlight is rendered once, into a scratch file of {}", print_bytes(light));
  const std::string varied = references_of(channel.scene, pool).description();
  return varied.empty() ? text : fmt::format("{}\n{}", text, varied);
}

std::string plans_text(const std::vector<simulator::Channel>& channels,
                       const std::vector<fftconv::Plan>& plans, TaskPool& pool) {
  if (channels.front().name.empty()) return plan_text(channels.front(), plans.front(), pool);
  std::string text;
  for (std::size_t i = 0; i < channels.size(); ++i)
    text += fmt::format("{}{}\n{}", i == 0 ? "" : "\n\n", channels[i].description(),
                        plan_text(channels[i], plans[i], pool));
  return text;
}

std::int64_t most_memory(const simulator::SimulationReport& done) {
  std::int64_t most = 0;
  for (const auto& image : done.images) most = std::max(most, image.blur.peak_memory_bytes);
  return most;
}

simulator::SimulateOptions Simulate::options() const {
  simulator::SimulateOptions options;
  options.directory = output_;
  options.overwrite = file_.overwrite;
  if (file_.format == imageio::FileFormat::bdv)
    throw InvalidSpec(
        "simulate --format bdv: data sets are written as TIFF, HDF5 or OME-Zarr; choose one of "
        "them, and give its images to another command with -o NAME and this --format");
  if (file_.format != imageio::FileFormat::by_name) options.format = file_.format;
  options.flavor = file_.flavor;
  options.chunks = file_.chunks;
  options.compression = file_.compression;
  options.layout = layout_;
  options.join_channels = join_channels_;
  options.keep_photons = !no_photons_;
  options.strategy = plan_.strategy;
  options.parts = plan_.parts;
  options.fft = plan_.fft;
  options.frames = frames_;
  options.channel = channel_;
  if (auto plan = plan_.given_plan()) options.plans = {std::move(*plan)};
  options.scratch = plan_.scratch;
  options.any_place = plan_.gpu.is_automatic();
  options.device = device_;
  options.inputs = &files_.inputs();
  return options;
}

void Simulate::name_files(imageio::RunFiles& files) const {
  files.add_input("scene", scene_.file);
  files.add_input("plan", plan_.file);
  if (output_.empty() || plan_.dry_run || print_config_) return;
  if (dose_picture_.is_wanted()) return files.add_output_file("picture", output_);
  const simulator::SimulationPlace place{output_, channel_};
  try {
    const simulator::SweepSpec sweep = simulator::read_sweep(scene_.file);
    if (sweep.is_empty())
      simulator::name_files(files, scene_.scene(), place);
    else
      simulator::name_files(files, sets_of(scene_.scene_of_sweep(), sweep, 0), place);
  } catch (const Error&) {  // the run says what is wrong
  }
}

/// Prints the scene that a file without keys describes.
void Simulate::print_defaults() const {
  if (!print_config_)
    throw InvalidSpec(
        "simulate: SCENE is missing; give a TOML file: init lists examples and writes them");
  const simulator::SceneSpec scene = scene_.changed(simulator::SceneSpec{});
  require_valid(scene);
  print_text(simulator::to_toml(scene));
}

void Simulate::require_picture(const simulator::SweepSpec& sweep) const {
  const auto refuse = [](std::string_view with) {
    throw InvalidSpec(fmt::format(
        "simulate: --doses with {}: a picture of doses shows the first frame of one scene; leave "
        "one of them out",
        with));
  };
  if (!sweep.is_empty()) refuse("a scene that has [sweep]");
  if (shard_.shard) refuse("--shard");
  if (frames_) refuse("--frames");
  if (resume_) refuse("--resume");
  if (print_config_) refuse("--print-config");
  if (plan_.dry_run || plan_.explain || !plan_.file.empty())
    refuse("--dry-run, --explain or --plan");
  dose_picture_.require_output(output_, file_.overwrite);
}

void Simulate::run(const Invocation& invocation) {
  if (scene_.file.empty()) return print_defaults();
  simulator::SweepSpec sweep = simulator::read_sweep(scene_.file);
  const simulator::SceneSpec scene = sweep.is_empty() ? scene_.scene() : scene_.scene_of_sweep();
  files_.finish_input(scene_.file);
  require_not_swept(scene_.overrides, sweep);
  if (!sweep.is_empty() && plan_.gpu.may_fall_back)
    throw InvalidSpec(
        "simulate: --allow-cpu-fallback with [sweep]: the host could not continue the data sets "
        "that a GPU has made; leave it out, or simulate the scenes one by one");
  std::vector<simulator::SweepSet> sets;
  if (!sweep.is_empty()) sets = sets_of(scene, sweep, 0);  // judges every scene
  if (dose_picture_.is_wanted()) require_picture(sweep);
  if (print_config_) return print_text(simulator::to_toml(scene, sweep));
  if (shard_.shard && frames_)
    throw InvalidSpec(
        "--shard with --frames: a shard already chooses its frames; leave one of them out");
  if (!dose_picture_.is_wanted() && output_.empty() && !plan_.dry_run)
    throw InvalidSpec(
        "simulate: --output is missing: write -o DIR, or --dry-run for only the plan");
  Session session{run_, invocation};
  const RunContext context = session.context();
  if (const auto warning = collection_warning(sweep, sets)) context.log.warn(*warning);
  jobs::GpuInUse gpu{plan_.gpu, session.workspace()};
  const std::int64_t blurs = blurs_of(scene, channel_, context.pool);
  const jobs::ChosenMachine chosen = choose_machine(
      session.workspace(), gpu, plan_.fft, blurs, !plan_.file.empty(),
      [&](const fftconv::Machine& on) { return plans_for(on, scene, sweep, context); });
  if (!chosen.devices.empty()) device_ = chosen.devices.front();
  const auto executor =
      multigpu::make_executor(chosen.machine, chosen.devices, plan_.scratch_folder(output_));
  invocation.clock.watch().lap("plan");
  if (dose_picture_.is_wanted())
    dose_picture_.draw(scene, channel_, {output_, file_.overwrite, run_.json}, *executor, context,
                       invocation);
  else if (sweep.is_empty())
    run_one(scene, *executor, context, invocation);
  else
    run_sweep(scene, sweep, *executor, context, invocation);
}

std::vector<fftconv::Plan> Simulate::plans_for(const fftconv::Machine& machine,
                                               const simulator::SceneSpec& scene,
                                               const simulator::SweepSpec& sweep,
                                               const RunContext& context) const {
  if (sweep.is_empty()) return plan_simulation(scene, machine, context, options());
  simulator::SceneInputs inputs{context.stop, &context.log};
  const auto sets = sets_of(scene, sweep, static_cast<std::uint64_t>(scene.seed.value_or(0)));
  std::vector<fftconv::Plan> all;
  for (const auto& plans : plan_sweep(sets, machine, context, options(), inputs))
    all.insert(all.end(), plans.begin(), plans.end());
  return all;
}

bool Simulate::is_finished(simulator::SceneSpec& scene, const fftconv::Executor& executor,
                           const RunContext& context) const {
  using Kind = simulator::DataSetState::Kind;
  const auto all = options();
  scene.seed = simulator::seed_to_resume(scene.seed, output_ / "scene.json", context.log);
  simulator::SceneInputs inputs{context.stop, &context.log};
  const auto plans = plan_simulation(scene, executor.machine(), context, all, inputs);
  const auto standing = data_set_state_of(scene, all, plans, inputs, context.pool);
  if (standing.kind == Kind::finished) return true;
  if (standing.kind == Kind::absent)
    context.log.note("--resume keeps complete data sets; this one starts from the beginning");
  else if (!all.overwrite)
    refuse_other(fmt::format("resume {}: it", output_.string()), standing);
  return false;
}

void Simulate::run_one(simulator::SceneSpec scene, fftconv::Executor& executor,
                       const RunContext& context, const Invocation& invocation) const {
  auto all = options();
  if (plan_.dry_run || plan_.explain) {
    all.plans = plan_simulation(scene, executor.machine(), context, all);
    const auto channels = channels_of(scene, channel_);
    if (plan_.dry_run) {
      const Stages predicted = rehearse(scene, executor.machine(), context, all);
      if (run_.json) return print_text(plans_json(channels, all.plans));
      return print_text(fmt::format("{}\n{}", plans_text(channels, all.plans, context.pool),
                                    simulator::prediction_of(predicted)));
    }
    invocation.console.text(plans_text(channels, all.plans, context.pool));
  }
  if (resume_ && is_finished(scene, executor, context)) {
    if (run_.json)
      return print_json(Json{{"output", output_.string()}, {"seed", *scene.seed}, {"kept", true}});
    return print_summary(
        fmt::format("{}: already complete, seed {}; nothing to do", output_.string(), *scene.seed));
  }
  if (shard_.shard) {
    const auto done = share_scene(scene, all, *shard_.shard, executor, context);
    invocation.console.finish();
    invocation.clock.watch().add(done.stages);
    invocation.clock.watch().lap("join");
    return print_result(done, output_, *shard_.shard, run_.json, invocation);
  }
  const auto done = simulator::simulate(scene, all, executor, context);
  finish(invocation, done.stages, most_memory(done));
  print_result(done, output_, run_.json, invocation);
}

void Simulate::finish(const Invocation& invocation, const Stages& stages,
                      std::int64_t memory) const {
  Stopwatch& watch = invocation.clock.watch();
  watch.add(stages);
  watch.lap("release memory");
  invocation.console.finish();
  if (run_.verbose) invocation.console.text(stages_text(watch.stages(), memory));
}

void Simulate::run_sweep(const simulator::SceneSpec& scene, const simulator::SweepSpec& sweep,
                         fftconv::Executor& executor, const RunContext& context,
                         const Invocation& invocation) const {
  if (plan_.dry_run || plan_.explain) {
    const auto sets = sets_of(scene, sweep, static_cast<std::uint64_t>(scene.seed.value_or(0)));
    simulator::SceneInputs inputs{context.stop, &context.log};
    const auto plans = plan_sweep(sets, executor.machine(), context, options(), inputs);
    Json rows = Json::array();
    std::string text;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const auto channels = channels_of(sets[i].scene, channel_);
      rows.push_back(
          {{"folder", sets[i].folder}, {"plan", parse_json(plans_json(channels, plans[i]))}});
      text += fmt::format("{}{}\n{}", i == 0 ? "" : "\n\n", sets[i].folder,
                          plans_text(channels, plans[i], context.pool));
    }
    if (plan_.dry_run) {
      const Stages predicted = rehearse_sweep(sets, executor.machine(), context, options());
      if (run_.json) return print_json(rows);
      return print_text(fmt::format("{}\n{}", text, simulator::prediction_of(predicted)));
    }
    invocation.console.text(text);
  }
  const auto done = shard_.shard
                        ? share_sweep(scene, sweep, options(), *shard_.shard, executor, context)
                        : simulate_sweep(scene, sweep, options(), resume_, executor, context);
  finish(invocation, done.stages, done.peak_memory_bytes);
  print_result(done, output_, shard_.shard, run_.json, invocation);
}

}  // namespace

std::unique_ptr<Command> make_simulate() {
  return std::make_unique<Simulate>();
}

}  // namespace synthoscope::tools
