// SPDX-License-Identifier: MIT
// Measures a PSF: widths, symmetry, energy in focus, Strehl ratio.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/base/json.hpp"
#include "fftconv/kernel/kernel.hpp"
#include "simulator/measurement/psf_figures.hpp"
#include "simulator/measurement/second_spot.hpp"
#include "simulator/measurement/settled_light.hpp"
#include "simulator/optics/measured_file.hpp"
#include "simulator/optics/psf.hpp"
#include "tools/commands/commands.hpp"
#include "tools/options/image.hpp"
#include "tools/options/rows.hpp"
#include "tools/options/run.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

using simulator::PsfFigures;

/// What was measured of a file.
struct Measured {
  Extent3 extent;
  VoxelSize pitch;
  double background = 0;
  PsfFigures figures = {};
  std::optional<double> strehl = {};
};

class Measure final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "measure"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Measures a PSF. Its widths, symmetry and energy in focus are printed, and its Strehl "
           "ratio if the lens is given.";
  }
  Measure() { background_.kind = fftconv::BackgroundRule::Kind::automatic; }
  void describe(OptionTable& table) override;

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override { files.add_reference("PSF", file_); }
  void require_lens() const;
  [[nodiscard]] Volume<float> read(Source& source, double& background, VoxelSize pitch,
                                   const RunContext& context) const;
  [[nodiscard]] std::optional<double> strehl_of(const Measured& measured,
                                                const RunContext& context) const;

  std::filesystem::path file_;
  fftconv::BackgroundRule background_;
  std::optional<double> na_, wavelength_nm_, immersion_index_;
  simulator::PsfModel model_ = simulator::PsfModel::gibson_lanni;
  InputOptions input_;
  RunOptions run_;
};

void Measure::describe(OptionTable& table) {
  table.add_argument(required(path_row("PSF", "", file_, "image of a point to measure")));
  table.group("Measurement");
  table.add({"background", "N|auto|none", print(background_), "",
             "subtract this value from every voxel; auto is the median of the border or of all "
             "voxels, whichever is smaller",
             [this](std::string_view text) { background_ = fftconv::parse_background(text); }});
  const auto lens_row = [&](std::string name, std::string value, std::optional<double>& target,
                            std::string unit, std::string help) {
    table.add({std::move(name), std::move(value), "", std::move(unit), std::move(help),
               [&target](std::string_view text) { target = parse_real(text); }});
  };
  lens_row("na", "NA", na_, "", "numerical aperture of the lens, for the Strehl ratio");
  lens_row("wavelength-nm", "NM", wavelength_nm_, "nm",
           "wavelength of the emission, in vacuum, for the Strehl ratio");
  lens_row("immersion-index", "N", immersion_index_, "",
           "refractive index of immersion and sample, 1.515 if not given");
  table.add(choice_row("model", model_, simulator::kPsfModelNames,
                       "model of the ideal PSF that the Strehl ratio compares with"));
  input_.describe(table);
  run_.describe_for_one_stage(table);
}

void Measure::require_lens() const {
  if (na_.has_value() != wavelength_nm_.has_value())
    throw InvalidSpec(
        "measure: the Strehl ratio needs both --na and --wavelength-nm; give both, or neither");
  if (model_ == simulator::PsfModel::file)
    throw InvalidSpec("measure: --model file is no ideal PSF; choose a model of a lens");
}

/// Returns the voxels without their background.
Volume<float> Measure::read(Source& source, double& background, VoxelSize pitch,
                            const RunContext& context) const {
  background = fftconv::background_of(background_, source, context.stop);
  Volume<float> voxels = read_all<float>(source);
  for (float& value : voxels.voxels) value -= static_cast<float>(background);
  if (const auto second = simulator::second_spot(voxels, pitch))
    context.log.warn(fmt::format(
        "{} has a second bright spot at voxel {}: it looks like an image of several beads; the "
        "brightest is measured; make a PSF of them with psf --from-beads",
        file_.string(), *second));
  return voxels;
}

std::optional<double> Measure::strehl_of(const Measured& measured,
                                         const RunContext& context) const {
  if (!na_) return std::nullopt;
  simulator::OpticsSpec ideal;
  ideal.model = model_;
  ideal.na = *na_;
  ideal.wavelength_nm = *wavelength_nm_;
  if (immersion_index_) ideal.immersion_index = *immersion_index_;
  ideal.sample_index = ideal.immersion_index;
  ideal.depth_um = 0;
  const auto odd = [](std::int64_t count) { return count - (count + 1) % 2; };
  ideal.size = Extent3{1, odd(measured.extent.y), odd(measured.extent.x)};
  const simulator::Psf psf =
      simulator::make_psf(ideal, measured.pitch, {}, context.pool, &context.memory, context.stop);
  double sum = 0;
  for (const float value : psf.voxels.voxels) sum += static_cast<double>(value);
  const double peak =
      static_cast<double>(psf.voxels.view()(psf.centre.z, psf.centre.y, psf.centre.x));
  return measured.figures.peak_share / (peak / sum);
}

