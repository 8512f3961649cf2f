// SPDX-License-Identifier: MIT
// python/files/convolution_options.hpp — the options of `convolve_file`, equal to those of the
// command.
#pragma once
#include <nanobind/nanobind.h>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include "fftconv/kernel/image_convolution.hpp"
#include "imageio/create.hpp"

namespace synthoscope::python {

/// How the result is written where it is a file, and how the work is done.
struct FileChoices {
  fftconv::Strategy strategy = fftconv::Strategy::automatic;
  std::optional<std::int64_t> image, channel, frame;
  std::string axes;
  bool overwrite = false;
  imageio::FileFormat format = imageio::FileFormat::by_name;
  imageio::TiffFlavor flavor = imageio::TiffFlavor::ome;
  imageio::Compression compression = imageio::Compression::none;
  std::optional<Extent3> chunks;
  std::filesystem::path scratch;
};

/// Both read a dictionary that has a value for every option, by its name in Python; None means that
/// it was not given. @throws InvalidSpec  a value is not accepted.
fftconv::ImageConvolution asked_by(const nanobind::dict& options);
/// @param result  the file to make, or empty
FileChoices choices_of(const nanobind::dict& options, const std::string& result);

}  // namespace synthoscope::python
