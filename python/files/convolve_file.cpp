// SPDX-License-Identifier: MIT
#include "python/files/convolve_file.hpp"
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include "core/base/error.hpp"
#include "jobs/convolve/convolve_run.hpp"
#include "python/files/call_options.hpp"
#include "python/files/run_job.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;
using fftconv::ImageConvolution;
using jobs::ConvolveJob;

ImageConvolution asked_by(const CallOptions& options) {
  using enum fftconv::KernelNormalization;
  ImageConvolution asked;
  asked.shape = options.chosen(fftconv::shape_named, "shape", "same, full, valid");
  asked.boundary =
      options.chosen(boundary_named, "boundary", "zero, nearest, reflect, mirror, wrap");
  asked.precision = options.chosen(fftconv::precision_named, "precision", "single, double");
  asked.output_type = options.named(fftconv::kOutputTypeNames, "output_type");
  asked.non_finite = options.named(kNonFiniteNames, "nan");
  asked.kernel = kernel_use_of(options, {none, sum, peak});
  asked.kernel.correlate = options.is_on("correlate");
  return asked;
}

std::optional<fftconv::FftLibrary> certifier_named(std::string_view name) {
  if (name == "fftw") return fftconv::FftLibrary::fftw;
  if (name == "cufft") return fftconv::FftLibrary::cufft;
  return std::nullopt;
}

/// Needs the lock, and leaves out the stacks.
ConvolveJob job_of(const CallOptions& options) {
  ConvolveJob job;
  job.asked = asked_by(options);
  job.opening = opening_of(options);
  job.file = file_choice_of(options);
  job.plan = plan_settings_of(options);
  job.gpu = gpus_named(options.text("gpus"));
  job.resume.resume = job.resume.keeps = options.is_on("resume");
  job.certify.voxels = options.count("certify");
  if (const auto by = options.taken<std::string>("certify_by", "the name of a library")) {
    job.certify.by = options.chosen(certifier_named, "certify_by", "fftw, cufft");
    require_here(*job.certify.by, "convolve: certify by '" + *by + "'", "--certify N");
  }
  job.certify.seed = options.count("seed");
  return job;
}

/// The type of an array is what its owner chose.
void choose_output_type(PixelType of_array, ImageConvolution& asked) {
  const std::string_view own = name_of(of_array);
  const auto type = named_in(fftconv::kOutputTypeNames, own);
  const bool is_other =
      asked.output_type != fftconv::OutputType::automatic && asked.output_type != type;
  if (!type || is_other)
    throw InvalidSpec(fmt::format("convolve: the result's voxels are {}; give an array of {}", own,
                                  is_other ? name_in(fftconv::kOutputTypeNames, asked.output_type)
                                           : "uint8, uint16, int16, uint32, float32 or float64"));
  asked.output_type = *type;
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

nb::dict dictionary_of(const jobs::ConvolveReport& done, const Stopwatch& watch) {
  nb::dict report;
  report["shape"] = tuple_of(done.extent);
  report["dtype"] = std::string{name_of(done.type)};
  report["clipped"] = done.clipped;
  report["strategy"] = std::string{name_of(done.strategy)};
  report["fft"] = done.ran.fft.empty() ? nb::none() : nb::cast(done.ran.fft);
  report["seconds"] = done.ran.seconds;
  put_times(watch, report);
  report["certificate"] = dictionary_of(done.certified.by_sums, "largest_error");
  report["certified"] = dictionary_of(done.certified.by_library, "largest_difference");
  return report;
}

nb::dict convolve_file(const nb::object& image, const nb::object& kernel, const nb::object& result,
                       const nb::dict& options, std::optional<int> workers,
                       const std::optional<std::string>& memory, nb::object progress) {
  Stages stages;
  Stopwatch watch{stages};
  Session session{workers, memory, std::move(progress)};
  ConvolveJob job = job_of({options, "convolve"});
  GivenStacks given{image, kernel, result, "convolve", session.memory()};
  given.put_into(job);
  jobs::require_certifiable(job);
  if (const auto type = given.result_type()) choose_output_type(*type, job.asked);
  jobs::ConvolveReport done;
  session.run([&](const RunContext& context) {
    imageio::RunFiles files;
    name_files(job, files);
    done =
        run_job<jobs::ConvolveRun>(job, given, files, "synthoscope.convolve_file", watch, context);
  });
  return dictionary_of(done, watch);
}

}  // namespace

void add_convolve_file(nb::module_& module) {
  module.def("convolve_file", convolve_file, nb::arg("image"), nb::arg("kernel"), nb::arg("result"),
             nb::arg("options"), nb::arg("workers").none(), nb::arg("memory").none(),
             nb::arg("progress").none(), "Convolves an image that does not fit into memory.");
}

}  // namespace synthoscope::python
