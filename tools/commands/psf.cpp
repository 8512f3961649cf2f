// SPDX-License-Identifier: MIT
// Writes the point spread function of an optical set-up.
#include "simulator/optics/psf.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/base/json.hpp"
#include "core/base/stopwatch.hpp"
#include "core/base/version.hpp"
#include "imageio/formats.hpp"
#include "imageio/run/provenance.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/scene/file/inputs.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "tools/commands/commands.hpp"
#include "tools/jobs/beads_job.hpp"
#include "tools/options/image.hpp"
#include "tools/options/rows.hpp"
#include "tools/options/run.hpp"
#include "tools/options/scene.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

using simulator::AxialOrigin;

class PsfCommand final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "psf"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Writes the point spread function of a microscope. Give options, a scene, or a scene "
           "and options that override it; or an image of beads, from which it is measured.";
  }
  PsfCommand() { optics_.axial_origin.rule = AxialOrigin::Rule::nominal; }
  void describe(OptionTable& table) override;
  void execute(std::span<const std::string> words, const Invocation& invocation) override;

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override {
    files.add_input("scene", scene_);
    beads_.name_files(files);
    files.add_output_image("result", output_, file_.format);
  }
  void describe_optics(OptionTable& table);
  void describe_file(OptionTable& table);
  void describe_grid(OptionTable& table);
  void require_no_optics(const OptionTable& table, std::span<const std::string> words) const;
  void run_on_beads(const Invocation& invocation);
  [[nodiscard]] std::string provenance() const;
  [[nodiscard]] std::string provenance_of_beads() const;
  void write(const Volume<float>& psf, const Index3& centre, const VoxelSize& pitch,
             const std::string& provenance, Session& session, const Invocation& invocation) const;
  void write_record(imageio::RunRecord record, const std::string& request, double begin,
                    const Invocation& invocation) const;
  void report(const simulator::Psf& psf, const Invocation& invocation) const;

  std::filesystem::path scene_, output_;
  std::vector<std::string> overrides_;
  std::optional<std::string> channel_;
  simulator::OpticsSpec optics_;
  simulator::PsfSizing sizing_;
  VoxelSize pitch_{0.2, 0.09, 0.09};  // finer than Nyquist for the default lens
  bool is_pitch_given_ = false;
  BeadsJob beads_;
  FileOptions file_;
  RunOptions run_;
};

simulator::ImageShift parse_shift(std::string_view text) {
  const auto nm = parse_reals(text);
  if (nm.size() != 3)
    throw InvalidSpec(
        fmt::format("'{}' is not three numbers; give nanometres as Z,Y,X, such as 120,0,35", text));
  return {nm[0] / 1000, nm[1] / 1000, nm[2] / 1000};
}

void PsfCommand::describe(OptionTable& table) {
  table.add_argument(path_row("SCENE", "", scene_,
                              "scene with the optics and voxels to use; options override them"));
  table.group("Result");
  table.add(required(
      lettered('o', path_row("output", "OUT", output_, "file to write, such as psf.ome.tif"))));
  beads_.describe(table);
  describe_optics(table);
  describe_file(table);
  describe_grid(table);
  file_.describe(table);
  run_.describe_for_one_stage(table);
}

