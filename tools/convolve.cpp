// SPDX-License-Identifier: MIT
// Convolves one image file with another.
#include <fmt/format.h>
#include "core/finite_source.hpp"
#include "core/json.hpp"
#include "core/stopwatch.hpp"
#include "core/store_as.hpp"
#include "core/version.hpp"
#include "fftconv/host_executor.hpp"
#include "fftconv/plan_file.hpp"
#include "imageio/image_name.hpp"
#include "imageio/input_identity.hpp"
#include "imageio/provenance.hpp"
#include "multigpu/make_executor.hpp"
#include "tools/certify_options.hpp"
#include "tools/commands.hpp"
#include "tools/image_options.hpp"
#include "tools/kernel_options.hpp"
#include "tools/option_rows.hpp"
#include "tools/plan_options.hpp"
#include "tools/result.hpp"
#include "tools/resume_options.hpp"
#include "tools/run_options.hpp"

namespace synthoscope::tools {
namespace {

using fftconv::Precision;
using fftconv::Shape;

/// automatic: float where the input or the result's scale is, else the image's own type.
enum class OutputType { automatic, same, uint8, uint16, int16, uint32, float32, float64 };
constexpr NameTable<OutputType, 8> kOutputTypeNames{{
    {OutputType::automatic, "auto"},
    {OutputType::same, "same"},
    {OutputType::uint8, "uint8"},
    {OutputType::uint16, "uint16"},
    {OutputType::int16, "int16"},
    {OutputType::uint32, "uint32"},
    {OutputType::float32, "float32"},
    {OutputType::float64, "float64"},
}};

/// What a run counts besides computing, and what an earlier run that it goes on with had counted.
struct Counts {
  std::int64_t clipped = 0, non_finite = 0;
  bool met_non_finite = false;  ///< in the image
};

std::string print_counts(const Counts& counts) {
  return text_of(Json{{"clipped", counts.clipped},
                      {"non_finite", counts.non_finite},
                      {"met_non_finite", counts.met_non_finite}});
}

Counts counts_from(const imageio::UnfinishedRun* unfinished) {
  if (!unfinished) return {};
  const auto json = parse_json(unfinished->last.counts);
  return {json.at("clipped").get<std::int64_t>(), json.at("non_finite").get<std::int64_t>(),
          json.at("met_non_finite").get<bool>()};
}

/// The files of the image, and those of the kernel.
struct Inputs {
  std::vector<std::filesystem::path> image, kernel;

  [[nodiscard]] std::vector<std::filesystem::path> all() const {
    auto files = image;
    files.insert(files.end(), kernel.begin(), kernel.end());
    return files;
  }
};

/// All that is read and written, and how.
struct Job {
  const imageio::OpenImage& image;
  const ExaminedKernel& kernel;
  const Inputs& inputs;
  const fftconv::Plan& plan;
  const std::string& request;
  imageio::ImageSpec spec;
  const imageio::UnfinishedRun* unfinished;
};

/// What was written.
struct Outcome {
  const Inputs& inputs;
  imageio::ImageSpec spec;
  const fftconv::Plan& plan;
  fftconv::RunReport ran;
  std::int64_t clipped = 0;
  std::optional<fftconv::Certificate> certificate;
  bool was_whole = false;  ///< an earlier run wrote it, and perhaps the record
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
  [[nodiscard]] fftconv::Problem problem(const imageio::ImageInfo& image,
                                         const ExaminedKernel& kernel) const;
  [[nodiscard]] PixelType output_type(PixelType image) const;
  [[nodiscard]] Json asked(const ExaminedKernel& kernel) const;
  [[nodiscard]] std::string provenance(const fftconv::Plan& plan,
                                       const ExaminedKernel& kernel) const;
  [[nodiscard]] std::string request(PixelType image, const ExaminedKernel& kernel,
                                    const Inputs& inputs, std::string_view instruction_set) const;
  [[nodiscard]] std::string instruction_set(fftconv::Place where, GpuInUse& gpu) const;
  [[nodiscard]] fftconv::Plan plan_beside(imageio::ImageSpec& spec, const fftconv::Problem& problem,
                                          const imageio::UnfinishedRun* unfinished,
                                          Session& session, GpuInUse& gpu) const;
  void make_result(const Job& job, fftconv::Executor& executor, RunContext context,
                   const Invocation& invocation) const;
  void record_run(const Outcome& outcome, const Invocation& invocation) const;
  void print(const Outcome& outcome, const Console& console) const;

