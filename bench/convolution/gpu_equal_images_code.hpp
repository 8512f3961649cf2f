// SPDX-License-Identifier: MIT
// bench/convolution/gpu_equal_images_code.hpp — device code of the wrapped convolution of two equal
// images by brute force and by DFT as a matrix product.
#pragma once

namespace synthoscope::bench {

/// Shapes of blocks, which the code below repeats.
inline constexpr long kBruteRows = 32, kBruteColumns = 64, kBruteTaps = 32, kBruteThreads = 128;
inline constexpr long kProductTile = 64, kProductThreads = 256;

inline constexpr const char* kEqualImagesCode = R"(
// A warp has 32 rows, one a lane, and 16 neighbouring results in each: rows lie four banks apart in
// shared memory, so that 16 bytes a lane come without conflict, and a window that slides along x
// stays in registers.
constexpr int kRows = 32, kColumns = 64, kTaps = 32, kThreads = 128, kRun = 16;
constexpr int kHeight = kRows + kTaps - 1, kWidth = kColumns + kTaps, kPitch = kWidth + 4;

// Adds rows [first, first + rows_each) of `b`, in this block's z, to sums[z][side][side]. 32 x 32
// products are summed in float32, their sums in float64.
__global__ void __launch_bounds__(kThreads, 4)
brute_force(const float* a, const float* b, int side, int rows_each, double* sums) {
  __shared__ __align__(16) float image[kHeight][kPitch];
  __shared__ __align__(16) float kernel[kTaps][kTaps];
  const int x0 = blockIdx.x * kColumns, y0 = blockIdx.y * kRows, mask = side - 1;
  const int lane = threadIdx.x % 32, strip = threadIdx.x / 32 * kRun;
  double total[kRun] = {};
  const int first = blockIdx.z * rows_each;
  for (int ky0 = first; ky0 < first + rows_each; ky0 += kTaps)
    for (int kx0 = 0; kx0 < side; kx0 += kTaps) {
      __syncthreads();
      for (int i = threadIdx.x; i < kHeight * kWidth; i += kThreads) {
        const int r = i / kWidth, c = i % kWidth;
        image[r][c] = a[(long long)((y0 - ky0 - (kTaps - 1) + r) & mask) * side +
                        ((x0 - kx0 - kTaps + c) & mask)];
      }
      for (int i = threadIdx.x; i < kTaps * kTaps; i += kThreads)
        kernel[i / kTaps][i % kTaps] =
            b[(long long)(ky0 + i / kTaps) * side + kx0 + i % kTaps];
      __syncthreads();
      float sum[kRun] = {};
      for (int ky = 0; ky < kTaps; ++ky) {
        const float* const row = image[lane - ky + kTaps - 1] + strip;
        float window[kTaps + kRun];
#pragma unroll
        for (int i = 0; i < kTaps + kRun; i += 4)
          *reinterpret_cast<float4*>(window + i) = *reinterpret_cast<const float4*>(row + i);
#pragma unroll
        for (int k = 0; k < kTaps; k += 4) {
          const float4 taps = *reinterpret_cast<const float4*>(kernel[ky] + k);
#pragma unroll
          for (int j = 0; j < kRun; ++j) {
            sum[j] = fmaf(taps.x, window[kTaps + j - k], sum[j]);
            sum[j] = fmaf(taps.y, window[kTaps + j - k - 1], sum[j]);
            sum[j] = fmaf(taps.z, window[kTaps + j - k - 2], sum[j]);
            sum[j] = fmaf(taps.w, window[kTaps + j - k - 3], sum[j]);
          }
        }
      }
#pragma unroll
      for (int j = 0; j < kRun; ++j) total[j] += sum[j];
    }
  double* const out = sums + ((long long)blockIdx.z * side + y0 + lane) * side + x0 + strip;
#pragma unroll
  for (int j = 0; j < kRun; ++j) out[j] = total[j];
}

__global__ void add_parts(const double* sums, int parts, long long count, float* out) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= count) return;
  double sum = 0;
  for (int part = 0; part < parts; ++part) sum += sums[part * count + i];
  out[i] = sum;
}

// exp(-2 pi i j k / n), or its conjugate
__global__ void fill_dft(float2* w, int n, double sign) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= (long long)n * n) return;
  double sine, cosine;
  sincospi(2.0 * (double)(i / n * (i % n) % n) / n, &sine, &cosine);
  w[i] = {(float)cosine, (float)(sign * sine)};
}

__global__ void to_complex(const float* real, float2* complex, long long count) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < count) complex[i] = {real[i], 0};
}

__global__ void multiply(float2* a, const float2* b, long long count) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= count) return;
  const float2 x = a[i], y = b[i];
  a[i] = {x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x};
}

__global__ void scaled_real(const float2* complex, float* real, long long count, float scale) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < count) real[i] = complex[i].x * scale;
}

// c = a b, square and complex, row by row; a block makes 64 x 64 of it, a thread 4 x 4.
constexpr int kTile = 64, kDepth = 16;
__global__ void __launch_bounds__(256, 2)
matrix_product(const float2* a, const float2* b, float2* c, int n) {
  __shared__ __align__(16) float2 left[kDepth][kTile + 2];  // transposed
  __shared__ __align__(16) float2 right[kDepth][kTile];
  const int x0 = blockIdx.x * kTile, y0 = blockIdx.y * kTile, thread = threadIdx.x;
  const int tx = thread % 16 * 2, ty = thread / 16 * 4;
  float2 sum[4][4] = {};
  for (int k0 = 0; k0 < n; k0 += kDepth) {
    __syncthreads();
    for (int i = thread; i < kDepth * kTile; i += 256) {
      left[i % kDepth][i / kDepth] = a[(long long)(y0 + i / kDepth) * n + k0 + i % kDepth];
      right[i / kTile][i % kTile] = b[(long long)(k0 + i / kTile) * n + x0 + i % kTile];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float2 l[4], r[4];
#pragma unroll
      for (int i = 0; i < 4; i += 2) {
        *reinterpret_cast<float4*>(l + i) = *reinterpret_cast<const float4*>(&left[k][ty + i]);
        *reinterpret_cast<float4*>(r + i) =
            *reinterpret_cast<const float4*>(&right[k][tx + 16 * i]);
      }
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          sum[i][j].x = fmaf(l[i].x, r[j].x, fmaf(-l[i].y, r[j].y, sum[i][j].x));
          sum[i][j].y = fmaf(l[i].x, r[j].y, fmaf(l[i].y, r[j].x, sum[i][j].y));
        }
    }
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j)
      c[(long long)(y0 + ty + i) * n + x0 + tx + j % 2 + j / 2 * 32] = sum[i][j];
}
)";

}  // namespace synthoscope::bench