void PsfCommand::describe_optics(OptionTable& table) {
  simulator::OpticsSpec& o = optics_;
  table.group("Optics");
  table.add(texts_row("set", "KEY=VALUE", overrides_,
                      "change a key of the scene, such as optics.na=1.2; may be repeated"));
  table.add(channel_row(channel_, "the first"));
  table.add(choice_row("model", o.model, simulator::kPsfModelNames, "model of the PSF, or file"));
  table.add(real_row("na", "NA", o.na, "", "numerical aperture"));
  table.add(real_row("wavelength-nm", "NM", o.wavelength_nm, "nm",
                     "wavelength of the emission, in vacuum"));
  table.add(real_row("immersion-index", "N", o.immersion_index, "", "refractive index"));
  table.add(real_row("sample-index", "N", o.sample_index, "", "refractive index"));
  table.add(real_row("coverslip-index", "N", o.coverslip_index, "", "refractive index"));
  table.add(real_row("design-immersion-index", "N", o.design_immersion_index, "",
                     "the actual value", "refractive index that the lens is designed for"));
  table.add(real_row("design-coverslip-index", "N", o.design_coverslip_index, "",
                     "the actual value", "refractive index that the lens is designed for"));
  table.add(real_row("coverslip-um", "UM", o.coverslip_um, "um", "thickness of the cover glass"));
  table.add(real_row("design-coverslip-um", "UM", o.design_coverslip_um, "um", "the actual value",
                     "thickness that the lens is designed for"));
  table.add(real_row("working-distance-um", "UM", o.working_distance_um, "um",
                     "thickness of the immersion in the design"));
  table.add(
      real_row("depth-um", "UM", o.depth_um, "um", "depth of the emitter below the cover glass"));
  table.add(choice_row("cover-glass", o.cover_glass, simulator::kCoverGlassNames,
                       "position of the cover glass: beyond the last plane, or before the first, "
                       "which mirrors the PSF along z"));
  table.add(choice_row("diffraction", o.diffraction, simulator::kDiffractionNames,
                       "model of the lens for confocal, two-photon, light-sheet and sted"));
  table.add(real_row("excitation-nm", "NM", o.excitation_nm, "nm",
                     "wavelength of the excitation for confocal, two-photon and sted"));
  table.add(real_row("pinhole-au", "AU", o.pinhole_au, "Airy units",
                     "diameter of the pinhole for confocal and sted"));
  table.add(real_row("sheet-waist-um", "UM", o.sheet_waist_um, "um",
                     "1/e^2 radius of the sheet for light-sheet"));
  table.add(real_row("depletion-nm", "NM", o.depletion_nm, "nm",
                     "wavelength of the depletion ring for sted"));
  table.add(real_row(
      "saturation", "S", o.saturation, "",
      "for sted: how many times the depletion halves the light at the maximum of the ring"));
  table.add({"zernike", "TERMS", "none", "waves rms",
             "aberrations, Noll's index and size of each, as 5:0.1,11:-0.05; 2 and 3 are tilt, 4 "
             "defocus, 5 and 6 astigmatism, 7 and 8 coma, 11 spherical; for born-wolf, "
             "gibson-lanni and richards-wolf",
             [&o](std::string_view text) {
               try {
                 o.zernike = simulator::parse_zernike(text);
               } catch (const InvalidSpec& problem) {
                 throw InvalidSpec(fmt::format("this {}", problem.what()));
               }
             }});
  table.add(
      {"axial-origin", "nominal|focus|UM", print(o.axial_origin), "um",
       "z of the middle plane: z = 0 of the design, the brightest plane, or this z",
       [&o](std::string_view text) { o.axial_origin = simulator::parse_axial_origin(text); }});
  table.add({"shift-nm", "Z,Y,X", "0,0,0", "nm",
             "displacement of the image of a point from the point",
             [&o](std::string_view text) { o.shift = parse_shift(text); }});
}

void PsfCommand::describe_file(OptionTable& table) {
  simulator::OpticsSpec& o = optics_;
  table.group("Measured");
  table.add(file_row("file", "FILE", "file of a measured PSF, for --model file",
                     [&o](std::string_view text) { o.file = text; }));
  table.add({"file-background", "N|auto|none", print(o.file_background), "",
             "subtract this value from every voxel of the file; auto is the median of its border "
             "or of all its voxels, whichever is smaller",
             [&o](std::string_view text) { o.file_background = fftconv::parse_background(text); }});
  table.add(
      choice_row("file-center", o.file_center, simulator::kFileCenterNames,
                 "the part of the file that is placed in the middle, with subvoxel precision"));
  table.add({"file-pitch-um", "Z,Y,X", "the voxel size in the file", "um",
             "voxel size of the file, or one number for all axes",
             [&o](std::string_view text) { o.file_pitch = parse_voxel_size(text); }});
}

