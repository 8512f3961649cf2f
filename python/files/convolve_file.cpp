// SPDX-License-Identifier: MIT
#include "python/files/convolve_file.hpp"
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <typeinfo>
#include "core/base/error.hpp"
#include "core/run/memory_budget.hpp"
#include "core/stream/memory_stream.hpp"
#include "jobs/convolve/convolve_run.hpp"
#include "python/files/array_stream.hpp"
#include "python/session/arrays.hpp"
#include "python/session/named.hpp"
#include "python/session/session.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;
using fftconv::ImageConvolution;
using jobs::ConvolveJob;

using Sizes = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
using Center = std::variant<std::string, Sizes>;

fftconv::KernelNormalization normalization_of(const std::string& name) {
  using fftconv::KernelNormalization;
  for (const auto rule :
       {KernelNormalization::none, KernelNormalization::sum, KernelNormalization::peak})
    if (name_of(rule) == name) return rule;
  throw InvalidSpec(fmt::format("normalize_kernel is '{}'; use one of none, sum, peak", name));
}

std::variant<fftconv::CenterRule, Index3> center_of(const Center& center) {
  if (const auto* voxel = std::get_if<1>(&center))
    return Index3{std::get<0>(*voxel), std::get<1>(*voxel), std::get<2>(*voxel)};
  const auto& name = std::get<std::string>(center);
  if (const auto rule = fftconv::center_rule_named(name)) return *rule;
  throw InvalidSpec(fmt::format(
      "kernel_center is '{}'; use scipy, middle, peak, centroid, or a voxel as (z, y, x)", name));
}

template <class Choice>
Choice chosen(std::optional<Choice> choice, const char* argument, const std::string& name,
              const char* choices) {
  if (choice) return *choice;
  throw InvalidSpec(fmt::format("{} is '{}'; use one of {}", argument, name, choices));
}

/// @param what  for people: "a str"
template <class Value>
Value cast_or_refuse(const nb::handle& given, const char* name, const char* what) try {
  return nb::cast<Value>(given);
} catch (const std::bad_cast&) {
  throw InvalidSpec(fmt::format("convolve: {} is {}; give {}", name,
                                nb::cast<std::string>(nb::repr(given)), what));
}

std::string text_in(const nb::dict& options, const char* name) {
  return cast_or_refuse<std::string>(options[name], name, "a str");
}

bool switch_in(const nb::dict& options, const char* name) {
  return cast_or_refuse<bool>(options[name], name, "True or False");
}

/// None where it was not given.
template <class Value>
std::optional<Value> taken(const nb::dict& options, const char* name, const char* what) {
  const nb::object given = options[name];
  if (given.is_none()) return std::nullopt;
  return cast_or_refuse<Value>(given, name, what);
}

ImageConvolution asked_by(const nb::dict& options) {
  ImageConvolution asked;
  const auto text = [&](const char* name) { return text_in(options, name); };
  asked.shape =
      chosen(fftconv::shape_named(text("shape")), "shape", text("shape"), "same, full, valid");
  asked.boundary = chosen(boundary_named(text("boundary")), "boundary", text("boundary"),
                          "zero, nearest, reflect, mirror, wrap");
  asked.precision = chosen(fftconv::precision_named(text("precision")), "precision",
                           text("precision"), "single, double");
  asked.output_type = named(fftconv::kOutputTypeNames, "output_type", text("output_type"));
  asked.non_finite = named(kNonFiniteNames, "nan", text("nan"));
  asked.kernel.normalization = normalization_of(text("normalize_kernel"));
  asked.kernel.correlate = switch_in(options, "correlate");
  if (const nb::object rule = options["kernel_background"]; !rule.is_none())
    asked.kernel.background = fftconv::parse_background(nb::cast<std::string>(nb::str(rule)));
  if (const auto center = taken<Center>(options, "kernel_center", "a name or a voxel (z, y, x)"))
    asked.kernel.center = center_of(*center);
  return asked;
}

