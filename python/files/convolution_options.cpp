// SPDX-License-Identifier: MIT
#include "python/files/convolution_options.hpp"
#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <typeinfo>
#include "core/base/error.hpp"
#include "python/session/named.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;
using fftconv::ImageConvolution;

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
  if (const auto folder = taken<std::string>(options, "scratch", "the name of a folder"))
    job.plan.scratch = *folder;
  job.gpu.gpus = text_in(options, "gpus");
  if (job.gpu.gpus.empty())
    throw InvalidSpec("no GPU is named; give auto, none, all or a list such as '0,2'");
  job.resume.resume = job.resume.keeps = switch_in(options, "resume");
  job.certify.voxels = count_in(options, "certify");
  job.certify.seed = count_in(options, "seed");
  return job;
}

}  // namespace synthoscope::python