void PsfCommand::describe_grid(OptionTable& table) {
  simulator::OpticsSpec& o = optics_;
  table.group("Voxels");
  table.add({"voxel-um", "Z,Y,X", fmt::format("{},{},{}", pitch_.z_um, pitch_.y_um, pitch_.x_um),
             "um",
             "voxel size, or one number for all axes; of beads, that of the file if not given",
             [this](std::string_view text) {
               pitch_ = parse_voxel_size(text);
               is_pitch_given_ = true;
             }});
  table.add({"size", "Z,Y,X", "large enough for the light", "", "number of voxels, each odd",
             [&o](std::string_view text) { o.size = parse_triple(text, 1); }});
  table.add({"pixel-integration", "on|off", "on; for a file, as it was recorded", "",
             "integrate over the pixel instead of sampling its centre; for a file, if pixels are "
             "larger than its own",
             [&o](std::string_view text) { o.pixel_integration = parse_on_off(text); }});
  table.add(choice_row(
      "normalize", o.normalization, simulator::kPsfNormalizationNames,
      "what is scaled to 1: the energy of an infinite plane, the sum, the peak, or nothing"));
}

/// Options override the scene wherever they are on the command line, so the words are read twice.
void PsfCommand::execute(std::span<const std::string> words, const Invocation& invocation) {
  OptionTable table;
  describe(table);
  parse(table, name(), words);
  begin(table, invocation);
  if (beads_.is_wanted()) {
    require_no_optics(table, words);
    return run_on_beads(invocation);
  }
  if (!scene_.empty()) {
    const simulator::SceneSpec scene =
        channel_of(SceneOptions{scene_, overrides_, {}}.scene(), channel_).scene;
    files_.finish_input(scene_);
    optics_ = blur_optics(scene);
    pitch_ = blur_grid(scene).pitch;
    sizing_ = blur_sizing(scene);
    parse(table, name(), words);
  } else if (channel_) {
    throw InvalidSpec(
        "psf: --channel chooses a channel of a scene, but no scene is given; name the scene");
  } else if (!overrides_.empty()) {
    throw InvalidSpec(
        "psf: --set changes a scene, but no scene is given; name one, or use the options");
  }
  run(invocation);
}

/// Only what determines the voxels: equal requests give equal files.
std::string PsfCommand::provenance() const {
  simulator::SceneSpec scene;
  scene.optics = optics_;
  Json all = parse_json(simulator::to_json(scene));
  all.at("optics").erase("oversample");  // the voxel size tells
  all.at("optics").erase("collection");  // of light, not of a PSF
  const Json record{{"program", "synthoscope"},
                    {"version", kVersion},
                    {"command", "psf"},
                    {"voxel_um", {pitch_.z_um, pitch_.y_um, pitch_.x_um}},
                    {"optics", all.at("optics")}};
  return text_of(record);
}

void PsfCommand::run(const Invocation& invocation) {
  if (optics_.model == simulator::PsfModel::file &&
      optics_.axial_origin.rule == AxialOrigin::Rule::nominal)
    optics_.axial_origin = {};  // a file has no design: file_center says what lies in the middle
  simulator::SceneSpec named;
  named.optics.file = optics_.file;
  add_inputs("measured PSF", input_files_of(named));
  require_new_image(output_, file_);
  Session session{run_, invocation};
  Stopwatch& watch = invocation.clock.watch();
  const double begin = invocation.clock.wall_seconds();
  invocation.console.begin("psf", 1);
  const simulator::Psf psf =
      simulator::make_psf(optics_, pitch_, sizing_, session.pool(),
                          &session.workspace().context().memory, invocation.stop);
  for (const std::string& note : psf.notes) invocation.console.note(note);
  for (const std::string& warning : psf.warnings) invocation.console.warn(warning);
  watch.lap("psf");
  imageio::RunRecord record;
  record.inputs = files_.inputs().records(&session.pool(), &invocation.stop);
  watch.lap("hash inputs");
  write(psf.voxels, psf.centre, pitch_, provenance(), session, invocation);
  write_record(std::move(record), provenance(), begin, invocation);
  report(psf, invocation);
}

void PsfCommand::write_record(imageio::RunRecord record, const std::string& request, double begin,
                              const Invocation& invocation) const {
  Stopwatch& watch = invocation.clock.watch();
  watch.lap("write");
  record.command_line = invocation.command_line;
  record.request_json = request;
  record.seconds = invocation.clock.wall_seconds() - begin;
  record.stage_seconds = watch.stages();
  record.warnings = invocation.console.warnings();
  imageio::write_record(output_, record, file_.overwrite);
  invocation.console.finish();
  watch.lap("record");
}

