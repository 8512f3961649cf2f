// SPDX-License-Identifier: MIT
#include "bench/words/naive_words.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include "core/base/as_index.hpp"
#include "kernels/banks/filter_banks.hpp"

namespace synthoscope::bench {
namespace {

using kernels::BankAnswer;
using kernels::BankGroup;
using kernels::Stencil;

constexpr std::int64_t kRadius = 24, kSize = 49;

/// The image and kRadius voxels around it, reflected.
struct Padded {
  std::int64_t rows, columns;
  std::vector<float> voxels;

  explicit Padded(const Volume<float>& image)
      : rows{image.extent.y + 2 * kRadius},
        columns{image.extent.x + 2 * kRadius},
        voxels(as_index(rows * columns)) {
    const auto inside = [](std::int64_t i, std::int64_t n) {
      return i < 0 ? -1 - i : i >= n ? 2 * n - 1 - i : i;
    };
    for (std::int64_t y = 0; y < rows; ++y)
      for (std::int64_t x = 0; x < columns; ++x)
        voxels[as_index(y * columns + x)] =
            image.voxels[as_index(inside(y - kRadius, image.extent.y) * image.extent.x +
                                  inside(x - kRadius, image.extent.x))];
  }
};

std::vector<float> filtered_direct(const Padded& image, const Stencil& filter) {
  const std::int64_t rows = image.rows - 2 * kRadius, columns = image.columns - 2 * kRadius;
  const std::vector<float> weights(filter.weights.begin(), filter.weights.end());
  std::vector<float> result(as_index(rows * columns));
  for (std::int64_t y = 0; y < rows; ++y)
    for (std::int64_t x = 0; x < columns; ++x) {
      float sum = 0;
      for (std::int64_t j = 0; j < kSize; ++j)
        for (std::int64_t i = 0; i < kSize; ++i)
          sum += weights[as_index(j * kSize + i)] *
                 image.voxels[as_index((y + j) * image.columns + x + i)];
      result[as_index(y * columns + x)] = sum;
    }
  return result;
}

std::vector<float> filtered_separable(const Padded& image, const Stencil& filter) {
  const std::int64_t rows = image.rows - 2 * kRadius, columns = image.columns - 2 * kRadius;
  std::vector<float> result(as_index(rows * columns)), between(as_index(rows * image.columns));
  const kernels::SeparableStencil products = kernels::as_sum_of_products(filter);
  for (const auto& term : products.terms)
    for (const auto& plane : term.planes) {
      std::ranges::fill(between, 0.0F);
      for (std::int64_t y = 0; y < rows; ++y)
        for (std::int64_t j = 0; j < kSize; ++j) {
          const auto weight = static_cast<float>(plane.y[as_index(j)] * term.z[0]);
          const float* const from = image.voxels.data() + (y + j) * image.columns;
          float* const to = between.data() + y * image.columns;
          for (std::int64_t x = 0; x < image.columns; ++x) to[x] += weight * from[x];
        }
      for (std::int64_t y = 0; y < rows; ++y)
        for (std::int64_t i = 0; i < kSize; ++i) {
          const auto weight = static_cast<float>(plane.x[as_index(i)]);
          const float* const from = between.data() + y * image.columns + i;
          float* const to = result.data() + y * columns;
          for (std::int64_t x = 0; x < columns; ++x) to[x] += weight * from[x];
        }
    }
  return result;
}

Stencil weights_of(const kernels::BankFilter& filter) {
  Stencil stencil = filter.shape;
  for (double& weight : stencil.weights) weight -= filter.mean;
  return stencil;
}

}  // namespace

std::vector<float> naive_features(const Volume<float>& image, NaiveFilter how, float gain) {
  const Padded padded{image};
  std::vector<float> features;
  for (const BankGroup& group : kernels::groups_of(kernels::FilterBank::mr8)) {
    std::vector<float> strongest;
    for (const auto& filter : group.filters) {
      const Stencil stencil = weights_of(filter);
      std::vector<float> next = how == NaiveFilter::direct ? filtered_direct(padded, stencil)
                                                           : filtered_separable(padded, stencil);
      if (group.answer == BankAnswer::strongest_magnitude)
        for (float& value : next) value = std::abs(value);
      if (strongest.empty())
        strongest = std::move(next);
      else
        for (std::size_t i = 0; i < next.size(); ++i)
          strongest[i] = std::max(strongest[i], next[i]);
    }
    for (const float value : strongest) features.push_back(gain * value);
  }
  return features;
}

std::vector<std::uint16_t> naive_words(const std::vector<float>& features, std::int64_t voxels,
                                       const kernels::Dictionary& dictionary) {
  std::vector<std::uint16_t> words;
  for (std::int64_t i = 0; i < voxels; ++i) {
    float least = std::numeric_limits<float>::infinity();
    std::uint16_t nearest = 0;
    for (std::int64_t k = 0; k < dictionary.size(); ++k) {
      float distance = 0;
      for (std::int64_t f = 0; f < dictionary.features; ++f) {
        const float apart = features[as_index(f * voxels + i)] -
                            dictionary.centroids[as_index(k * dictionary.features + f)];
        distance += apart * apart;
      }
      if (distance < least) {
        least = distance;
        nearest = static_cast<std::uint16_t>(k);
      }
    }
    words.push_back(nearest);
  }
  return words;
}

}  // namespace synthoscope::bench
