// SPDX-License-Identifier: MIT
#include "python/convolution_options.hpp"
#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include "core/error.hpp"
#include "imageio/image_name.hpp"
#include "python/named.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;
using fftconv::ImageConvolution;

using Center = std::variant<std::string, std::tuple<std::int64_t, std::int64_t, std::int64_t>>;

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

constexpr NameTable<imageio::FileFormat, 3> kFormatNames{{{imageio::FileFormat::by_name, "auto"},
                                                          {imageio::FileFormat::tiff, "tiff"},
                                                          {imageio::FileFormat::hdf5, "hdf5"}}};

/// The argument is there, or not.
template <class Value>
void take(const nb::dict& options, const char* name, Value&& assign) {
  if (options.contains(name) && !nb::object(options[name]).is_none())
    assign(nb::object(options[name]));
}

}  // namespace

ImageConvolution asked_by(const nb::dict& options) {
  ImageConvolution asked;
  const auto text = [&](const char* name) { return nb::cast<std::string>(options[name]); };
  asked.shape =
      chosen(fftconv::shape_named(text("shape")), "shape", text("shape"), "same, full, valid");
  asked.boundary = chosen(boundary_named(text("boundary")), "boundary", text("boundary"),
                          "zero, nearest, reflect, mirror, wrap");
  asked.precision = chosen(fftconv::precision_named(text("precision")), "precision",
                           text("precision"), "single, double");
  asked.output_type = named(fftconv::kOutputTypeNames, "output_type", text("output_type"));
  asked.non_finite = named(kNonFiniteNames, "nan", text("nan"));
  asked.kernel.normalization = normalization_of(text("normalize_kernel"));
  asked.kernel.correlate = nb::cast<bool>(options["correlate"]);
  take(options, "kernel_background", [&](const nb::object& rule) {
    asked.kernel.background = fftconv::parse_background(nb::cast<std::string>(nb::str(rule)));
  });
  take(options, "kernel_center", [&](const nb::object& center) {
    asked.kernel.center = center_of(nb::cast<Center>(center));
  });
  return asked;
}

FileChoices choices_of(const nb::dict& options, const std::string& result) {
  FileChoices files;
  const auto text = [&](const char* name) { return nb::cast<std::string>(options[name]); };
  files.strategy = chosen(fftconv::strategy_named(text("strategy")), "strategy", text("strategy"),
                          "auto, in-core, ring, tiles, parts, direct, separable");
  files.overwrite = nb::cast<bool>(options["overwrite"]);
  files.format = named(kFormatNames, "format", text("format"));
  files.flavor = named(imageio::kTiffFlavorNames, "tiff_flavor", text("tiff_flavor"));
  files.compression = named(imageio::kCompressionNames, "compression", text("compression"));
  take(options, "channel", [&](const nb::object& n) { files.channel = nb::cast<std::int64_t>(n); });
  take(options, "frame", [&](const nb::object& n) { files.frame = nb::cast<std::int64_t>(n); });
  take(options, "chunks", [&](const nb::object& sizes) {
    const auto [z, y, x] = nb::cast<std::tuple<std::int64_t, std::int64_t, std::int64_t>>(sizes);
    files.chunks = Extent3{z, y, x};
  });
  files.scratch = imageio::file_of(result).parent_path();
  if (!result.empty() && files.scratch.empty()) files.scratch = ".";
  take(options, "scratch",
       [&](const nb::object& folder) { files.scratch = nb::cast<std::string>(folder); });
  return files;
}

}  // namespace synthoscope::python
