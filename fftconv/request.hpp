// SPDX-License-Identifier: MIT
// fftconv/request.hpp — a convolution as a request: plain structs with defaults.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>
#include "core/stream/stream.hpp"
#include "core/volume/boundary.hpp"
#include "core/volume/box.hpp"

namespace synthoscope::fftconv {

/// `same`: the image's extent. `full`: every voxel the kernel reaches, image + kernel - 1.
/// `valid`: where the kernel lies wholly inside, image - kernel + 1.
enum class Shape { same, full, valid };
enum class Precision { float32, float64 };
enum class Strategy { automatic, in_core, ring, tiles, parts, direct, separable };

std::string_view name_of(Shape shape);
std::string_view name_of(Precision precision);
std::string_view name_of(Strategy strategy);
std::optional<Shape> shape_named(std::string_view name);
std::optional<Precision> precision_named(std::string_view name);
std::optional<Strategy> strategy_named(std::string_view name);

/// Bytes of the widest voxel that a file may hold: slabs are sized for it.
inline constexpr std::int64_t kMaxVoxelBytes = 8;

/// Everything that determines a plan; it holds no voxels.
///
///     convolve:   h[o] = sum_k f[o + c - k] g[k]
///     correlate:  h[o] = sum_k f[o - c + k] g[k]
///
/// with c = center; f is extended by `boundary`.
struct Problem {
  Extent3 image, kernel;
  Index3 center;  ///< kernel voxel that lies on the output voxel; inside the kernel
  Boundary boundary = Boundary::zero;
  Shape shape = Shape::same;
  /// Part of the result that is made, as if it were the whole; all of an axis where its size is 0.
  Box3 part;
  bool correlate = false;
  Precision precision = Precision::float32;
  /// Subtract the mean from the image, and add its response to the result: for kernels whose sum
  /// nearly cancels, whose small result rounding would hide otherwise. Only for one unweighted
  /// term.
  bool remove_mean = false;
  std::int64_t terms = 1;
  /// No term has weights along z, so that sums over the kernel can replace transforms.
  bool may_sum = false;
  /// The kernel is the product of weights along its axes (kernels/correlate/product.hpp).
  bool is_product = false;
  BoxOrder order = BoxOrder::any;  ///< that the result's sink accepts
  /// Bytes of a voxel on disk, for the cost of reading and writing; 0 if voxels are made on demand.
  std::int64_t image_voxel_bytes = 4, result_voxel_bytes = 4;
  /// Bytes of a voxel in memory, at most, in the types of image, kernel and sink.
  std::int64_t source_voxel_bytes = kMaxVoxelBytes, kernel_voxel_bytes = kMaxVoxelBytes,
               sink_voxel_bytes = kMaxVoxelBytes;
  // Sources and epilogues that work on a GPU (core/stream/device_stream.hpp)
  bool image_made_on_gpu = false;     ///< the GPU makes the image; not for frequency parts
  std::int64_t gpu_stream_bytes = 0;  ///< their memory on the GPU, at most
  /// Bytes of a voxel of the second output that the GPU makes (planes/second_output_sink.hpp).
  std::int64_t second_voxel_bytes = 0;
  friend bool operator==(const Problem&, const Problem&) = default;
};

/// @throws InvalidSpec  an extent is not positive, the centre lies outside the kernel, `full` with
///                      a boundary other than zero, `valid` with a kernel larger than the image,
///                      `part` does not lie in the result.
void require_valid(const Problem& problem);

/// Returns the extent of the result. @throws InvalidSpec  as require_valid.
Extent3 output_extent(const Problem& problem);

/// A kernel with the weights scale * (voxel - background).
struct Kernel {
  Source* voxels = nullptr;
  double background = 0, scale = 1;
};

/// One summand: kernel * (weight(z) image). All terms of a request share one Problem.
struct Term {
  Source* image = nullptr;
  Kernel kernel;
  std::vector<double> weight_z;  ///< one per image plane; empty means 1 everywhere
};

}  // namespace synthoscope::fftconv
