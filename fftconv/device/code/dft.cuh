// SPDX-License-Identifier: MIT
// fftconv/device/code/dft.cuh — discrete Fourier transforms of a few points in registers.
#pragma once

namespace synthoscope::fftconv::device {

/// cos and sin of 2 pi k / N for k < N, from double precision.
template <int N>
struct Turns {
  float cosine[N] = {}, sine[N] = {};
  constexpr Turns() {
    for (int k = 0; k < N; ++k) {
      // In the first octant, where Taylor's series is at its best; thirteen terms are enough.
      const int folded = 2 * k > N ? N - k : k;                        // <= half a turn
      const int twice = 4 * folded > N ? N - 2 * folded : 2 * folded;  // of 2 N; <= a quarter
      const bool swap = 4 * twice > N;
      const double x = 3.14159265358979323846 * (swap ? 0.5 * N - twice : twice) / N;
      double c = 1, s = x, ct = 1, st = x;
      for (int i = 1; i < 13; ++i) {
        c += ct *= -x * x / ((2 * i - 1) * (2 * i));
        s += st *= -x * x / ((2 * i) * (2 * i + 1));
      }
      cosine[k] = static_cast<float>((4 * folded > N ? -1 : 1) * (swap ? s : c));
      sine[k] = static_cast<float>((2 * k > N ? -1 : 1) * (swap ? c : s));
    }
  }
};

template <int N>
__device__ constexpr Turns<N> kTurns;

__device__ __forceinline__ float2 operator+(float2 a, float2 b) {
  return {a.x + b.x, a.y + b.y};
}
__device__ __forceinline__ float2 operator-(float2 a, float2 b) {
  return {a.x - b.x, a.y - b.y};
}
__device__ __forceinline__ float2 times(float2 a, float2 b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
/// a times the conjugate of b.
__device__ __forceinline__ float2 times_conj(float2 a, float2 b) {
  return {a.x * b.x + a.y * b.y, a.y * b.x - a.x * b.y};
}

/// a exp(-Sign 2 pi i k / N); k is known when loops are unrolled, and eighths of a turn are free
/// or cheap.
template <int Sign, int N>
__device__ __forceinline__ float2 turned(float2 a, int k) {
  constexpr float h = 0.70710678118654752440f;
  k %= N;
  if (k == 0) return a;
  if (Sign < 0) k = N - k;
  if (4 * k == N) return {a.y, -a.x};
  if (2 * k == N) return {-a.x, -a.y};
  if (4 * k == 3 * N) return {-a.y, a.x};
  if (8 * k == N) return {h * (a.x + a.y), h * (a.y - a.x)};
  if (8 * k == 3 * N) return {h * (a.y - a.x), -h * (a.x + a.y)};
  if (8 * k == 5 * N) return {-h * (a.x + a.y), h * (a.x - a.y)};
  if (8 * k == 7 * N) return {h * (a.x - a.y), h * (a.x + a.y)};
  return {a.x * kTurns<N>.cosine[k] + a.y * kTurns<N>.sine[k],
          a.y * kTurns<N>.cosine[k] - a.x * kTurns<N>.sine[k]};
}

/// v[k] <- sum over m of v[m] exp(-Sign 2 pi i k m / R), in natural order.
///
/// Odd primes pair m with R - m (real and imaginary parts of the factors once each); composites
/// are cut in two (Cooley & Tukey 1965).
template <int Sign, int R>
__device__ __forceinline__ void dft(float2 (&v)[R]) {
  if constexpr (R == 2) {
    const float2 a = v[0];
    v[0] = a + v[1];
    v[1] = a - v[1];
  } else if constexpr (R == 3 || R == 5 || R == 7 || R == 11 || R == 13) {
    float2 sum[R / 2], difference[R / 2];
    const float2 first = v[0];
#pragma unroll
    for (int m = 1; m <= R / 2; ++m) {
      sum[m - 1] = v[m] + v[R - m];
      difference[m - 1] = v[m] - v[R - m];
      v[0] = v[0] + sum[m - 1];
    }
#pragma unroll
    for (int k = 1; k <= R / 2; ++k) {
      float2 even = first, odd = {0, 0};
#pragma unroll
      for (int m = 1; m <= R / 2; ++m) {
        const float c = kTurns<R>.cosine[k * m % R], s = Sign * kTurns<R>.sine[k * m % R];
        even = {even.x + c * sum[m - 1].x, even.y + c * sum[m - 1].y};
        odd = {odd.x + s * difference[m - 1].y, odd.y - s * difference[m - 1].x};
      }
      v[k] = even + odd;
      v[R - k] = even - odd;
    }
  } else if constexpr (R > 1) {
    constexpr int A = R % 4 == 0 && R > 8 ? 4
                      : R % 2 == 0        ? 2
                      : R % 3 == 0        ? 3
                      : R % 5 == 0        ? 5
                                          : 7;
    constexpr int B = R / A;
    static_assert(A * B == R, "radices are products of 2, 3, 5, 7, 11, 13");
    float2 inner[A][B];
#pragma unroll
    for (int b = 0; b < B; ++b) {
      float2 t[A];
#pragma unroll
      for (int a = 0; a < A; ++a) t[a] = v[b + B * a];
      dft<Sign>(t);
#pragma unroll
      for (int k = 0; k < A; ++k) inner[k][b] = turned<Sign, R>(t[k], k * b);
    }
#pragma unroll
    for (int k = 0; k < A; ++k) {
      dft<Sign>(inner[k]);
#pragma unroll
      for (int l = 0; l < B; ++l) v[k + A * l] = inner[k][l];
    }
  }
}

}  // namespace synthoscope::fftconv::device
