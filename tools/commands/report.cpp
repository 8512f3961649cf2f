// SPDX-License-Identifier: MIT
// Shows a data set that simulate made on one page.
#include "simulator/report/report.hpp"
#include <fmt/format.h>
#include "core/base/json.hpp"
#include "imageio/output/atomic_file.hpp"
#include "tools/commands/commands.hpp"
#include "tools/jobs/sweep_sets.hpp"
#include "tools/options/image.hpp"
#include "tools/options/rows.hpp"
#include "tools/options/run.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

class ReportCommand final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "report"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Shows a data set on one page. It contains slices, maximum projections, the PSF, the "
           "histogram, the photon transfer of the camera, the objects and all parameters, and "
           "needs no other files.";
  }
  void describe(OptionTable& table) override {
    table.add_argument(
        required(path_row("DIR", "", folder_, "folder of a data set that simulate made")));
    table.group("Result");
    table.add(required(
        lettered('o', path_row("output", "OUT", output_, "page to write, such as report.html"))));
    table.add(switch_row("overwrite", overwrite_, "replace an older page"));
    table.group("Input");
    table.add(whole_row("frame", "N", frame_, 0, "frame to show, from 0"));
    run_.describe_for_one_stage(table);
  }

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override {
    files.add_input("data set", folder_);
    files.add_output_file("page", output_);
  }

  std::filesystem::path folder_, output_;
  bool overwrite_ = false;
  std::int64_t frame_ = 0;
  RunOptions run_;
};

Json width_json(const std::optional<double>& um) {
  return um ? Json(*um) : Json();
}

Json figures_json(const simulator::ImageFigures& image) {
  const auto& widths = image.psf_widths_um;
  return {{"psf_widths_um", {width_json(widths[0]), width_json(widths[1]), width_json(widths[2])}},
          {"variance_ratio", width_json(image.variance_ratio)}};
}

void ReportCommand::run(const Invocation& invocation) {
  require_no_sweep(name(), folder_);
  require_new_output(output_, overwrite_);
  Session session{run_, invocation};
  const simulator::DataSetReader set{folder_};
  const auto report = report_on(set, frame_, session.context());
  files_.inputs().require_unchanged();
  imageio::write_file_atomically(output_, report.html, overwrite_);
  invocation.console.finish();
  if (!run_.json)
    return print_summary(fmt::format("{}: frame {} of {}, {} objects", output_.string(), frame_,
                                     folder_.string(), report.objects));
  Json result{{"output", output_.string()}, {"objects", report.objects}};
  for (const auto& image : report.images)
    if (image.channel.empty())
      result.update(figures_json(image));
    else
      result["channels"][image.channel] = figures_json(image);
  result["warnings"] = invocation.console.warnings();
  print_json(result);
}

}  // namespace

std::unique_ptr<Command> make_report() {
  return std::make_unique<ReportCommand>();
}

}  // namespace synthoscope::tools
