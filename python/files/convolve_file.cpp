// SPDX-License-Identifier: MIT
#include "python/files/convolve_file.hpp"
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/stream/memory_stream.hpp"
#include "core/stream/store_as.hpp"
#include "fftconv/host/executor.hpp"
#include "fftconv/kernel/image_convolution.hpp"
#include "fftconv/plan/file.hpp"
#include "imageio/formats.hpp"
#include "imageio/run/counted_image.hpp"
#include "imageio/run/new_output.hpp"
#include "imageio/run/provenance.hpp"
#include "imageio/run/run_files.hpp"
#include "python/files/array_stream.hpp"
#include "python/files/convolution_options.hpp"
#include "python/session/arrays.hpp"
#include "python/session/session.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;
using fftconv::ImageConvolution;

/// A file by its name, or an object that replaces it.
template <class Array>
struct Door {
  std::string path;            ///< empty: `array`
  std::optional<Array> array;  ///< kept alive by the caller of the work
  [[nodiscard]] bool is_file() const { return !array; }
};

/// A kernel lies in memory whole.
struct KernelArray {
  ReadArray voxels;
  MemorySource source;
  explicit KernelArray(ReadArray array) : voxels{array}, source{view_of(array)} {}
};

/// What a run works on.
struct Work {
  ImageConvolution asked;
  FileChoices files;
  Door<ArraySource> image;
  Door<KernelArray> kernel;
  Door<ArraySink> result;
};

/// What it did.
struct Done {
  Extent3 extent;
  PixelType type = PixelType::float32;
  std::int64_t clipped = 0;
  std::string strategy;
  double seconds = 0;
};

/// An image that is read: voxels, and what is known of them.
struct Opened {
  imageio::CountedImage file;  ///< where it is one
  Source* source = nullptr;
  std::string name;
};

template <class Array, class Voxels>
Opened open(Door<Array>& door, const char* name, const imageio::OpenOptions& options,
            const RunContext& context, Voxels&& voxels_of) {
  Opened opened;
  if (door.is_file()) {
    opened.file = open_counted(door.path, options, context);
    opened.source = opened.file.source.get();
    opened.name = door.path;
  } else {
    opened.source = voxels_of(*door.array);
    opened.name = name;
  }
  return opened;
}

/// The type of an array is what its owner chose.
void choose_output_type(const Door<ArraySink>& result, ImageConvolution& asked) {
  if (result.is_file()) return;
  const std::string_view own = name_of(result.array->pixel_type());
  const auto type = named_in(fftconv::kOutputTypeNames, own);
  const bool is_other =
      asked.output_type != fftconv::OutputType::automatic && asked.output_type != type;
  if (!type || is_other)
    throw InvalidSpec(fmt::format("convolve: the result's voxels are {}; give an array of {}", own,
                                  is_other ? name_in(fftconv::kOutputTypeNames, asked.output_type)
                                           : "uint8, uint16, int16, uint32, float32 or float64"));
  asked.output_type = *type;
}

void require_room(const Door<ArraySink>& result, const fftconv::Problem& problem) {
  if (result.is_file()) return;
  const Extent3 needed = output_extent(problem);
  if (const Extent3 there = result.array->extent(); there != needed)
    throw InvalidSpec(fmt::format("convolve: the result has room for {}; shape {} makes {}", there,
                                  name_of(problem.shape), needed));
}

/// @param files  has everything that is read
void require_new_file(const Work& work, imageio::RunFiles& files) {
  if (!work.result.is_file()) return;
  files.makes_image("result", work.result.path, work.files.format);
  files.check();
  imageio::require_new_image(work.result.path, work.files.format, work.files.overwrite);
}

imageio::ImageSpec spec_of(const Work& work, const imageio::ImageInfo& image,
                           const fftconv::Problem& problem, const RunContext& context) {
  imageio::ImageSpec spec;
  spec.extent = output_extent(problem);
  spec.type = output_type(work.asked, image.type);
  spec.z_um = image.z_um, spec.y_um = image.y_um, spec.x_um = image.x_um;
  spec.channel = image.channel;
  spec.flavor = work.files.flavor;
  spec.format = imageio::format_of(work.result.path, work.files.format);
  spec.chunks = work.files.chunks;
  spec.compression = work.files.compression;
  spec.overwrite = work.files.overwrite;
  spec.pool = &context.pool;
  spec.stop = &context.stop;
  spec.buffer_bytes = context.memory.limit() / 16;
  return spec;
}

/// Plans together with strips or chunks that are compressed at once, or one at a time if the memory
/// has no space for more.
fftconv::Plan plan_beside(imageio::ImageSpec& spec, const fftconv::Problem& problem,
                          const Work& work, const RunContext& context) {
  const auto plan_now = [&] {
    const std::int64_t held = work.result.is_file() ? imageio::buffered_bytes(spec) : 0;
    const std::int64_t left = context.memory.limit() - context.memory.used() - held;
    return plan_convolution(problem, {left, context.memory.limit() - left}, work.files.strategy);
  };
  if (!work.result.is_file() || imageio::buffered_bytes(spec) == 0) return plan_now();
  try {
    return plan_now();
  } catch (const PlanError&) {
    spec.buffer_bytes = 0;
    return plan_now();
  }
}

/// Closes `file` and writes its record.
void finish(imageio::ImageFile& file, const Work& work, const imageio::InputsAsRead& inputs,
            const imageio::ImageSpec& spec, const fftconv::Plan& plan,
            const fftconv::RunReport& ran) {
  file.build();
  imageio::RunRecord record;
  record.inputs = inputs.records(spec.stop);
  file.close();  // from here on nothing is interrupted
  record.command_line = {"synthoscope.convolve_file"};
  record.request_json = spec.provenance;
  record.plan_json = fftconv::to_json(plan);
  record.seconds = ran.seconds;
  record.stage_seconds = ran.stages;
  imageio::write_record(work.result.path, record, work.files.overwrite);
}

