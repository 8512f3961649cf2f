// SPDX-License-Identifier: MIT
#include "python/simulate/simulate.hpp"
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include "core/base/error.hpp"
#include "jobs/plan/choose_machine.hpp"
#include "multigpu/make_executor.hpp"
#include "python/session/arrays.hpp"
#include "python/session/named.hpp"
#include "python/session/session.hpp"
#include "simulator/imaging/references.hpp"
#include "simulator/run/frame_maker.hpp"
#include "simulator/run/pipeline.hpp"
#include "simulator/simulation_files.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;
using simulator::FrameMaker;
using simulator::SceneSpec;

/// How the files of a folder are written, in the words of the command line.
struct FolderOptions {
  bool overwrite = false;
  std::string truth_layout, format, tiff_flavor, compression, gpus;
  std::optional<std::string> channel;
  std::optional<std::pair<std::int64_t, std::int64_t>> frames;
};

constexpr NameTable<imageio::FileFormat, 4> kFormatNames{{{imageio::FileFormat::tiff, "tiff"},
                                                          {imageio::FileFormat::hdf5, "hdf5"},
                                                          {imageio::FileFormat::zarr, "zarr"},
                                                          {imageio::FileFormat::zarr3, "zarr3"}}};

simulator::SimulateOptions options_of(const std::string& folder, const FolderOptions& asked) {
  simulator::SimulateOptions options;
  options.directory = folder;
  options.overwrite = asked.overwrite;
  options.layout = named(simulator::kTruthLayoutNames, "truth_layout", asked.truth_layout);
  options.format = named(kFormatNames, "format", asked.format);
  options.flavor = named(imageio::kTiffFlavorNames, "tiff_flavor", asked.tiff_flavor);
  options.compression = named(imageio::kCompressionNames, "compression", asked.compression);
  options.channel = asked.channel;
  if (asked.frames) options.frames = {asked.frames->first, asked.frames->second};
  return options;
}

/// What blurs the images of a scene: the host, or GPUs.
class Blur {
 public:
  /// @param gpus  none, auto, all or a list
  Blur(const SceneSpec& scene, const std::string& gpus, const simulator::SimulateOptions& options,
       const std::filesystem::path& scratch, const RunContext& context) {
    Stages stages;
    Stopwatch watch{stages};
    const jobs::GpuChoice choice = gpus_named(gpus);
    jobs::Workspace workspace{context, bytes_of_cuda(choice), watch};
    jobs::GpuInUse gpu{choice, workspace};
    const jobs::ChosenMachine chosen =
        choose_machine(workspace, gpu, options.fft, blurs_of(scene, options.channel, context.pool),
                       false, [&](const fftconv::Machine& machine) {
                         return plan_simulation(scene, machine, context, options);
                       });
    executor_ = multigpu::make_executor(chosen.machine, chosen.devices, scratch);
    if (!chosen.devices.empty()) device_ = chosen.devices.front();
    held_ = workspace.take_growth();
  }

  [[nodiscard]] fftconv::Executor& executor() const { return *executor_; }
  /// Returns the GPU that makes labels; none on the host.
  [[nodiscard]] const std::optional<cuda::DeviceInfo>& device() const { return device_; }

 private:
  std::unique_ptr<fftconv::Executor> executor_;
  std::optional<cuda::DeviceInfo> device_;
  std::vector<Reservation> held_;  ///< what CUDA takes of the host's memory
};

nb::dict simulate_to_folder(const SceneSpec& scene, const std::string& folder,
                            const FolderOptions& asked, std::optional<int> workers,
                            const std::optional<std::string>& memory, nb::object progress) {
  simulator::SimulateOptions options = options_of(folder, asked);
  imageio::RunFiles names;
  simulator::name_files(names, scene, {folder, options.channel});
  names.check();
  options.inputs = &names.inputs();
  Session session{workers, memory, std::move(progress)};
  const auto beside = std::filesystem::path{folder}.parent_path();
  simulator::SimulationReport done;
  session.run([&](const RunContext& context) {
    const Blur blur{scene, asked.gpus, options, beside.empty() ? "." : beside, context};
    options.device = blur.device();
    done = simulator::simulate(scene, options, blur.executor(), context);
  });
  nb::list files;
  for (const auto& file : done.files) files.append(file.string());
  nb::dict report;
  report["files"] = files;
  report["seed"] = done.seed;
  report["frames"] = done.frames;
  report["objects"] = done.objects;
  report["seconds"] = done.seconds;
  nb::dict stages;
  for (const auto& [stage, wall] : done.stages) stages[stage.c_str()] = wall;
  report["stages"] = stages;
  return report;
}

/// Makes frames in arrays, one at a time.
class ArrayFrames {
 public:
  ArrayFrames(const SceneSpec& scene, const simulator::FrameMakerOptions& options,
              const std::string& gpus, std::optional<int> workers,
              const std::optional<std::string>& memory, nb::object progress)
      : session_{workers, memory, std::move(progress)}, photons_{options.photons} {
    session_.run([&](const RunContext& context) {
      simulator::SimulateOptions planned;
      planned.channel = options.channel;
      blur_.emplace(scene, gpus, planned, std::filesystem::temp_directory_path(), context);
      maker_.emplace(scene, options, blur_->executor(), context);
    });
  }