/// Options of optics would have no effect on what is measured.
void PsfCommand::require_no_optics(const OptionTable& table,
                                   std::span<const std::string> words) const {
  const auto refuse = [](const std::string& what) {
    throw InvalidSpec(fmt::format(
        "psf: --from-beads with {}: beads are measured, and no optics are computed; leave one of "
        "them out",
        what));
  };
  if (!scene_.empty()) refuse("a scene");
  for (const OptionGroup& group : table.groups()) {
    if (group.title != "Optics" && group.title != "Measured") continue;
    for (const Option& option : group.options)
      for (const std::string& word : words)
        if (option.name != "channel" &&
            (word == "--" + option.name || word.starts_with("--" + option.name + "=")))
          refuse("--" + option.name);
  }
}

std::string PsfCommand::provenance_of_beads() const {
  return text_of(
      Json{{"program", "synthoscope"},
           {"version", kVersion},
           {"command", "psf"},
           {"normalization", name_in(simulator::kPsfNormalizationNames, optics_.normalization)},
           {"beads", beads_.request()}});
}

void PsfCommand::run_on_beads(const Invocation& invocation) {
  InputOptions input;
  if (channel_) input.channel = parse_whole(*channel_, 0);
  if (is_pitch_given_) input.voxel_size = pitch_;
  require_new_image(output_, file_);
  beads_.require_valid(optics_.size, file_);
  Session session{run_, invocation};
  const double begin = invocation.clock.wall_seconds();
  add_inputs("image of beads", {beads_.stack()});
  const BeadsResult result =
      beads_.run(input, optics_.size, optics_.normalization, file_.overwrite, session.context());
  invocation.clock.watch().lap("beads");
  imageio::RunRecord record;
  record.inputs = files_.inputs().records(&session.pool(), &invocation.stop);
  const Extent3& e = result.average.mean.extent;
  write(result.average.mean, {e.z / 2, e.y / 2, e.x / 2}, result.pitch, provenance_of_beads(),
        session, invocation);
  beads_.write(result, file_, session.context());
  write_record(std::move(record), provenance_of_beads(), begin, invocation);
  beads_.print(result, output_, run_.json, invocation);
}

void PsfCommand::write(const Volume<float>& psf, const Index3& centre, const VoxelSize& pitch,
                       const std::string& provenance, Session& session,
                       const Invocation& invocation) const {
  imageio::ImageSpec spec = spec_on(pitch, psf.extent, PixelType::float32, file_);
  spec.format = imageio::format_of(output_, file_.format);
  spec.pool = &session.pool();
  spec.stop = &invocation.stop;
  spec.kernel_center = centre;
  spec.provenance = provenance;
  const auto held = reserve_writing(spec, session.context());
  const auto sink = imageio::create_image(output_, spec);
  const Extent3 one{1, spec.extent.y, spec.extent.x};
  invocation.console.begin("write", spec.extent.z);
  for (std::int64_t z = 0; z < spec.extent.z; ++z) {
    invocation.stop.check();
    sink->write(plane(spec.extent, z),
                ConstVoxelView{HostView3<const float>{psf.view().row(z, 0), one}});
    invocation.console.advance(1);
  }
  sink->close();
}

void PsfCommand::report(const simulator::Psf& psf, const Invocation& invocation) const {
  const double least = psf.captured[least_captured_plane(psf)];
  // Of three digits, and no negative zero
  const double focus_um = std::round((psf.focus_um - psf.origin_um) * 1000) / 1000 + 0.0;
  if (!run_.json)
    return print_summary(
        fmt::format("{}: {} float32, centre {}, focus at {:.3f} um; every plane contains at least "
                    "{:.1f} % of its light{}",
                    output_.string(), psf.voxels.extent, psf.centre, focus_um, 100 * least,
                    psf.plane_energies.empty() ? "" : ", dim planes excepted"));
  print_json(Json{{"output", output_.string()},
                  {"extent", json_of(psf.voxels.extent)},
                  {"center", json_of(psf.centre)},
                  {"origin_um", psf.origin_um},
                  {"focus_um", psf.focus_um},
                  {"captured", psf.captured},
                  {"run", invocation.clock.json()},
                  {"warnings", invocation.console.warnings()}});
}

}  // namespace

std::unique_ptr<Command> make_psf() {
  return std::make_unique<PsfCommand>();
}

}  // namespace synthoscope::tools