jobs::FileChoice file_choice_of(const nb::dict& options) {
  jobs::FileChoice file;
  file.overwrite = switch_in(options, "overwrite");
  file.format = named(imageio::kFileFormatNames, "format", text_in(options, "format"));
  file.flavor = named(imageio::kTiffFlavorNames, "tiff_flavor", text_in(options, "tiff_flavor"));
  file.compression =
      named(imageio::kCompressionNames, "compression", text_in(options, "compression"));
  if (const auto sizes = taken<Sizes>(options, "chunks", "three whole numbers (z, y, x)"))
    file.chunks = Extent3{std::get<0>(*sizes), std::get<1>(*sizes), std::get<2>(*sizes)};
  return file;
}

imageio::OpenOptions opening_of(const nb::dict& options) {
  return {.channel = taken<std::int64_t>(options, "channel", "a whole number"),
          .frame = taken<std::int64_t>(options, "frame", "a whole number"),
          .limits = {},
          .image = taken<std::int64_t>(options, "image_number", "a whole number"),
          .axes = taken<std::string>(options, "axes", "letters such as 'TZYX'").value_or("")};
}

std::int64_t count_in(const nb::dict& options, const char* name) {
  const auto count = cast_or_refuse<std::int64_t>(options[name], name, "a whole number");
  if (count < 0)
    throw InvalidSpec(fmt::format("convolve: {} is {}; give a whole number from 0", name, count));
  return count;
}

/// Objects in place of files: they are kept alive by the caller.
struct Arrays {
  std::optional<ArraySource> image;
  std::optional<ReadArray> kernel_voxels;  ///< they lie in memory whole
  std::optional<MemorySource> kernel;
  std::optional<ArraySink> result;
};

/// The type of an array is what its owner chose.
void choose_output_type(const ArraySink& result, fftconv::ImageConvolution& asked) {
  const std::string_view own = name_of(result.pixel_type());
  const auto type = named_in(fftconv::kOutputTypeNames, own);
  const bool is_other =
      asked.output_type != fftconv::OutputType::automatic && asked.output_type != type;
  if (!type || is_other)
    throw InvalidSpec(fmt::format("convolve: the result's voxels are {}; give an array of {}", own,
                                  is_other ? name_in(fftconv::kOutputTypeNames, asked.output_type)
                                           : "uint8, uint16, int16, uint32, float32 or float64"));
  asked.output_type = *type;
}

/// What takes long for want of memory.
template <class Array>
void warn_of_slowness(const std::optional<Array>& array, Log& log) {
  if (!array) return;
  if (const std::string said = array->slowness(); !said.empty()) log.warn(said);
}

class CallListener final : public jobs::JobListener {
 public:
  [[nodiscard]] std::vector<std::string> command_line() const override {
    return {"synthoscope.convolve_file"};
  }
};

jobs::ConvolveReport convolve(ConvolveJob& job, const Arrays& arrays, Stopwatch& watch,
                              const RunContext& context) {
  warn_of_slowness(arrays.image, context.log);
  warn_of_slowness(arrays.result, context.log);
  jobs::require_certifiable(job);
  imageio::RunFiles files;
  name_files(job, files);
  files.check();
  if (arrays.result) choose_output_type(*arrays.result, job.asked);
  jobs::Workspace workspace{context, bytes_of_cuda(job.gpu), watch};
  jobs::ConvolveRun run{job, files, workspace};
  static_cast<void>(run.plan());
  return run.make(CallListener{});
}

/// The name of a file, or nothing.
std::string path_in(const nb::object& given) {
  return nb::isinstance<nb::str>(given) ? nb::cast<std::string>(given) : "";
}

std::optional<fftconv::FftLibrary> certifier_named(std::string_view name) {
  if (name == "fftw") return fftconv::FftLibrary::fftw;
  if (name == "cufft") return fftconv::FftLibrary::cufft;
  return std::nullopt;
}

nb::object dictionary_of(const std::optional<fftconv::Certificate>& certificate,
                         const char* name_of_error) {
  if (!certificate) return nb::none();
  nb::dict all;
  all["voxels"] = certificate->voxels;
  all["by"] = certificate->by;
  all[name_of_error] = certificate->largest_error;
  all["peak"] = certificate->peak;
  all["tolerance"] = certificate->tolerance;
  return all;
}

