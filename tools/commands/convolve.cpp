// SPDX-License-Identifier: MIT
// Convolves one image file with another.
#include <fmt/format.h>
#include "core/base/json.hpp"
#include "fftconv/host/executor.hpp"
#include "fftconv/kernel/image_convolution.hpp"
#include "fftconv/plan/cuts/turn_steps.hpp"
#include "fftconv/plan/file.hpp"
#include "imageio/formats.hpp"
#include "imageio/output/partial_file.hpp"
#include "imageio/run/input_identity.hpp"
#include "multigpu/make_executor.hpp"
#include "multigpu/mpi_team.hpp"
#include "tools/commands/commands.hpp"
#include "tools/jobs/convolve_run.hpp"
#include "tools/jobs/shared_output.hpp"
#include "tools/options/certify.hpp"
#include "tools/options/image.hpp"
#include "tools/options/kernel.hpp"
#include "tools/options/plan.hpp"
#include "tools/options/resume.hpp"
#include "tools/options/rows.hpp"
#include "tools/options/run.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

using fftconv::ExaminedKernel;
using fftconv::Precision;
using fftconv::Shape;

/// Returns the files of the image and those of the kernel.
struct ConvolveInputs {
  std::vector<std::filesystem::path> image, kernel;
};

class Convolve final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "convolve"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Convolves an image with a kernel, both files of any size.";
  }
  void describe(OptionTable& table) override;

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override;
  [[nodiscard]] std::string request(PixelType image, const ExaminedKernel& kernel,
                                    const ConvolveInputs& inputs,
                                    std::string_view instruction_set) const;
  [[nodiscard]] std::string instruction_set(fftconv::Place where, GpuInUse& gpu) const;
  [[nodiscard]] fftconv::Plan plan_beside(imageio::ImageSpec& spec, const fftconv::Problem& problem,
                                          const imageio::UnfinishedRun* unfinished,
                                          const PlanOptions& options, Session& session,
                                          GpuInUse& gpu) const;
  [[nodiscard]] fftconv::Plan plan_for_shards(imageio::ImageSpec& spec,
                                              const fftconv::Problem& problem, Session& session,
                                              GpuInUse& gpu) const;
  void require_shardable() const;
  void join_team();
  /// Whether this process prints what is asked for: of a team the first does.
  [[nodiscard]] bool speaks() const { return !team_ || team_->member().number == 1; }

  std::filesystem::path image_, kernel_, output_;
  fftconv::ImageConvolution asked_;
  InputOptions input_;
  FileOptions file_;
  PlanOptions plan_;
  ResumeOptions resume_;
  ShardOptions shard_;
  bool mpi_ = false;
  std::unique_ptr<fftconv::Team> team_;  ///< with --mpi
  CertifyOptions certify_;
  RunOptions run_;
};

void Convolve::describe(OptionTable& table) {
  table.add_argument(required(path_row("IMAGE", "", image_, "stack to convolve")));
  table.add_argument(required(path_row("KERNEL", "", kernel_, "stack to convolve it with")));
  table.group("Result");
  table.add(
      lettered('o', path_row("output", "OUT", output_, "file to write, such as out.ome.tif")));
  table.add(choice_row(
      "boundary", asked_.boundary,
      {Boundary::zero, Boundary::nearest, Boundary::reflect, Boundary::mirror, Boundary::wrap},
      "what lies outside the image, with the meanings of scipy.ndimage"));
  table.add(choice_row("shape", asked_.shape, {Shape::same, Shape::full, Shape::valid},
                       "as large as the image; all that the kernel reaches; or only where it lies "
                       "wholly inside"));
  table.add(
      choice_row("output-type", asked_.output_type, fftconv::kOutputTypeNames,
                 "voxels of the result; auto is the image's type if it is integer and the "
                 "kernel is divided by its sum, else float; integers are rounded and clipped, "
                 "and the clipped ones counted"));
  table.add(choice_row("precision", asked_.precision, {Precision::float32, Precision::float64},
                       "arithmetic; double also writes float64 unless told otherwise"));
  table.add(choice_row("nan", asked_.non_finite, kNonFiniteNames,
                       "what to do about NaN and infinity in the image"));
  tools::describe(table, asked_.kernel);
  input_.describe(table);
  file_.describe(table);
  plan_.describe(table);
  resume_.describe(table);
  shard_.describe(
      table,
      "do part I of N, from 1, of a file that N processes write together, on one machine or on "
      "several that share the folder; the last to be done gives it its name");
  table.add(
      switch_row("mpi", mpi_,
                 "share the work with the other ranks of the MPI job that this process is one "
                 "of: frequency parts are exchanged between them, of other strategies each "
                 "does a shard; --memory is that of a rank, and the first speaks"));
  certify_.describe(table);
  run_.describe(table);
}

