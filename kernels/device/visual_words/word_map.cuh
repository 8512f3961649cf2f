// SPDX-License-Identifier: MIT
// kernels/device/visual_words/word_map.cuh — finds the nearest word of every voxel: features in
// registers, words through shared memory; what float32 cannot decide is decided in double, as
// NearestWord does.
#pragma once
#include "kernels/body/word_margin.hpp"
#include "kernels/device/banks/scaled_responses.cuh"
#include "kernels/device/visual_words/word_map_arguments.hpp"

namespace synthoscope::kernels::device {

/// The best scores of a voxel so far.
struct BestWord {
  float best = __int_as_float(0x7F800000), second = best;  // infinity
  int word = 0;

  __device__ void meet(float score, int k) {
    const float worse = score > best ? score : best;
    second = worse < second ? worse : second;
    if (score < best) {
      best = score;
      word = k;
    }
  }
};

/// Returns the nearest word by the arithmetic of the host: no multiply-add is fused.
template <int kFeatures>
__device__ int nearest_in_double(const float (&x)[kFeatures], const WordMapArguments& a) {
  double least = __longlong_as_double(0x7FF0000000000000LL);  // infinity
  int nearest = 0;
  for (int k = 0; k < a.size; ++k) {
    double sum = 0;
#pragma unroll
    for (int f = 0; f < kFeatures; ++f) {
      const double apart = static_cast<double>(x[f]) - a.centroids[k * kFeatures + f];
      sum = __dadd_rn(sum, __dmul_rn(apart, apart));
    }
    if (sum < least) {
      least = sum;
      nearest = k;
    }
  }
  return nearest;
}

template <int kFeatures>
__device__ void read_features(const WordMapArguments& a, Count i, float (&x)[kFeatures]) {
  const float gain = gain_of_voxel(a.responses + i, a.count, kFeatures, a.scale);
#pragma unroll
  for (int f = 0; f < kFeatures; ++f) x[f] = __fmul_rn(gain, a.responses[f * a.count + i]);
}

template <class Word, int kFeatures>
__global__ void __launch_bounds__(kWordThreads) nearest_word(const WordMapArguments a) {
  constexpr int kVoxels = word_voxels(kFeatures);
  constexpr int kPadded = (kFeatures + 3) / 4 * 4;  // vectors of four
  constexpr int kTogether = 8192 / kPadded;         // words in shared memory at once
  __shared__ float4 words[kTogether * kPadded / 4];
  __shared__ float halves[kTogether];

  const Count first =
      static_cast<Count>(blockIdx.x) * (kWordThreads * kVoxels) + static_cast<int>(threadIdx.x);
  float x[kVoxels][kPadded] = {};
  float norm[kVoxels] = {};
  BestWord best[kVoxels];
#pragma unroll
  for (int v = 0; v < kVoxels; ++v) {
    float features[kFeatures];
    const Count i = first + v * kWordThreads;
    read_features(a, i < a.count ? i : a.count - 1, features);
#pragma unroll
    for (int f = 0; f < kFeatures; ++f) {
      x[v][f] = features[f] - a.middle[f];
      norm[v] += x[v][f] * x[v][f];
    }
  }

  for (int begin = 0; begin < a.size; begin += kTogether) {
    const int count = a.size - begin < kTogether ? a.size - begin : kTogether;
    __syncthreads();
    for (int i = threadIdx.x; i < count * kPadded; i += kWordThreads) {
      const int w = i / kPadded, f = i % kPadded;
      reinterpret_cast<float*>(words)[i] =
          f < kFeatures ? a.words[(begin + w) * kFeatures + f] : 0.0F;
    }
    for (int i = threadIdx.x; i < count; i += kWordThreads) halves[i] = a.halves[begin + i];
    __syncthreads();
    for (int w = 0; w < count; ++w) {
      float score[kVoxels];
#pragma unroll
      for (int v = 0; v < kVoxels; ++v) score[v] = halves[w];
#pragma unroll
      for (int f = 0; f < kPadded; f += 4) {
        const float4 c = words[(w * kPadded + f) / 4];
#pragma unroll
        for (int v = 0; v < kVoxels; ++v) {
          score[v] -= c.x * x[v][f];
          score[v] -= c.y * x[v][f + 1];
          score[v] -= c.z * x[v][f + 2];
          score[v] -= c.w * x[v][f + 3];
        }
      }
#pragma unroll
      for (int v = 0; v < kVoxels; ++v) best[v].meet(score[v], begin + w);
    }
  }

#pragma unroll
  for (int v = 0; v < kVoxels; ++v) {
    const Count i = first + v * kWordThreads;
    if (i >= a.count) continue;
    int word = best[v].word;
    const float margin = word_margin(kFeatures, norm[v], best[v].best, a.largest);
    // The comparison is false if either is NaN
    if (!(best[v].second - best[v].best > margin)) {
      float features[kFeatures];
      read_features(a, i, features);
      word = nearest_in_double(features, a);
    }
    static_cast<Word*>(a.out)[i] = static_cast<Word>(word);
  }
}

}  // namespace synthoscope::kernels::device
