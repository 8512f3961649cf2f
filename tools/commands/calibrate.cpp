// SPDX-License-Identifier: MIT
// Measures a camera from its own dark and flat frames, by photon transfer.
#include "simulator/calibration/calibrate.hpp"
#include <fmt/format.h>
#include <utility>
#include "core/base/json.hpp"
#include "imageio/output/atomic_file.hpp"
#include "simulator/calibration/calibration_page.hpp"
#include "simulator/calibration/camera_toml.hpp"
#include "simulator/detector/map_files.hpp"
#include "tools/commands/commands.hpp"
#include "tools/options/image.hpp"
#include "tools/options/rows.hpp"
#include "tools/options/run.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

/// Reads the frames of a file in order, whether the file calls them z or time.
class FramesOfFile final : public Source {
 public:
  FramesOfFile(const std::filesystem::path& path, const imageio::ImageInfo& info,
               imageio::OpenOptions options, const RunContext& context)
      : path_{path}, info_{info}, options_{std::move(options)}, context_{context} {}

  [[nodiscard]] Extent3 extent() const override {
    return {info_.frames * info_.extent.z, info_.extent.y, info_.extent.x};
  }
  [[nodiscard]] PixelType pixel_type() const override { return info_.type; }
  void read(const Box3& box, VoxelView out) override {
    // Whole frames, one at a time
    SYNTHOSCOPE_ASSERT(box.size.z, ==, std::int64_t{1});
    const std::int64_t frame = box.origin.z / info_.extent.z;
    if (!image_ || frame != open_) {
      if (info_.frames > 1) options_.frame = frame;
      image_.reset();
      image_ = open_counted(path_, options_, context_);
      open_ = frame;
    }
    Box3 within = box;
    within.origin.z -= frame * info_.extent.z;
    image_->source->read(within, out);
  }

 private:
  std::filesystem::path path_;
  imageio::ImageInfo info_;
  imageio::OpenOptions options_;
  const RunContext& context_;
  std::optional<CountedImage> image_;
  std::int64_t open_ = -1;
};

class Calibrate final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "calibrate"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Measures a camera from dark and flat frames. Finds gain, read noise, offset, "
           "saturation and differences between pixels by photon transfer, and writes a camera for "
           "detect and scenes.";
  }
  void describe(OptionTable& table) override {
    table.group("Frames");
    table.add(required(paths_row("darks", "FILES", darks_,
                                 "stacks of frames without light, each of one exposure")));
    table.add(
        required(paths_row("flats", "FILES", flats_,
                           "stacks of frames of an evenly lit field, each at one level of light")));
    table.add(
        {"dark-exposures", "T,T...", "not known", "s",
         "exposure of each dark; two different exposures are needed to measure the dark current",
         [this](std::string_view text) { dark_exposures_ = parse_reals(text); }});
    table.add({"flat-exposures", "T,T...", "not known", "s",
               "exposure of each flat, or one for all; different exposures with the same lamp show "
               "how linear the camera is",
               [this](std::string_view text) { flat_exposures_ = parse_reals(text); }});
    input_.describe_file(table);
    table.add(whole_row("channel", "N", input_.channel, 0, "the only one",
                        "channel of the files to use, from 0"));
    describe_limits(table, input_.limits);
    table.group("Camera");
    table.add(choice_row("kind", request_.kind, kMeasurable, "kind of camera"));
    table.add(real_row(
        "em-gain", "G", request_.em_gain, "", "none",
        "mean multiplication of an emccd; photon transfer cannot separate it from the gain"));
    table.add(real_row("quantum-efficiency", "Q", request_.quantum_efficiency,
                       "electrons per photon", "typical of the kind",
                       "value to store, because it cannot be measured from frames"));
    table.add(whole_row("bit-depth", "N", request_.bit_depth, 1, "from the counts",
                        "bits of the counts"));
    table.group("Result");
    table.add(
        required(lettered('o', path_row("output", "CAMERA.toml", output_, "camera to write"))));
    table.add(path_row("maps", "DIR", maps_,
                       "folder for maps of offset, gain, read noise and dark current; the camera "
                       "file then refers to them"));
    table.add(path_row("report", "OUT.html", report_,
                       "page with the photon transfer curve and the levels"));
    table.add(switch_row("overwrite", overwrite_, "replace output that exists"));
    run_.describe_for_one_stage(table);
  }

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override {
    files.add_input("dark", darks_);
    files.add_input("flat", flats_);
    files.add_output_file("camera", output_);
    files.add_output_file("page", report_);
    if (!maps_.empty())
      for (const auto& map : simulator::map_files(maps_, /*has_dark_map=*/false))
        files.add_output_file("map", map);
  }
  /// Before a frame is read.
  void require_outputs(const std::vector<std::filesystem::path>& inputs, bool has_dark_map);
  void report(const simulator::Calibration& found, const Console& console) const;

  static constexpr NameTable<simulator::CameraKind, 3> kMeasurable{
      {{simulator::CameraKind::scmos, "scmos"},
       {simulator::CameraKind::ccd, "ccd"},
       {simulator::CameraKind::emccd, "emccd"}}};

  std::vector<std::filesystem::path> darks_, flats_;
  std::vector<double> dark_exposures_, flat_exposures_;
  simulator::CalibrationRequest request_;
  std::filesystem::path output_, maps_, report_;
  bool overwrite_ = false;
  InputOptions input_;
  RunOptions run_;
};

/// What stacks are read from.
struct OpenStacks {
  std::vector<std::unique_ptr<Source>> sources;
  std::vector<std::filesystem::path> files;
};