  std::filesystem::path image_, kernel_, output_;
  Boundary boundary_ = Boundary::zero;
  Shape shape_ = Shape::same;
  Precision precision_ = Precision::float32;
  OutputType output_type_ = OutputType::automatic;
  NonFinite non_finite_ = NonFinite::refuse;
  KernelOptions kernel_options_;
  InputOptions input_;
  FileOptions file_;
  PlanOptions plan_;
  ResumeOptions resume_;
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
      "boundary", boundary_,
      {Boundary::zero, Boundary::nearest, Boundary::reflect, Boundary::mirror, Boundary::wrap},
      "what lies outside the image, with the meanings of scipy.ndimage"));
  table.add(choice_row("shape", shape_, {Shape::same, Shape::full, Shape::valid},
                       "as large as the image; all that the kernel reaches; or only where it lies "
                       "wholly inside"));
  table.add(
      choice_row("output-type", output_type_, kOutputTypeNames,
                 "voxels of the result; auto is the image's type if it is integer and the "
                 "kernel is divided by its sum, else float; integers are rounded and clipped, "
                 "and the clipped ones counted"));
  table.add(choice_row("precision", precision_, {Precision::float32, Precision::float64},
                       "arithmetic; double also writes float64 unless told otherwise"));
  table.add(choice_row("nan", non_finite_, kNonFiniteNames,
                       "what to do about NaN and infinity in the image"));
  kernel_options_.describe(table);
  input_.describe(table);
  file_.describe(table);
  plan_.describe(table);
  resume_.describe(table);
  certify_.describe(table);
  run_.describe(table);
}

fftconv::Problem Convolve::problem(const imageio::ImageInfo& image,
                                   const ExaminedKernel& kernel) const {
  fftconv::Problem problem;
  problem.image = image.extent;
  problem.kernel = kernel.summary.extent;
  problem.center = kernel.center;
  problem.boundary = boundary_;
  problem.shape = shape_;
  problem.correlate = kernel_options_.correlate;
  problem.precision = precision_;
  problem.remove_mean = fftconv::nearly_cancels(kernel.summary);
  problem.may_sum = true;
  problem.is_product = kernel.is_product;
  problem.order = imageio::order_of(file_.compression);
  problem.image_voxel_bytes = size_of(image.type);
  problem.result_voxel_bytes = size_of(output_type(image.type));
  problem.source_voxel_bytes = problem.image_voxel_bytes;
  problem.sink_voxel_bytes = problem.result_voxel_bytes;
  return problem;
}

PixelType Convolve::output_type(PixelType image) const {
  if (output_type_ == OutputType::same) return image;
  if (output_type_ != OutputType::automatic)
    return *pixel_type_named(name_in(kOutputTypeNames, output_type_));
  if (precision_ == Precision::float64) return PixelType::float64;
  const bool keeps_scale = kernel_options_.normalization == fftconv::KernelNormalization::sum;
  return is_floating(image) || !keeps_scale ? PixelType::float32 : image;
}

Json Convolve::asked(const ExaminedKernel& kernel) const {
  return {{"program", "synthoscope"},
          {"version", kVersion},
          {"command", "convolve"},
          {"boundary", name_of(boundary_)},
          {"shape", name_of(shape_)},
          {"correlate", kernel_options_.correlate},
          {"precision", name_of(precision_)},
          {"kernel_center", json_of(kernel.center)},
          {"kernel_background", kernel.kernel.background},
          {"kernel_scale", kernel.kernel.scale},
          {"nan", name_in(kNonFiniteNames, non_finite_)}};
}

/// Only what determines the voxels: equal requests give equal files.
std::string Convolve::provenance(const fftconv::Plan& plan, const ExaminedKernel& kernel) const {
  Json record = asked(kernel);
  record["strategy"] = name_of(plan.strategy);
  record["where"] = name_of(plan.where);
  record["transform"] = json_of(plan.transform);
  return text_of(record);
}

/// Whatever changes the file or how it is made, to the last bit.
std::string Convolve::request(PixelType image, const ExaminedKernel& kernel, const Inputs& inputs,
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
  Json record = asked(kernel);
  record["output type"] = name_of(output_type(image));
  record["tiff flavor"] = name_of(file_.flavor);
  record["compression"] = name_of(file_.compression);
  const bool is_hdf5 = imageio::format_of(output_, file_.format) == imageio::FileFormat::hdf5;
  record["format"] = is_hdf5 ? "hdf5" : "tiff";
  record["chunks"] = file_.chunks ? json_of(*file_.chunks) : Json("not given");
  record["data sets"] = {imageio::image_name(image_).data_set,
                         imageio::image_name(kernel_).data_set,
                         imageio::image_name(output_).data_set};
  record["channel"] = given(input_.channel);
  record["frame"] = given(input_.frame);
  record["strategy"] = name_of(plan_.strategy);
  record["parts"] = plan_.parts;
  record["instruction set"] = instruction_set;
  record["image"] = identity(inputs.image);
  record["kernel"] = identity(inputs.kernel);
  return text_of(record);
}