/// What takes long for want of memory.
template <class Array>
void warn_of_slowness(const Door<Array>& door, Log& log) {
  if (door.is_file()) return;
  if (const std::string said = door.array->slowness(); !said.empty()) log.warn(said);
}

Done convolve(Work& work, const RunContext& context) {
  warn_of_slowness(work.image, context.log);
  warn_of_slowness(work.result, context.log);
  // Look at both, and at all of the kernel
  imageio::RunFiles files;
  if (work.image.is_file()) files.reads("image", work.image.path);
  if (work.kernel.is_file()) files.reads("kernel", work.kernel.path);
  Opened image = open(work.image, "the image",
                      {.channel = work.files.channel,
                       .frame = work.files.frame,
                       .limits = {},
                       .image = work.files.image,
                       .axes = work.files.axes},
                      context, [](ArraySource& array) { return &array; });
  Opened kernel =
      open(work.kernel, "array", {}, context, [](KernelArray& array) { return &array.source; });
  image.file.info.extent = image.source->extent();
  image.file.info.type = image.source->pixel_type();
  if (work.image.is_file()) files.reads_image("image", work.image.path, image.file.info);
  if (work.kernel.is_file()) files.reads_image("kernel", work.kernel.path, kernel.file.info);
  require_new_file(work, files);
  choose_output_type(work.result, work.asked);
  warn_of_pitch_mismatch(image.file.info, kernel.file.info, context.log);
  const auto examined =
      examine_kernel({kernel.name, *kernel.source, kernel.file.info.kernel_center},
                     work.asked.kernel, context.stop, context.log);

  // Decide how to do it
  const BoxOrder stored = work.result.is_file()
                              ? imageio::order_of(work.files.format, work.files.compression)
                              : work.result.array->accepts();
  const auto problem =
      problem_of(work.asked, image.source->extent(), image.source->pixel_type(), examined, stored);
  require_room(work.result, problem);
  imageio::ImageSpec spec = spec_of(work, image.file.info, problem, context);
  const fftconv::Plan plan = plan_beside(spec, problem, work, context);
  spec.provenance = text_of(json_of(work.asked, examined, plan));

  // Do it
  Reservation strips;
  std::unique_ptr<imageio::ImageFile> file;
  if (work.result.is_file()) {
    strips = reserve_writing(spec, context);
    file = imageio::create_image(work.result.path, spec);
  }
  Sink& sink = file ? static_cast<Sink&>(*file) : *work.result.array;
  FiniteSource finite{*image.source, work.asked.non_finite, image.name};
  StoreAs store{spec.type};
  const fftconv::Term term{&finite, examined.kernel, {}};
  const auto executor = fftconv::make_host_executor({context.memory.limit()}, work.files.scratch);
  const auto ran = executor->run(plan, {&term, 1}, store, sink, context);
  if (work.asked.non_finite == NonFinite::zero && finite.met_any())
    context.log.warn(
        fmt::format("voxels of {} are NaN or infinite and were taken as 0", image.name));
  require_finite_result(work.asked, image.name, store.non_finite());
  if (file) {
    finish(*file, work, files.inputs(), spec, plan, ran);
  } else {
    files.inputs().require_unchanged();
    sink.close();
  }
  return {spec.extent, spec.type, store.clipped(), std::string{name_of(plan.strategy)},
          ran.seconds};
}

/// The name of a file, or nothing.
std::string path_in(const nb::object& given) {
  return nb::isinstance<nb::str>(given) ? nb::cast<std::string>(given) : "";
}

/// Arguments are names of files, or arrays; options are those of the command, by name.
nb::dict convolve_file(const nb::object& image, const nb::object& kernel, const nb::object& result,
                       const nb::dict& options, std::optional<int> workers,
                       const std::optional<std::string>& memory, nb::object progress) {
  Session session{workers, memory, std::move(progress)};
  Work work{asked_by(options),
            choices_of(options, path_in(result)),
            {path_in(image), {}},
            {path_in(kernel), {}},
            {path_in(result), {}}};
  if (work.image.path.empty())
    work.image.array.emplace(SlicedArray{image, "the image"}, session.memory());
  if (work.kernel.path.empty()) work.kernel.array.emplace(nb::cast<ReadArray>(kernel));
  if (work.result.path.empty())
    work.result.array.emplace(SlicedArray{result, "the result"}, session.memory());
  Done done;
  session.run([&](const RunContext& context) {
    done = convolve(work, context);
    if (done.clipped > 0)
      context.log.warn(fmt::format("{} of {} voxels were clipped to the range of {}", done.clipped,
                                   volume(done.extent), name_of(done.type)));
  });
  nb::dict report;
  report["shape"] = nb::make_tuple(done.extent.z, done.extent.y, done.extent.x);
  report["dtype"] = std::string{name_of(done.type)};
  report["clipped"] = done.clipped;
  report["strategy"] = done.strategy;
  report["seconds"] = done.seconds;
  return report;
}

}  // namespace

void add_convolve_file(nb::module_& module) {
  module.def("convolve_file", convolve_file, nb::arg("image"), nb::arg("kernel"), nb::arg("result"),
             nb::arg("options"), nb::arg("workers").none(), nb::arg("memory").none(),
             nb::arg("progress").none(), "Convolves what does not fit memory.");
}

}  // namespace synthoscope::python