  [[nodiscard]] const FrameMaker& maker() const { return *maker_; }

  /// Channel by channel: name, shape and type of what is recorded.
  [[nodiscard]] nb::list images() const {
    nb::list all;
    for (const auto& image : maker_->images()) {
      const auto& [z, y, x] = image.extent;
      all.append(
          nb::make_tuple(image.channel, nb::make_tuple(z, y, x), std::string{name_of(image.type)}));
    }
    return all;
  }

  std::pair<std::string, std::string> make(std::int64_t frame, const WrittenArray& labels,
                                           const std::optional<WrittenArray>& structures,
                                           const std::vector<WrittenArray>& images,
                                           const std::vector<WrittenArray>& photons) {
    simulator::FrameVoxels voxels{fitting(labels, "labels", extent(), PixelType::uint16), {}, {}};
    if (structures)
      voxels.structures = fitting(*structures, "structures", extent(), PixelType::uint8);
    const auto formats = maker_->images();
    require_count(images.size(), formats.size());
    if (photons_) require_count(photons.size(), formats.size());
    for (std::size_t i = 0; i < formats.size(); ++i) {
      voxels.images.push_back(
          {fitting(images[i], "image", formats[i].extent, formats[i].type), {}});
      if (photons_)
        voxels.images.back().photons = fitting(photons[i], "photons", extent(), PixelType::float32);
    }
    simulator::FrameTables tables;
    session_.run([&](const RunContext& context) { tables = maker_->make(frame, voxels, context); });
    return {tables.objects, tables.spots};
  }

  /// As warnings.
  void warn_of_saturation() {
    session_.run([&](const RunContext& context) { maker_->warn_of_saturation(context.log); });
  }

 private:
  [[nodiscard]] const Extent3& extent() const { return maker_->scene().grid.extent; }

  static void require_count(std::size_t found, std::size_t wanted) {
    if (found != wanted)
      throw InvalidSpec(fmt::format(
          "make a frame: {} arrays are given for {} images; give one for each", found, wanted));
  }
  static VoxelView fitting(const WrittenArray& array, const char* name, const Extent3& extent,
                           PixelType type) {
    const VoxelView view = view_of(array);
    if (view.extent() == extent && view.type() == type) return view;
    throw InvalidSpec(fmt::format("make a frame: {} has room for {} {}; it needs {} {}", name,
                                  view.extent(), view.type(), extent, type));
  }

  Session session_;
  std::optional<Blur> blur_;
  bool photons_;
  std::optional<FrameMaker> maker_;
};

}  // namespace

void add_simulate(nb::module_& module) {
  module.def(
      "simulate_to_folder",
      [](const SceneSpec& scene, const std::string& folder, bool overwrite,
         const std::string& truth_layout, const std::string& format, const std::string& tiff_flavor,
         const std::string& compression, const std::optional<std::string>& channel,
         const std::optional<std::pair<std::int64_t, std::int64_t>>& frames,
         const std::string& gpus, std::optional<int> workers,
         const std::optional<std::string>& memory, nb::object progress) {
        return simulate_to_folder(
            scene, folder,
            {overwrite, truth_layout, format, tiff_flavor, compression, gpus, channel, frames},
            workers, memory, std::move(progress));
      },
      nb::arg("scene"), nb::arg("folder"), nb::kw_only(), nb::arg("overwrite"),
      nb::arg("truth_layout"), nb::arg("format"), nb::arg("tiff_flavor"), nb::arg("compression"),
      nb::arg("channel").none(), nb::arg("frames").none(), nb::arg("gpus"),
      nb::arg("workers").none(), nb::arg("memory").none(), nb::arg("progress").none(),
      "Makes a data set in a folder.");

  nb::class_<ArrayFrames>(module, "FrameMaker", "Makes frames of a scene in arrays, in any order.")
      .def(
          "__init__",
          [](ArrayFrames* self, const SceneSpec& scene, const std::optional<std::string>& channel,
             bool photons, bool each_alone, const std::string& gpus, std::optional<int> workers,
             const std::optional<std::string>& memory, nb::object progress) {
            new (self) ArrayFrames{
                scene, {channel, photons, each_alone}, gpus, workers, memory, std::move(progress)};
          },
          nb::arg("scene"), nb::kw_only(), nb::arg("channel").none(), nb::arg("photons"),
          nb::arg("each_alone"), nb::arg("gpus"), nb::arg("workers").none(),
          nb::arg("memory").none(), nb::arg("progress").none())
      .def_prop_ro("frames", [](const ArrayFrames& self) { return self.maker().frames(); })
      .def_prop_ro("has_structures",
                   [](const ArrayFrames& self) { return self.maker().has_structures(); })
      .def_prop_ro("images", &ArrayFrames::images)
      .def("make", &ArrayFrames::make, nb::arg("frame"), nb::arg("labels").noconvert(),
           nb::arg("structures").noconvert().none(), nb::arg("images").noconvert(),
           nb::arg("photons").noconvert(),
           "Fills the arrays with a frame; returns its tables of objects and spots as CSV.")
      .def("warn_of_saturation", &ArrayFrames::warn_of_saturation,
           "Warns if cameras clipped voxels of the frames made so far.");
}

}  // namespace synthoscope::python
