// SPDX-License-Identifier: MIT
#include "python/files/deconvolve_file.hpp"
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include "core/base/error.hpp"
#include "core/base/named_failure.hpp"
#include "jobs/deconvolve/camera_response.hpp"
#include "jobs/deconvolve/image_list.hpp"
#include "python/files/call_options.hpp"
#include "python/files/run_job.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/scene/file/scene_file.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;
using jobs::DeconvolveJob;
using simulator::ChannelCamera;

/// Needs the lock, and leaves out the stacks and a camera that is in a file.
DeconvolveJob deconvolution_of(const CallOptions& options) {
  using enum fftconv::KernelNormalization;
  DeconvolveJob job;
  job.method = options.named(jobs::kMethodNames, "method");
  if (const nb::object given = options["iterations"]; !given.is_none()) {
    job.iterations = options.whole_or_auto("iterations");
    job.finds_iterations = !job.iterations;
  }
  if (const nb::object given = options["noise_to_signal"]; !given.is_none())
    job.lambda = options.real("noise_to_signal");
  job.alpha = options.real("alpha");
  job.background = options.background("background");
  job.regularize = naming_failures(
      "regularize", [&] { return jobs::parse_regularization(options.text("regularize")); });
  job.edge = options.named(deconvolution::kEdgeNames, "edge");
  job.psf = kernel_use_of(options, {sum, none});
  job.opening = opening_of(options);
  job.file = file_choice_of(options);
  job.plan = plan_settings_of(options);
  job.gpu = gpus_named(options.text("gpus"));
  job.saving = {.resume = options.is_on("resume"),
                .every_seconds = options.real("checkpoint_every")};
  if (const nb::object optics = options["optics"]; !optics.is_none())
    job.optics = nb::cast<const simulator::SceneSpec&>(optics);
  job.certify = {.voxels = options.count("certify"), .seed = options.count("seed")};
  if (const nb::object camera = options["camera"]; nb::isinstance<ChannelCamera>(camera))
    job.camera = jobs::response_of(nb::cast<const ChannelCamera&>(camera).camera);
  return job;
}

/// The file of a camera, if a name is given.
std::filesystem::path camera_file_of(const CallOptions& options) {
  const nb::object camera = options["camera"];
  return nb::isinstance<nb::str>(camera) ? nb::cast<std::string>(camera) : "";
}

void require_light(const std::optional<PixelType>& of_array) {
  if (of_array && *of_array != PixelType::float32)
    throw InvalidSpec(fmt::format(
        "deconvolve: the result's voxels are {}; give an array of float32", name_of(*of_array)));
}

/// A list of names if there are several images.
std::vector<jobs::Stack> images_in(const nb::object& given, const jobs::Stack& first) {
  if (!nb::isinstance<nb::list>(given)) return {first};
  std::vector<jobs::Stack> images;
  for (const std::string& name : nb::cast<std::vector<std::string>>(given))
    images.push_back({name});
  return images;
}

/// What was done to an image, and how long it took.
struct Done {
  jobs::DeconvolveReport report;
  Stages stages;
  double seconds = 0;
};

nb::dict dictionary_of(const Done& of_image) {
  const jobs::DeconvolveReport& done = of_image.report;
  const jobs::Prepared& prepared = done.prepared;
  nb::dict report;
  report["shape"] = tuple_of(done.extent);
  report["iterations"] = done.found.iterations;
  report["log_likelihoods"] = done.found.log_likelihoods;
  nb::list search;
  for (const deconvolution::SearchRound& round : done.found.rounds)
    search.append(nb::make_tuple(round.iterations, round.best));
  report["search"] = search;
  report["search_end"] = done.search_end;
  report["noise_to_signal"] = done.prepared.lambda;
  report["in_gpu_memory"] = done.on_device;
  report["background"] = prepared.background;
  report["negative_voxels"] = prepared.unusable.negative;
  report["saturated_voxels"] = prepared.unusable.saturated;
  report["psf_center"] = tuple_of(prepared.psf_center);
  report["psf_depths"] = prepared.psfs;
  report["psf_sum"] = prepared.psf_sum;
  report["psf_negative_voxels"] = prepared.psf_negative;
  report["certificate"] = done.certificate;  // JSON
  report["was_finished"] = done.was_finished;
  report["scratch_files"] = done.in_files;
  report["seconds"] = done.seconds;
  put_times(of_image.stages, of_image.seconds, report);
  return report;
}

/// @returns a dictionary for each image
nb::list deconvolve_file(const nb::object& image, const nb::object& psf, const nb::object& result,
                         const nb::dict& options, const char* function, std::optional<int> workers,
                         const std::optional<std::string>& memory, nb::object progress) {
  Stages stages;
  Stopwatch watch{stages};
  Session session{workers, memory, std::move(progress)};
  const CallOptions asked{options, "deconvolve"};
  DeconvolveJob job = deconvolution_of(asked);
  const nb::object first = nb::isinstance<nb::list>(image) ? nb::object{image[0]} : image;
  GivenStacks given{first, psf, result, "deconvolve", session.memory()};
  given.put_into(job);
  require_light(given.result_type());
  const auto place =
      nb::isinstance<nb::list>(image) ? jobs::ResultPlace::folder : jobs::ResultPlace::file;
  jobs::ImageList images{
      job, images_in(image, job.image), place, {.camera = camera_file_of(asked)}};
  std::vector<Done> done;
  session.run([&](const RunContext& context) {
    given.warn_of_slowness(context.log);
    imageio::RunFiles files;
    images.name_files(files);
    files.check();
    images.begin();
    images.for_each({context, bytes_of_cuda(job.gpu), watch, CallListener{function}},
                    [&](const jobs::ImageInTurn& one) {
                      static_cast<void>(one.run.plan());
                      const auto report = one.run.make(one.listener);
                      done.push_back({report, one.watch.stages(), one.watch.total()});
                    });
  });
  nb::list reports;
  for (const Done& one : done) reports.append(dictionary_of(one));
  return reports;
}

}  // namespace

void add_deconvolve_file(nb::module_& module) {
  module.def("deconvolve_file", deconvolve_file, nb::arg("image"), nb::arg("psf"),
             nb::arg("result"), nb::arg("options"), nb::arg("function"), nb::arg("workers").none(),
             nb::arg("memory").none(), nb::arg("progress").none(),
             "Finds the light that most likely made an image.");
}

}  // namespace synthoscope::python
