// SPDX-License-Identifier: MIT
// fftconv/kernel/image_convolution.hpp — what is asked for where images are convolved: all that
// determines voxels, and none of what is done about it.
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

/// automatic: float where the input or the result's scale is, else the image's own type.
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

/// For the record of a result: what was asked for, with the kernel as it turned out.
Json json_of(const ImageConvolution& asked, const ExaminedKernel& kernel);

/// The same, with all that changes voxels in a plan: equal records mean equal files.
Json json_of(const ImageConvolution& asked, const ExaminedKernel& kernel, const Plan& plan);

/// Judges a result in which so many voxels are NaN or infinite. @param image  its name, for people
/// @throws InvalidInput  there are some, and none were to be propagated
void require_finite_result(const ImageConvolution& asked, std::string_view image,
                           std::int64_t non_finite);

}  // namespace synthoscope::fftconv