void Convolve::name_files(imageio::RunFiles& files) const {
  files.reads("image", image_);
  files.reads("kernel", kernel_);
  files.reads("plan", plan_.file);
  if (!plan_.dry_run) files.makes_certified(output_, certify_.path_before(output_), file_.format);
}

/// Whatever changes the file or how it is made, to the last bit.
std::string Convolve::request(PixelType image, const ExaminedKernel& kernel,
                              const ConvolveInputs& inputs,
                              std::string_view instruction_set) const {
  const auto identity = [](const std::vector<std::filesystem::path>& files) {
    Json first = parse_json(imageio::identity_of_input(files.front()));
    for (std::size_t i = 1; i < files.size(); ++i)
      first[files[i].filename().string()] = parse_json(imageio::identity_of_input(files[i]));
    return first;
  };
  const auto given = [](const std::optional<std::int64_t>& number) {
    return number ? Json(*number) : Json("not given");
  };
  Json record = fftconv::json_of(asked_, kernel);
  record["output type"] = name_of(output_type(asked_, image));
  record["tiff flavor"] = name_of(file_.flavor);
  record["compression"] = name_of(file_.compression);
  record["format"] = name_in(imageio::kFileFormatNames, imageio::format_of(output_, file_.format));
  record["chunks"] = file_.chunks ? json_of(*file_.chunks) : Json("not given");
  record["data sets"] = {imageio::image_name(image_).data_set,
                         imageio::image_name(kernel_).data_set,
                         imageio::image_name(output_).data_set};
  record["channel"] = given(input_.channel);
  record["frame"] = given(input_.frame);
  if (input_.image) record["image number"] = *input_.image;
  if (!input_.axes.empty()) record["axes"] = input_.axes;
  record["strategy"] = name_of(plan_.strategy);
  record["parts"] = plan_.parts;
  record["instruction set"] = instruction_set;
  record["image"] = identity(inputs.image);
  record["kernel"] = identity(inputs.kernel);
  return text_of(record);
}

/// Returns the instruction set of the inner loops of a run there.
std::string Convolve::instruction_set(fftconv::Place where, GpuInUse& gpu) const {
  return where == fftconv::Place::gpu
             ? gpu.instruction_set()
             : std::string{fftconv::host_instruction_set(asked_.precision)};
}

