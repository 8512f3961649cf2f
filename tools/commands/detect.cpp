// SPDX-License-Identifier: MIT
// Records a stack of photons as a camera would: the third phase alone.
#include <fmt/format.h>
#include "core/base/json.hpp"
#include "core/base/stopwatch.hpp"
#include "core/base/version.hpp"
#include "core/stream/carry.hpp"
#include "fftconv/plan/gpu/cost.hpp"
#include "imageio/formats.hpp"
#include "imageio/run/provenance.hpp"
#include "simulator/base/carry_on_device.hpp"
#include "simulator/detector/camera.hpp"
#include "simulator/detector/camera_arguments.hpp"
#include "simulator/detector/ignored_keys.hpp"
#include "simulator/detector/map_files.hpp"
#include "simulator/scene/file/inputs.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "tools/commands/commands.hpp"
#include "tools/options/image.hpp"
#include "tools/options/rows.hpp"
#include "tools/options/run.hpp"
#include "tools/options/scene.hpp"
#include "tools/options/work.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

class Detect final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "detect"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Records photons as a camera would. The image contains the expected photons per pixel "
           "and exposure.";
  }
  void describe(OptionTable& table) override {
    table.add_argument(required(
        path_row("IMAGE", "", image_, "stack of expected photons per pixel and exposure")));
    table.group("Result");
    table.add(required(
        lettered('o', path_row("output", "OUT", output_, "file to write, such as out.ome.tif"))));
    table.add(required(path_row("camera", "CAMERA.toml", camera_,
                                "file of a camera, or of the scene with this camera")));
    table.add(seed_row(seed_, "random, and recorded; the seed of a scene is not used"));
    table.add(whole_row("exposure", "N", exposure_, 0, "0",
                        "number of the recording, from 0: each has its own noise, and frame N of a "
                        "data set is recording N; the exposure time is camera.exposure_seconds"));
    table.add(path_row("maps", "DIR", maps_,
                       "folder for the maps of the camera, generated or read: offset, gain, read "
                       "noise and, if it varies, dark current"));
    table.add(
        {"camera-channel", "NAME", "the first", "",
         "name of the channel whose camera and noise are used, for scenes with several channels",
         [this](std::string_view text) { camera_channel_ = std::string{text}; }});
    input_.describe(table);
    file_.describe(table);
    gpu_.describe(table);
    run_.describe_for_one_stage(table);
  }

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override {
    files.add_input("image", image_);
    files.add_input("camera", camera_);
    files.add_output_image("result", output_, file_.format);
    if (!maps_.empty())
      for (const auto& map : simulator::map_files(maps_, /*has_dark_map=*/false))
        files.add_output_file("map", map);
  }
  /// Returns whether an available GPU should record `image`, whose data take `bytes` of memory.
  [[nodiscard]] bool is_for_gpu(std::int64_t bytes, const simulator::CameraEpilogue& camera,
                                Source& image, const RunContext& context) const;
  [[nodiscard]] bool is_soon_done_without_gpu(const simulator::CameraSpec& camera,
                                              const Extent3& extent, int threads) const;
  /// Before the camera's maps are read.
  void require_outputs(const simulator::CameraSpec& camera, const imageio::ImageInfo& image);
  void report(const simulator::CameraReport& seen, const imageio::ImageSpec& spec,
              const Invocation& invocation) const;

  std::filesystem::path image_, output_, camera_, maps_;
  std::optional<std::int64_t> seed_;
  std::optional<std::uint32_t> exposure_;
  std::optional<std::string> camera_channel_;
  InputOptions input_;
  FileOptions file_;
  GpuOptions gpu_;
  RunOptions run_;
};

/// Only what determines the voxels: equal requests give equal files.
std::string provenance(const simulator::CameraSpec& camera, std::int64_t seed,
                       std::int64_t exposure, std::uint32_t channel) {
  simulator::SceneSpec scene;
  scene.camera = camera;
  const Json all = parse_json(simulator::to_json(scene));
  Json record{{"program", "synthoscope"}, {"version", kVersion},
              {"command", "detect"},      {"seed", seed},
              {"exposure", exposure},     {"camera", all.at("camera")}};
  if (channel > 0) record["channel"] = channel;
  return text_of(record);
}

/// One sentence if photons were farther below 0 than the rounding of a blur; else empty.
std::string negative_light_of(const simulator::CameraReport& report) {
  constexpr float kRounding = 0.01F;  // photons, which no count shows
  if (report.most_negative_photons >= -kRounding) return {};
  return fmt::format(
      "{} pixels have fewer than 0 photons (lowest: {:.4g}) and were recorded as dark; detect "
      "needs expected photons, such as photons.ome.tif of a data set: do not subtract a "
      "background, and do not give camera counts",
      report.negative_photons, report.most_negative_photons);
}

bool Detect::is_soon_done_without_gpu(const simulator::CameraSpec& camera, const Extent3& extent,
                                      int threads) const {
  // Pixels that a thread records in a second, as docs/benchmarks/gpu-simulate.md has them
  const bool is_slow =
      camera.kind == simulator::CameraKind::emccd || camera.kind == simulator::CameraKind::counting;
  const double rate = is_slow ? 4.5e6 : 2.4e7;
  return gpu_.is_automatic() && static_cast<double>(volume(extent)) / (rate * threads) <=
                                    fftconv::device::kGpuStartSeconds;
}