/// The stacks of some files, kept open by `open`.
std::vector<simulator::NamedStack> stacks_of(const std::vector<std::filesystem::path>& paths,
                                             const std::vector<double>& exposures,
                                             std::string_view option, const InputOptions& input,
                                             const RunContext& context, OpenStacks& open) {
  if (!exposures.empty() && exposures.size() != 1 && exposures.size() != paths.size())
    throw InvalidSpec(fmt::format(
        "calibrate: --{}-exposures has {} values for {} stacks; give one each, or one of all",
        option, exposures.size(), paths.size()));
  for (const double seconds : exposures)
    if (!(seconds >= 0))
      throw InvalidSpec(
          fmt::format("calibrate: --{}-exposures holds {}, seconds are 0 or more; correct it",
                      option, seconds));
  std::vector<simulator::NamedStack> stacks;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const auto info = imageio::inspect_counted(paths[i], input.open_options(), context);
    open.sources.push_back(
        std::make_unique<FramesOfFile>(paths[i], info, input.open_options(), context));
    for (auto& file : files_of(paths[i], info)) open.files.push_back(std::move(file));
    simulator::NamedStack stack{paths[i].string(), open.sources.back().get()};
    if (!exposures.empty()) stack.exposure_seconds = exposures[exposures.size() == 1 ? 0 : i];
    stacks.push_back(std::move(stack));
  }
  return stacks;
}

void Calibrate::require_outputs(const std::vector<std::filesystem::path>& inputs,
                                bool has_dark_map) {
  std::vector<std::filesystem::path> outputs{output_};
  if (!report_.empty()) outputs.push_back(report_);
  if (!maps_.empty())
    for (auto& map : simulator::map_files(maps_, has_dark_map)) outputs.push_back(std::move(map));
  if (!maps_.empty() && has_dark_map) files_.add_output_file("map", outputs.back());
  add_inputs("image", inputs);
  for (const auto& output : outputs) require_new_output(output, overwrite_);
}

/// Maps are named from the folder of the camera that names them.
simulator::CameraSpec seen_from(simulator::CameraSpec camera,
                                const std::filesystem::path& camera_file) {
  const auto folder = std::filesystem::absolute(camera_file).parent_path();
  for (auto* map :
       {&camera.offset_map, &camera.gain_map, &camera.read_noise_map, &camera.dark_current_map})
    if (*map) *map = std::filesystem::absolute(**map).lexically_proximate(folder);
  return camera;
}

void Calibrate::run(const Invocation& invocation) {
  Session session{run_, invocation};
  const RunContext context = session.context();
  OpenStacks open;
  const auto darks = stacks_of(darks_, dark_exposures_, "dark", input_, context, open);
  const auto flats = stacks_of(flats_, flat_exposures_, "flat", input_, context, open);
  require_outputs(open.files, simulator::can_determine_dark_current(darks));
  simulator::Calibration found = calibrate(darks, flats, request_, context);
  files_.inputs().require_unchanged();
  for (const auto& warning : found.warnings) invocation.console.warn(warning);
  std::optional<simulator::MapFiles> map_files;
  if (!maps_.empty()) {
    map_files.emplace(found.maps, found.camera, maps_, overwrite_);
    found.camera = seen_from(map_files->camera(), output_);
    found.camera.dead_pixels = 0;  // the map of the gain has them
  }
  if (!report_.empty())
    imageio::write_file_atomically(report_, calibration_page(found), overwrite_);
  if (map_files) map_files->close();
  imageio::write_file_atomically(output_, camera_toml(found), overwrite_);
  invocation.console.finish();
  report(found, invocation.console);
}

Json json_of_figure(const simulator::Measured& figure) {
  return {{"value", figure.value}, {"error", figure.error}};
}

template <class T>
Json or_null(const std::optional<T>& value) {
  if (!value) return nullptr;
  if constexpr (std::is_same_v<T, double>)
    return *value;
  else
    return json_of_figure(*value);
}

void Calibrate::report(const simulator::Calibration& found, const Console& console) const {
  if (!run_.json)
    return print_summary(fmt::format("{}\n{}: camera of kind {}", calibration_text(found),
                                     output_.string(), name_in(kMeasurable, found.camera.kind)));
  Json levels = Json::array();
  for (const auto& point : found.points)
    levels.push_back({{"stack", point.name},
                      {"mean_dn", point.mean_dn},
                      {"signal_dn", point.signal_dn},
                      {"variance_dn2", point.variance_dn2},
                      {"variance_error_dn2", point.error_dn2},
                      {"drift_dn", point.drift_dn},
                      {"off_line", point.off_line},
                      {"left_out", point.left_out}});
  print_json(Json{{"output", output_.string()},
                  {"gain_dn_per_electron", json_of_figure(found.gain)},
                  {"read_noise_electrons", json_of_figure(found.read_noise)},
                  {"read_noise_spread", found.camera.read_noise_spread},
                  {"offset_dn", json_of_figure(found.offset)},
                  {"offset_spread_dn", found.offset_spread_dn},
                  {"gain_spread", found.response_spread},
                  {"dark_current_electrons_per_second", or_null(found.dark_current)},
                  {"saturation_dn", or_null(found.saturation_dn)},
                  {"nonlinearity", or_null(found.nonlinearity)},
                  {"dead_pixels", found.dead_pixels},
                  {"noisy_pixels", found.noisy_pixels},
                  {"hot_pixels", found.hot_pixels},
                  {"levels", std::move(levels)},
                  {"warnings", console.warnings()}});
}

}  // namespace

std::unique_ptr<Command> make_calibrate() {
  return std::make_unique<Calibrate>();
}

}  // namespace synthoscope::tools
