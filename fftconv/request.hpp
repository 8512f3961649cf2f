// SPDX-License-Identifier: MIT
// fftconv/request.hpp — what is to be convolved, in plain structs with defaults.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>
#include "core/stream/stream.hpp"
#include "core/volume/boundary.hpp"

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
inline constexpr std::int64_t kLargestVoxel = 8;

/// Everything that decides a plan, and nothing that needs voxels.
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
  bool correlate = false;
  Precision precision = Precision::float32;
  /// Take a constant out of the image before and put its response back after: for kernels whose
  /// sum nearly cancels, where rounding would otherwise drown the small result. One unweighted
  /// term only.
  bool remove_mean = false;
  std::int64_t terms = 1;
  /// Sums over the kernel may be taken instead of transforms: no term has weights along z.
  bool may_sum = false;
  bool is_product =
      false;  ///< the kernel is one of weights along its axes (kernels/correlate/product.hpp)
  BoxOrder order = BoxOrder::any;  ///< what the result's sink accepts
  /// Bytes of a voxel on disk, for what reading and writing cost; 0 for one that is made on demand.
  std::int64_t image_voxel_bytes = 4, result_voxel_bytes = 4;
  /// Bytes of a voxel in memory, at most: as image and kernel give it, and as the sink takes it.
  std::int64_t source_voxel_bytes = kLargestVoxel, kernel_voxel_bytes = kLargestVoxel,
               sink_voxel_bytes = kLargestVoxel;
  /// On a GPU sources and epilogues work too (core/stream/device_stream.hpp).
  bool image_made_on_gpu = false;     ///< its voxels do not travel; not in frequency parts
  std::int64_t gpu_stream_bytes = 0;  ///< memory of sources and epilogues there, at most
  /// Bytes that a GPU makes of a result voxel, to be stored with it (second_output_sink.hpp).
  std::int64_t second_voxel_bytes = 0;
  friend bool operator==(const Problem&, const Problem&) = default;
};

/// @throws InvalidSpec  an extent is not positive, the centre lies outside the kernel, `full` with
///                      a boundary other than zero, `valid` with a kernel larger than the image.
void require_valid(const Problem& problem);

/// Extent of the result. @throws InvalidSpec as require_valid.
Extent3 output_extent(const Problem& problem);

/// How a kernel is read: voxel -> scale * (voxel - background).
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
