// SPDX-License-Identifier: MIT
// fftconv/kernel/image_convolution.hpp — the request for a convolution of images: everything that
// determines the voxels of the result.
#pragma once
#include <cstdint>
#include <string_view>
#include "core/base/json_fwd.hpp"
#include "core/base/names.hpp"
#include "core/stream/finite_source.hpp"
#include "core/stream/stream.hpp"
#include "fftconv/kernel/use.hpp"
#include "fftconv/plan.hpp"

namespace synthoscope::fftconv {

/// automatic: float64 in double precision; otherwise the image's type, if it is an integer type and
/// the kernel is divided by its sum; otherwise float32.
enum class OutputType { automatic, same, uint8, uint16, int16, uint32, float32, float64 };
inline constexpr NameTable<OutputType, 8> kOutputTypeNames{{
    {OutputType::automatic, "auto"},
    {OutputType::same, "same"},
    {OutputType::uint8, "uint8"},
    {OutputType::uint16, "uint16"},
    {OutputType::int16, "int16"},
    {OutputType::uint32, "uint32"},
    {OutputType::float32, "float32"},
    {OutputType::float64, "float64"},
}};

struct ImageConvolution {
  Boundary boundary = Boundary::zero;
  Shape shape = Shape::same;
  Precision precision = Precision::float32;
  OutputType output_type = OutputType::automatic;
  NonFinite non_finite = NonFinite::refuse;
  KernelUse kernel;
};

/// Returns the pixel type of the result of an image of type `image`.
PixelType output_type(const ImageConvolution& asked, PixelType image);

/// @param stored  the boxes that the result's sink takes
Problem problem_of(const ImageConvolution& asked, const Extent3& image, PixelType type,
                   const ExaminedKernel& kernel, BoxOrder stored);

/// Returns the request for the record of a result, with the examined kernel.
Json json_of(const ImageConvolution& asked, const ExaminedKernel& kernel);

/// As above, with everything of the plan that can change voxels: equal records mean equal files.
Json json_of(const ImageConvolution& asked, const ExaminedKernel& kernel, const Plan& plan);

/// Refuses a result with NaN or infinite voxels. @param image  name of the image, for the message
/// @throws InvalidInput  `non_finite` is not 0, and `asked` does not propagate such voxels
void require_finite_result(const ImageConvolution& asked, std::string_view image,
                           std::int64_t non_finite);

}  // namespace synthoscope::fftconv