void Convolve::run(const Invocation& invocation) {
  if (output_.empty() && !plan_.dry_run)
    throw InvalidSpec(
        "convolve: --output is missing: write -o OUT, or --dry-run for the plan alone");
  if (certify_.voxels > 0 && asked_.non_finite == NonFinite::propagate)
    throw InvalidSpec(
        "convolve: --certify cannot recompute what --nan propagate spreads; use --nan refuse or "
        "zero");
  if (certify_.voxels > 0 && file_.format == imageio::FileFormat::bdv)
    throw InvalidSpec(
        "convolve: --certify reads a result of one file before it has its name, and --format bdv "
        "makes two; leave one of them out");
  if (mpi_) join_team();
  Session session{run_, invocation};
  const RunContext context = session.context();
  Console& console = invocation.console;

  // Look at both files, at all of the kernel, and at what an earlier run may have left
  std::optional<imageio::UnfinishedRun> unfinished;
  std::optional<SharedOutput> shared;
  if (!plan_.dry_run && shard_.shard) {
    require_shardable();
    shared.emplace(output_, *shard_.shard, file_.overwrite);
    if (const auto& begun = shared->begun())
      unfinished = imageio::UnfinishedRun{begun->request, begun->plan, {}, begun->has_name, 0};
  } else if (!plan_.dry_run) {
    unfinished = resume_.find_unfinished(certify_.path_before(output_), output_, console);
  }
  const CountedImage image = open_counted(image_, input_.open_options(), context);
  const CountedImage kernel_file = open_kernel(kernel_, input_.limits, context);
  check_image("image", image_, image.info);
  check_image("kernel", kernel_, kernel_file.info);
  const ConvolveInputs inputs{files_of(image_, image.info), files_of(kernel_, kernel_file.info)};
  if (!plan_.dry_run && (!unfinished || !unfinished->is_whole)) require_new_image(output_, file_);
  warn_of_pitch_mismatch(image.info, kernel_file.info, console);
  const ExaminedKernel kernel = examine_kernel(
      {kernel_file.info.path.string(), *kernel_file.source, kernel_file.info.kernel_center},
      asked_.kernel, context.stop, console);
  GpuInUse gpu{plan_.gpu, console};
  if (unfinished)
    imageio::require_same_request(
        output_, unfinished->request,
        request(image.info.type, kernel, inputs,
                instruction_set(fftconv::plan_from_json(unfinished->plan).where, gpu)),
        shared ? "remove " + imageio::shares_path(output_).string() : "leave --resume out");

  // Decide how to do it
  const fftconv::Problem asked_for = problem_of(asked_, image.info.extent, image.info.type, kernel,
                                                imageio::order_of(file_.format, file_.compression));
  auto spec =
      spec_like(image.info, output_extent(asked_for), output_type(asked_, image.info.type), file_);
  spec.format = imageio::format_of(output_, file_.format);
  spec.pool = &session.pool();
  spec.stop = &context.stop;
  const fftconv::Plan plan =
      shard_.shard && !unfinished
          ? plan_for_shards(spec, asked_for, session, gpu)
          : plan_beside(spec, asked_for, unfinished ? &*unfinished : nullptr, plan_, session, gpu);
  files_.has_read(plan_.file);
  const auto strips = reserve_writing(spec, context);
  if (plan_.dry_run && !speaks()) return;
  if (plan_.dry_run) return print_text(run_.json ? fftconv::to_json(plan) : explain(plan));
  if (!shared) resume_.note_unless_resumable(plan, console);
  if (speaks() && (plan_.explain || run_.verbose)) console.text(explain(plan));

  // Do it
  std::vector<cuda::DeviceInfo> devices;
  if (plan.where == fftconv::Place::gpu) devices = gpu.devices();
  const auto executor =
      multigpu::make_executor({context.memory.limit()}, devices,
                              plan_.scratch_folder(imageio::file_of(output_)), team_.get());
  const std::string asked_here =
      request(image.info.type, kernel, inputs, instruction_set(plan.where, gpu));
  spec.provenance = text_of(fftconv::json_of(asked_, kernel, plan));
  spec.overwrite |= certify_.voxels > 0;  // what a killed run left under the name in between
  const ConvolveJob job{image_.string(),
                        image,
                        kernel,
                        files_.inputs(),
                        plan,
                        asked_here,
                        spec,
                        unfinished ? &*unfinished : nullptr};
  ConvolveRun result{
      job, output_, {asked_, file_.overwrite, run_, certify_, resume_}, *executor, invocation};
  if (shared)
    result.make_shard(*shared, *shard_.shard, team_.get(), context);
  else
    result.make(context);
}

/// Who else works on it. What a job left unfinished in frequency parts begins anew.
void Convolve::join_team() {
  if (shard_.shard)
    throw InvalidSpec("--mpi beside --shard: a rank has a shard of its own; leave one of them out");
  team_ = multigpu::make_mpi_team();
  shard_.shard = team_->member();
  if (!speaks()) run_.silent = true;
  if (plan_.dry_run || output_.empty()) return;
  if (speaks()) forget_unfinished_parts(output_);
  team_->wait_for_all();
}

