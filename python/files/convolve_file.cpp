// SPDX-License-Identifier: MIT
#include "python/files/convolve_file.hpp"
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <functional>
#include "core/base/error.hpp"
#include "core/run/memory_budget.hpp"
#include "core/stream/memory_stream.hpp"
#include "jobs/convolve/convolve_run.hpp"
#include "python/files/array_stream.hpp"
#include "python/files/convolution_options.hpp"
#include "python/session/arrays.hpp"
#include "python/session/session.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;
using jobs::ConvolveJob;

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

class CallListener final : public jobs::ConvolveListener {
 public:
  [[nodiscard]] std::vector<std::string> command_line() const override {
    return {"synthoscope.convolve_file"};
  }
};

/// What CUDA takes of the host counts if it is used. Whatever else the interpreter holds is not
/// part of the memory of a call.
std::function<std::int64_t()> program_bytes(const ConvolveJob& job) {
  if (job.gpu.gpus == "none") return [] { return std::int64_t{0}; };
  return [before = anonymous_bytes()] { return anonymous_bytes() - before; };
}

jobs::ConvolveReport convolve(ConvolveJob& job, const Arrays& arrays, const RunContext& context) {
  warn_of_slowness(arrays.image, context.log);
  warn_of_slowness(arrays.result, context.log);
  jobs::require_certifiable(job);
  imageio::RunFiles files;
  name_files(job, files);
  files.check();
  if (arrays.result) choose_output_type(*arrays.result, job.asked);
  jobs::Workspace workspace{context, program_bytes(job)};
  jobs::ConvolveRun run{job, files, workspace};
  static_cast<void>(run.plan());
  return run.make(CallListener{});
}

/// The name of a file, or nothing.
std::string path_in(const nb::object& given) {
  return nb::isinstance<nb::str>(given) ? nb::cast<std::string>(given) : "";
}

nb::object dictionary_of(const std::optional<fftconv::Certificate>& certificate) {
  if (!certificate) return nb::none();
  nb::dict all;
  all["voxels"] = certificate->voxels;
  all["largest_error"] = certificate->largest_error;
  all["peak"] = certificate->peak;
  all["tolerance"] = certificate->tolerance;
  return all;
}

nb::dict dictionary_of(const jobs::ConvolveReport& done) {
  nb::dict report;
  report["shape"] = nb::make_tuple(done.extent.z, done.extent.y, done.extent.x);
  report["dtype"] = std::string{name_of(done.type)};
  report["clipped"] = done.clipped;
  report["strategy"] = std::string{name_of(done.strategy)};
  report["seconds"] = done.ran.seconds;
  report["certificate"] = dictionary_of(done.certificate);
  return report;
}

/// Arguments are names of files, or arrays. `options` has the options of the command, by name.
nb::dict convolve_file(const nb::object& image, const nb::object& kernel, const nb::object& result,
                       const nb::dict& options, std::optional<int> workers,
                       const std::optional<std::string>& memory, nb::object progress) {
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
  session.run([&](const RunContext& context) { done = convolve(job, arrays, context); });
  return dictionary_of(done);
}

}  // namespace

void add_convolve_file(nb::module_& module) {
  module.def("convolve_file", convolve_file, nb::arg("image"), nb::arg("kernel"), nb::arg("result"),
             nb::arg("options"), nb::arg("workers").none(), nb::arg("memory").none(),
             nb::arg("progress").none(), "Convolves an image that does not fit into memory.");
}

}  // namespace synthoscope::python