/// Of the inner loops of a run there.
std::string Convolve::instruction_set(fftconv::Place where, GpuInUse& gpu) const {
  return where == fftconv::Place::gpu ? gpu.instruction_set()
                                      : std::string{fftconv::host_instruction_set(precision_)};
}

void Convolve::run(const Invocation& invocation) {
  if (output_.empty() && !plan_.dry_run)
    throw InvalidSpec(
        "convolve: --output is missing: write -o OUT, or --dry-run for the plan alone");
  if (certify_.voxels > 0 && non_finite_ == NonFinite::propagate)
    throw InvalidSpec(
        "convolve: --certify cannot recompute what --nan propagate spreads; use --nan refuse or "
        "zero");
  Session session{run_, invocation};
  const RunContext context = session.context();
  Console& console = invocation.console;

  // Look at both files, at all of the kernel, and at what an earlier run may have left
  std::optional<imageio::UnfinishedRun> unfinished;
  if (!plan_.dry_run)
    unfinished = resume_.find_unfinished(certify_.path_before(output_), output_, console);
  const CountedImage image = open_counted(image_, input_.open_options(), context);
  const CountedImage kernel_file =
      open_counted(kernel_, {.channel = {}, .frame = {}, .limits = input_.limits}, context);
  const Inputs inputs{files_of(image_, image.info), files_of(kernel_, kernel_file.info)};
  if (!plan_.dry_run) {
    for (const auto& input : inputs.all()) require_other_file(output_, input);
    if (!unfinished || !unfinished->is_whole) require_new_image(output_, file_);
  }
  warn_of_pitch_mismatch(image.info, kernel_file.info, console);
  const ExaminedKernel kernel = examine_kernel(kernel_file, kernel_options_, context.stop, console);
  GpuInUse gpu{plan_.gpu, console};
  if (unfinished)
    imageio::require_same_request(
        output_, unfinished->request,
        request(image.info.type, kernel, inputs,
                instruction_set(fftconv::plan_from_json(unfinished->plan).where, gpu)));

  // Decide how to do it
  const fftconv::Problem asked_for = problem(image.info, kernel);
  auto spec = spec_like(image.info, output_extent(asked_for), output_type(image.info.type), file_);
  spec.format = imageio::format_of(output_, file_.format);
  spec.pool = &session.pool();
  spec.stop = &context.stop;
  const fftconv::Plan plan =
      plan_beside(spec, asked_for, unfinished ? &*unfinished : nullptr, session, gpu);
  const auto strips = reserve_writing(spec, context);
  if (plan_.dry_run) return print_text(run_.json ? fftconv::to_json(plan) : explain(plan));
  resume_.note_unless_resumable(plan, console);
  if (plan_.explain || run_.verbose) console.text(explain(plan));

  // Do it
  std::vector<cuda::DeviceInfo> devices;
  if (plan.where == fftconv::Place::gpu) devices = gpu.devices();
  const auto executor = multigpu::make_executor({context.memory.limit()}, devices,
                                                plan_.scratch_folder(imageio::file_of(output_)));
  const std::string asked_here =
      request(image.info.type, kernel, inputs, instruction_set(plan.where, gpu));
  spec.provenance = provenance(plan, kernel);
  spec.overwrite |= certify_.voxels > 0;  // what a killed run left under the name in between
  make_result({image, kernel, inputs, plan, asked_here, spec, unfinished ? &*unfinished : nullptr},
              *executor, context, invocation);
}