void Convolve::require_shardable() const {
  const auto refuse = [](const char* option, const char* why) {
    throw InvalidSpec(fmt::format("--shard beside {}: {}; leave one of them out", option, why));
  };
  if (file_.compression != imageio::Compression::none)
    refuse("--compression", "where a compressed plane lies follows from those before it");
  if (file_.format == imageio::FileFormat::bdv)
    refuse("--format bdv", "its file is made of all its chunks at the end");
  if (certify_.voxels > 0) refuse("--certify", "no process sees the whole file");
}

/// One that has a step for every shard, or else the most: a ring or tiles where the best has fewer.
fftconv::Plan Convolve::plan_for_shards(imageio::ImageSpec& spec, const fftconv::Problem& problem,
                                        Session& session, GpuInUse& gpu) const {
  std::vector<fftconv::Strategy> strategies{plan_.strategy};
  if (plan_.strategy == fftconv::Strategy::automatic && plan_.file.empty())
    strategies.insert(strategies.end(), {fftconv::Strategy::ring, fftconv::Strategy::tiles});
  std::optional<fftconv::Plan> best;
  std::int64_t most = team_ && shard_.shard->count == 1 ? 0 : 1;  // one rank shares nothing
  for (const fftconv::Strategy strategy : strategies) try {
      PlanOptions options = plan_;
      options.strategy = strategy;
      fftconv::Plan plan = plan_beside(spec, problem, nullptr, options, session, gpu);
      const std::int64_t steps = shared_steps(plan, team_.get());
      if (steps > most) {
        most = steps;
        best = std::move(plan);
      }
      if (most >= shard_.shard->count) break;
    } catch (const PlanError&) {
      if (strategy == plan_.strategy) throw;
    }
  if (!best)
    throw InvalidSpec(fmt::format(
        "convolve --shard {}: this work is done in one step, and nothing is there to share; leave "
        "--shard out, or give --strategy ring or tiles, or less --memory",
        name_of(*shard_.shard)));
  if (most < shard_.shard->count)
    session.context().log.note(fmt::format(
        "there are {} steps for {} shards: some have nothing to do; less --memory makes "
        "more steps",
        most, shard_.shard->count));
  return *best;
}

/// Plans the run together with the strips or chunks that are compressed at once: they get a
/// sixteenth of the memory, or are compressed one at a time if there is no space for more.
fftconv::Plan Convolve::plan_beside(imageio::ImageSpec& spec, const fftconv::Problem& problem,
                                    const imageio::UnfinishedRun* unfinished,
                                    const PlanOptions& options, Session& session,
                                    GpuInUse& gpu) const {
  const std::int64_t to_certify = certify_.bytes(problem, session.pool().threads(), spec);
  const auto plan_with = [&](std::int64_t buffer_bytes) {
    spec.buffer_bytes = buffer_bytes;
    const std::int64_t held = imageio::buffered_bytes(spec);
    if (!unfinished)
      return options.plan_here(problem, session, gpu, imageio::file_of(output_).parent_path(), held,
                               to_certify);
    const bool on_gpu = fftconv::plan_from_json(unfinished->plan).where == fftconv::Place::gpu;
    fftconv::Machine machine = session.machine({}, held);
    if (on_gpu) gpu.offer_to(machine);
    const auto plan = plan_of_unfinished(*unfinished, output_, options, machine);
    require_fits(plan, machine, to_certify);
    return plan;
  };
  if (imageio::buffered_bytes(spec) == 0) return plan_with(0);
  try {
    return plan_with(session.memory().limit() / 16);
  } catch (const PlanError&) {
    return plan_with(0);
  } catch (const OutOfDeviceMemory&) {  // a plan for less of the GPU may take more of the host
    return plan_with(0);
  }
}

}  // namespace

std::unique_ptr<Command> make_convolve() {
  return std::make_unique<Convolve>();
}

}  // namespace synthoscope::tools