nb::dict dictionary_of(const Stages& stages) {
  nb::dict seconds;
  for (const auto& [stage, wall] : stages) seconds[stage.c_str()] = wall;
  return seconds;
}

nb::dict dictionary_of(const jobs::ConvolveReport& done, const Stopwatch& watch) {
  nb::dict report;
  report["shape"] = nb::make_tuple(done.extent.z, done.extent.y, done.extent.x);
  report["dtype"] = std::string{name_of(done.type)};
  report["clipped"] = done.clipped;
  report["strategy"] = std::string{name_of(done.strategy)};
  report["fft"] = done.ran.fft.empty() ? nb::none() : nb::cast(done.ran.fft);
  report["seconds"] = done.ran.seconds;
  report["wall_seconds"] = watch.total();
  report["stages"] = dictionary_of(watch.stages());
  report["certificate"] = dictionary_of(done.certified.by_sums, "largest_error");
  report["certified"] = dictionary_of(done.certified.by_library, "largest_difference");
  return report;
}

/// Arguments are names of files, or arrays. `options` has the options of the command, by name.
nb::dict convolve_file(const nb::object& image, const nb::object& kernel, const nb::object& result,
                       const nb::dict& options, std::optional<int> workers,
                       const std::optional<std::string>& memory, nb::object progress) {
  Stages stages;
  Stopwatch watch{stages};
  Session session{workers, memory, std::move(progress)};
  ConvolveJob job = job_of(options, {path_in(image), path_in(kernel), path_in(result)});
  Arrays arrays;
  if (job.image.file.empty()) {
    arrays.image.emplace(SlicedArray{image, "the image"}, session.memory());
    job.image = {{}, &*arrays.image, "the image"};
  }
  if (job.kernel.file.empty()) {
    arrays.kernel_voxels.emplace(nb::cast<ReadArray>(kernel));
    arrays.kernel.emplace(view_of(*arrays.kernel_voxels));
    job.kernel = {{}, &*arrays.kernel, "array"};
  }
  if (job.output.empty())
    job.sink = &arrays.result.emplace(SlicedArray{result, "the result"}, session.memory());
  jobs::ConvolveReport done;
  session.run([&](const RunContext& context) { done = convolve(job, arrays, watch, context); });
  return dictionary_of(done, watch);
}

}  // namespace

jobs::ConvolveJob job_of(const nb::dict& options, const ConvolvedFiles& files) {
  jobs::ConvolveJob job;
  job.image.file = files.image;
  job.kernel.file = files.kernel;
  job.output = files.result;
  job.asked = asked_by(options);
  job.opening = opening_of(options);
  job.file = file_choice_of(options);
  const std::string strategy = text_in(options, "strategy");
  job.plan.strategy = chosen(fftconv::strategy_named(strategy), "strategy", strategy,
                             "auto, in-core, ring, tiles, parts, direct, separable");
  if (const auto fft = taken<std::string>(options, "fft", "the name of a library")) {
    job.plan.fft =
        chosen(fftconv::fft_library_named(*fft), "fft", *fft, "own, fftw, fftw-measured, cufft");
    require_here(*job.plan.fft, "convolve: use the transforms of '" + *fft + "'");
  }
  if (const auto folder = taken<std::string>(options, "scratch", "the name of a folder"))
    job.plan.scratch = *folder;
  job.gpu = gpus_named(text_in(options, "gpus"));
  job.resume.resume = job.resume.keeps = switch_in(options, "resume");
  job.certify.voxels = count_in(options, "certify");
  if (const auto by = taken<std::string>(options, "certify_by", "the name of a library")) {
    job.certify.by = chosen(certifier_named(*by), "certify_by", *by, "fftw, cufft");
    require_here(*job.certify.by, "convolve: certify by '" + *by + "'", "--certify N");
  }
  job.certify.seed = count_in(options, "seed");
  return job;
}

void add_convolve_file(nb::module_& module) {
  module.def("convolve_file", convolve_file, nb::arg("image"), nb::arg("kernel"), nb::arg("result"),
             nb::arg("options"), nb::arg("workers").none(), nb::arg("memory").none(),
             nb::arg("progress").none(), "Convolves an image that does not fit into memory.");
}

}  // namespace synthoscope::python