bool Detect::is_for_gpu(std::int64_t bytes, const simulator::CameraEpilogue& camera, Source& image,
                        const RunContext& context) const {
  const StreamFormat made = camera.format(image.extent());
  const auto plane = simulator::device::carried_plane(image, made);
  const std::int64_t needed =
      plane.device + simulator::device::camera_bytes(camera.maps().values());
  if (needed > bytes && !gpu_.is_automatic())
    throw OutOfDeviceMemory(fmt::format(
        "record {} on the GPU: a plane needs {} of its memory, its budget is {}; give --gpu-memory "
        "{} or more, or --gpus none",
        image_.string(), print_bytes(needed), print_bytes(bytes), size_of_at_least(needed)));
  return needed <= bytes &&
         (!gpu_.is_automatic() || plane.host <= context.memory.limit() - context.memory.used());
}

void Detect::require_outputs(const simulator::CameraSpec& camera, const imageio::ImageInfo& image) {
  simulator::SceneSpec scene;
  scene.camera = camera;
  files_.add_input("map of the camera", input_files_of(scene));
  std::vector<std::filesystem::path> maps;
  if (!maps_.empty()) maps = simulator::map_files(maps_, camera.has_dark_map());
  if (!maps_.empty() && camera.has_dark_map()) files_.add_output_file("map", maps.back());
  add_input_image("image", image_, image);
  for (const auto& map : maps) require_new_output(map, file_.overwrite);
  require_new_image(output_, file_);
}

void Detect::run(const Invocation& invocation) {
  if (!seed_) seed_ = drawn_seed();
  Session session{run_, invocation};
  const RunContext context = session.context();
  const auto [camera, channel, name, channels] = simulator::read_camera(camera_, camera_channel_);
  files_.finish_input(camera_);
  if (!camera_channel_ && channels > 1)
    invocation.console.warn(
        fmt::format("detect: {} has {} channels, and the camera and the noise are those of {}, the "
                    "first; choose another with --camera-channel",
                    camera_.string(), channels, name));
  if (const auto idle = simulator::warning_of_ignored_keys(camera); !idle.empty())
    invocation.console.warn(idle);
  imageio::OpenOptions opening = input_.open_options();
  opening.digests = &files_.inputs().digests();
  const CountedImage image = open_counted(image_, opening, context);
  require_outputs(camera, image.info);
  Stopwatch& watch = invocation.clock.watch();
  watch.lap("open files");
  jobs::GpuInUse gpu{gpu_, session.workspace()};
  const cuda::DeviceInfo* const device =
      is_soon_done_without_gpu(camera, image.info.extent, session.pool().threads()) ? nullptr
                                                                                    : gpu.device();
  if (device)
    session.workspace().count_growth();  // what CUDA takes of the host, before maps are promised
  const auto maps = context.memory.reserve(
      simulator::camera_map_bytes(camera, image.info.extent.y, image.info.extent.x),
      "the camera's maps");
  MemoryBudget gpu_memory{device ? gpu.memory_bytes() : 0, 0, "--gpu-memory"};
  simulator::CameraEpilogue epilogue{
      camera,
      {static_cast<std::uint64_t>(*seed_), exposure_.value_or(0), channel},
      image.info.extent};

  const StreamFormat format = epilogue.format(image.info.extent);
  auto spec = spec_like(image.info, format.extent, format.type, file_);
  if (spec.y_um) *spec.y_um *= camera.binning;
  if (spec.x_um) *spec.x_um *= camera.binning;
  spec.provenance = provenance(camera, *seed_, exposure_.value_or(0), channel);
  spec.format = imageio::format_of(output_, file_.format);
  spec.pool = &session.pool();
  spec.stop = &context.stop;
  spec.buffer_bytes = context.memory.limit() / 16;
  const auto strips = reserve_writing(spec, context);
  std::optional<simulator::MapFiles> map_files;
  if (!maps_.empty()) map_files.emplace(epilogue.maps(), camera, maps_, file_.overwrite);
  const bool on_gpu = device && is_for_gpu(gpu_memory.limit(), epilogue, *image.source, context);
  watch.lap("plan");
  const double begin = invocation.clock.wall_seconds();
  const auto sink = imageio::create_image(output_, spec);
  watch.lap("create file");
  if (on_gpu)
    simulator::device::carry_on_device("camera", *image.source, epilogue, *sink,
                                       {*device, gpu_memory}, context);
  else
    carry("camera", *image.source, epilogue, *sink, context);
  watch.lap("camera");
  sink->build();
  watch.lap("finish file");
  imageio::RunRecord record;
  record.inputs = files_.inputs().records(&context.pool, &context.stop);
  watch.lap("hash inputs");
  sink->close();
  if (map_files) map_files->close();
  watch.lap("sync");
  for (const auto& text :
       {saturation_warning(epilogue.report()), negative_light_of(epilogue.report())})
    if (!text.empty()) invocation.console.warn(text);

  record.command_line = invocation.command_line;
  record.request_json = spec.provenance;
  record.seconds = invocation.clock.wall_seconds() - begin;
  record.stage_seconds = watch.stages();
  record.warnings = invocation.console.warnings();
  imageio::write_record(output_, record, file_.overwrite);
  invocation.console.finish();
  watch.lap("record");
  report(epilogue.report(), spec, invocation);
}

void Detect::report(const simulator::CameraReport& seen, const imageio::ImageSpec& spec,
                    const Invocation& invocation) const {
  if (!run_.json)
    return print_summary(fmt::format("{}: {} {}, seed {}", output_.string(), spec.extent,
                                     name_of(spec.type), *seed_));
  print_json(Json{{"output", output_.string()},
                  {"extent", json_of(spec.extent)},
                  {"type", name_of(spec.type)},
                  {"seed", *seed_},
                  {"camera", json_of(seen)},
                  {"run", invocation.clock.json()},
                  {"warnings", invocation.console.warnings()}});
}

}  // namespace

std::unique_ptr<Command> make_detect() {
  return std::make_unique<Detect>();
}

}  // namespace synthoscope::tools