std::string three(const std::array<std::optional<double>, 3>& numbers, const char* unit) {
  constexpr std::array<const char*, 3> kAxes{"z", "y", "x"};
  std::string text;
  for (std::size_t axis = 0; axis < 3; ++axis)
    text += fmt::format("{}{} {}", axis == 0 ? "" : ", ", kAxes[axis],
                        numbers[axis] ? fmt::format("{:.4g}{}", *numbers[axis], unit) : "unknown");
  return text;
}

void print_measured(const Measured& m, const std::filesystem::path& file) {
  print_summary(fmt::format("PSF          {}", file.string()));
  print_summary(fmt::format("size         {} voxels of {:g}, {:g}, {:g} um (z, y, x)", m.extent,
                            m.pitch.z_um, m.pitch.y_um, m.pitch.x_um));
  print_summary(fmt::format("background   {:g}, subtracted", m.background));
  print_summary(fmt::format("centre       {:.2f}, {:.2f}, {:.2f} (voxels z, y, x)",
                            m.figures.centre.z, m.figures.centre.y, m.figures.centre.x));
  print_summary(fmt::format("FWHM         {}", three(m.figures.fwhm_um, " um")));
  print_summary(fmt::format("asymmetry    {}", three(m.figures.asymmetry, "")));
  if (m.figures.energy_in_focus)
    print_summary(
        fmt::format("in focus     {:.3g} % of the light", 100 * *m.figures.energy_in_focus));
  if (m.strehl) print_summary(fmt::format("Strehl       {:.3g}", *m.strehl));
}

Json json_of_three(const std::array<std::optional<double>, 3>& numbers) {
  Json row = Json::array();
  for (const auto& one : numbers) row.push_back(one ? Json(*one) : Json());
  return row;
}

void Measure::run(const Invocation& invocation) {
  require_lens();
  Session session{run_, invocation};
  const RunContext& context = session.context();
  const CountedImage image = open_counted(file_, input_.open_options(), context);
  add_input_image("PSF", file_, image.info);
  report_reading(file_, image.info, context.log);
  const auto pitch = image.info.voxel_size();
  if (!pitch)
    throw InvalidSpec(fmt::format(
        "measure {}: the file does not give the size of its voxels; give --voxel-um Z,Y,X",
        file_.string()));
  Measured measured{image.info.extent, *pitch};
  const auto held =
      context.memory.reserve(volume(measured.extent) * std::int64_t{sizeof(float)}, "the PSF");
  const Volume<float> voxels = read(*image.source, measured.background, *pitch, context);
  MemorySource light{voxels.view()};
  const auto summary = fftconv::summarize(light, context.stop);
  fftconv::require_usable(summary, file_.string());
  if (!(summary.peak > 0))
    throw InvalidInput(
        fmt::format("measure {}: no voxel is brighter than the background of {:g}; give another "
                    "--background",
                    file_.string(), measured.background));
  const auto centre = centre_of_light(simulator::FileCenter::peak, light, summary, context.stop);
  measured.figures = measure_psf(voxels, *pitch, centre, simulator::noise_near_top(voxels));
  measured.strehl = strehl_of(measured, context);
  invocation.console.finish();
  if (!run_.json) return print_measured(measured, file_);
  const PsfFigures& figures = measured.figures;
  print_json(
      Json{{"path", file_.string()},
           {"extent", json_of(measured.extent)},
           {"voxel_um", {pitch->z_um, pitch->y_um, pitch->x_um}},
           {"background", measured.background},
           {"center", {centre.z, centre.y, centre.x}},
           {"peak", figures.peak},
           {"fwhm_um", json_of_three(figures.fwhm_um)},
           {"asymmetry", json_of_three(figures.asymmetry)},
           {"energy_in_focus", figures.energy_in_focus ? Json(*figures.energy_in_focus) : Json()},
           {"strehl", measured.strehl ? Json(*measured.strehl) : Json()},
           {"warnings", invocation.console.warnings()}});
}

}  // namespace

std::unique_ptr<Command> make_measure() {
  return std::make_unique<Measure>();
}

}  // namespace synthoscope::tools
