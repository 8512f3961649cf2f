// SPDX-License-Identifier: MIT
// bench/words/naive_words.hpp — word maps as one writes them first: one thread, a filter after the
// other over the whole image, every distance.
#pragma once
#include <cstdint>
#include <vector>
#include "core/stream/memory_stream.hpp"
#include "kernels/visual_words/dictionary.hpp"

namespace synthoscope::bench {

enum class NaiveFilter { direct, separable };

/// MR8's features of a plane, one volume after the other: every filter whole (49 x 49 products), or
/// taken apart by itself into products of columns and rows, as make_filter does. Reflects.
std::vector<float> naive_features(const Volume<float>& image, NaiveFilter how, float gain);

/// The nearest word by every distance in float32.
std::vector<std::uint16_t> naive_words(const std::vector<float>& features, std::int64_t voxels,
                                       const kernels::Dictionary& dictionary);

}  // namespace synthoscope::bench