/// The plan beside strips or chunks that are compressed together: in a sixteenth of the memory, or
/// one after the other where it has no room for more.
fftconv::Plan Convolve::plan_beside(imageio::ImageSpec& spec, const fftconv::Problem& problem,
                                    const imageio::UnfinishedRun* unfinished, Session& session,
                                    GpuInUse& gpu) const {
  const std::int64_t to_certify = certify_.bytes(problem, session.pool().threads());
  const auto plan_with = [&](std::int64_t buffer_bytes) {
    spec.buffer_bytes = buffer_bytes;
    const std::int64_t held = imageio::buffered_bytes(spec);
    if (!unfinished)
      return plan_.plan_here(problem, session, gpu, imageio::file_of(output_).parent_path(), held,
                             to_certify);
    const bool on_gpu = fftconv::plan_from_json(unfinished->plan).where == fftconv::Place::gpu;
    fftconv::Machine machine = session.machine({}, held);
    if (on_gpu) gpu.offer_to(machine);
    const auto plan = plan_of_unfinished(*unfinished, output_, plan_, machine);
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

void Convolve::make_result(const Job& job, fftconv::Executor& executor, RunContext context,
                           const Invocation& invocation) const {
  FiniteSource source{*job.image.source, non_finite_, image_.string()};
  StoreAs store{job.spec.type};
  const Counts before = counts_from(job.unfinished);
  const auto counts = [&] {
    return Counts{before.clipped + store.clipped(), before.non_finite + store.non_finite(),
                  before.met_non_finite || source.met_any()};
  };
  ResumableOutput output{certify_.path_before(output_),
                         job.spec,
                         {job.request, job.plan},
                         job.unfinished,
                         resume_,
                         [&] { return print_counts(counts()); }};
  const fftconv::Term term{&source, job.kernel.kernel, {}};
  std::optional<Outcome> outcome;
  output.complete([&] {
    fftconv::RunReport ran;
    if (!output.is_whole()) {
      context.checkpoint = &output.checkpoint();
      ran = executor.run(job.plan, {&term, 1}, store, output.sink(), context);
    }
    const Counts all = counts();
    if (non_finite_ == NonFinite::zero && all.met_non_finite)
      invocation.console.warn(fmt::format("{} voxels of {} are NaN or infinite and were taken as 0",
                                          count_non_finite(*job.image.source), image_.string()));
    if (all.non_finite > 0 && non_finite_ != NonFinite::propagate)
      throw InvalidInput(
          fmt::format("convolve {}: {} voxels of the result pass the range of {} precision; {}",
                      image_.string(), all.non_finite, name_of(precision_),
                      precision_ == Precision::float32 ? "use --precision double"
                                                       : "scale the image or "
                                                         "kernel"));
    if (!output.is_whole()) {
      Stopwatch closing{
          ran.stages};  // beside ran.seconds: how fast a disk flushes is its own affair
      output.close();
      closing.lap("sync");
    }
    const auto certificate =
        certify_and_rename(certify_, output_, file_.overwrite, job.plan.problem, term, context);
    invocation.console.finish();
    outcome.emplace(
        Outcome{job.inputs, job.spec, job.plan, ran, all.clipped, certificate, output.is_whole()});
    record_run(*outcome, invocation);
  });
  print(*outcome, invocation.console);
}

void Convolve::record_run(const Outcome& outcome, const Invocation& invocation) const {
  const fftconv::RunReport& ran = outcome.ran;
  Console& console = invocation.console;
  if (outcome.clipped > 0)
    console.warn(fmt::format("{} of {} voxels were clipped to the range of {}", outcome.clipped,
                             volume(outcome.spec.extent), name_of(outcome.spec.type)));
  if (run_.verbose) console.text(stages_text(ran.stages, ran.peak_memory_bytes));
  imageio::RunRecord record;
  record.command_line = invocation.command_line;
  record.inputs = outcome.inputs.all();
  record.request_json = outcome.spec.provenance;
  record.plan_json = fftconv::to_json(outcome.plan);
  record.seconds = ran.seconds;
  record.stop = outcome.spec.stop;
  record.stage_seconds = ran.stages;
  record.warnings = console.warnings();
  imageio::write_record(output_, record, file_.overwrite || outcome.was_whole);
}

void Convolve::print(const Outcome& outcome, const Console& console) const {
  const fftconv::RunReport& ran = outcome.ran;
  if (!run_.json) {
    std::string text = fmt::format("{}: {} {}, {:.3f} s", output_.string(), outcome.spec.extent,
                                   name_of(outcome.spec.type), ran.seconds);
    if (outcome.certificate) text += '\n' + sentence_of(*outcome.certificate);
    return print_text(text);
  }
  Json result{
      {"output", output_.string()},         {"extent", json_of(outcome.spec.extent)},
      {"type", name_of(outcome.spec.type)}, {"clipped", outcome.clipped},
      {"warnings", console.warnings()},     {"run", json_of(ran, console.peak_anonymous_bytes())}};
  if (outcome.certificate) result["certificate"] = json_of(*outcome.certificate);
  print_json(result);
}

}  // namespace

std::unique_ptr<Command> make_convolve() {
  return std::make_unique<Convolve>();
}

}  // namespace synthoscope::tools
