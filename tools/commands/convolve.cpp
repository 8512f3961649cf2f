// SPDX-License-Identifier: MIT
// Convolves one image file with another.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "core/base/json.hpp"
#include "fftconv/plan.hpp"
#include "jobs/convolve/convolve_run.hpp"
#include "multigpu/mpi_team.hpp"
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

using fftconv::Precision;
using fftconv::Shape;

class Convolve final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "convolve"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Convolves an image with a kernel, both files of any size.";
  }
  void describe(OptionTable& table) override;

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override { jobs::name_files(job(), files); }
  [[nodiscard]] jobs::ConvolveJob job() const;
  void join_team();
  /// Returns whether this process prints what is asked for: of a team the first does.
  [[nodiscard]] bool prints_result() const { return !team_ || team_->member().number == 1; }
  void print(const jobs::ConvolveReport& report, const Invocation& invocation) const;
  void print_shard(const std::vector<std::int64_t>& missing) const;

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
  table.add_argument(required(path_row("KERNEL", "", kernel_, "kernel, an image of any size")));
  table.group("Result");
  table.add(
      lettered('o', path_row("output", "OUT", output_, "file to write, such as out.ome.tif")));
  table.add(choice_row(
      "boundary", asked_.boundary,
      {Boundary::zero, Boundary::nearest, Boundary::reflect, Boundary::mirror, Boundary::wrap},
      "values outside the image, as in scipy.ndimage"));
  table.add(choice_row("shape", asked_.shape, {Shape::same, Shape::full, Shape::valid},
                       "same: the size of the image; full: everything that the kernel reaches; "
                       "valid: only where the kernel lies entirely inside"));
  table.add(choice_row("output-type", asked_.output_type, fftconv::kOutputTypeNames,
                       "type of the result's voxels; auto is the image's type if it is integer and "
                       "the kernel is divided by its sum, otherwise float; integers are rounded "
                       "and clipped, and the clipped voxels are counted"));
  table.add(choice_row("precision", asked_.precision, {Precision::float32, Precision::float64},
                       "precision of the computation; double also writes float64 unless "
                       "--output-type says otherwise"));
  table.add(choice_row("nan", asked_.non_finite, kNonFiniteNames,
                       "what to do about NaN and infinity in the image"));
  tools::describe(table, asked_.kernel);
  input_.describe(table);
  file_.describe(table);
  plan_.describe(table);
  resume_.describe(table);
  shard_.describe(
      table,
      "do share I of N, from 1, of a file that N processes write together, on one or several "
      "machines with a shared folder; the last to finish gives the file its name");
  table.add(switch_row("mpi", mpi_,
                       "share the work with the other ranks of this MPI job: they exchange "
                       "frequency parts; for other strategies each does a shard; --memory is the "
                       "limit of one rank, and only the first rank prints"));
  certify_.describe(table);
  run_.describe(table);
}

jobs::ConvolveJob Convolve::job() const {
  return {.image = {image_},
          .kernel = {kernel_},
          .output = output_,
          .asked = asked_,
          .opening = input_.open_options(),
          .file = file_,
          .plan = static_cast<const jobs::PlanSettings&>(plan_),
          .gpu = static_cast<const jobs::GpuChoice&>(plan_.gpu),
          .resume = resume_,
          .certify = certify_,
          .shard = shard_.shard};
}

void Convolve::run(const Invocation& invocation) {
  if (output_.empty() && !plan_.dry_run)
    throw InvalidSpec(
        "convolve: --output is missing: write -o OUT, or --dry-run for only the plan");
  jobs::require_certifiable(job());
  if (mpi_) join_team();
  Session session{run_, invocation};
  const jobs::ConvolveJob job = this->job();
  jobs::ConvolveRun run{job, files_, session.workspace(), team_.get()};

  const fftconv::Plan& plan = run.plan();
  if (plan_.dry_run && !prints_result()) return;
  if (plan_.dry_run) return print_text(run_.json ? fftconv::to_json(plan) : explain(plan));
  if (prints_result() && (plan_.explain || run_.verbose)) invocation.console.text(explain(plan));

  const auto report = run.make(ShownJob{invocation});
  if (!prints_result()) return;
  if (run_.verbose)
    invocation.console.text(
        stages_text(invocation.clock.watch().stages(), report.ran.peak_memory_bytes));
  if (report.is_complete)
    print(report, invocation);
  else
    print_shard(report.missing);
}

/// Joins the MPI job, in which every rank makes a shard. Discards frequency parts that an earlier
/// job left unfinished.
void Convolve::join_team() {
  if (shard_.shard)
    throw InvalidSpec("--mpi with --shard: every rank already has a shard; leave one of them out");
  team_ = multigpu::make_mpi_team();
  shard_.shard = team_->member();
  if (!prints_result()) run_.silent = true;
  if (plan_.dry_run || output_.empty()) return;
  if (prints_result()) jobs::forget_unfinished_parts(output_);
  team_->wait_for_all();
}

void Convolve::print(const jobs::ConvolveReport& report, const Invocation& invocation) const {
  if (!run_.json) {
    std::string text = fmt::format("{}: {} {}, {:.3f} s", output_.string(), report.extent,
                                   name_of(report.type), report.ran.seconds);
    for (const auto& found : {report.certified.by_sums, report.certified.by_library})
      if (found) text += '\n' + jobs::sentence_of(*found);
    return print_summary(text);
  }
  Json result{{"output", output_.string()},
              {"extent", json_of(report.extent)},
              {"type", name_of(report.type)},
              {"clipped", report.clipped},
              {"warnings", invocation.console.warnings()},
              {"run", json_of(report.ran, invocation.console.peak_anonymous_bytes())}};
  result["run"].update(invocation.clock.json());
  if (const auto& found = report.certified.by_sums) result["certificate"] = json_of(*found);
  if (const auto& found = report.certified.by_library)
    result["certified"] = json_of_library(*found);
  print_json(result);
}

/// Prints the result of a shard that other shards follow or have preceded.
void Convolve::print_shard(const std::vector<std::int64_t>& missing) const {
  const Shard& shard = *shard_.shard;
  if (run_.json)
    return print_json({{"output", output_.string()},
                       {"shard", {shard.number, shard.count}},
                       {"whole", missing.empty()},
                       {"missing", missing}});
  print_summary(fmt::format("{}: shard {} is done{}", output_.string(), name_of(shard),
                            missing.empty()
                                ? ", and so are all others"
                                : fmt::format("; {} not yet", fmt::join(missing, ", "))));
}

}  // namespace

std::unique_ptr<Command> make_convolve() {
  return std::make_unique<Convolve>();
}

}  // namespace synthoscope::tools
