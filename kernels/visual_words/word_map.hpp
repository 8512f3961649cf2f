// SPDX-License-Identifier: MIT
// kernels/visual_words/word_map.hpp — the nearest word of every voxel of an image.
#pragma once
#include "kernels/visual_words/nearest_word.hpp"
#include "kernels/visual_words/texture_features.hpp"

namespace synthoscope::kernels {

struct WordMapSpec {
  FeatureSpec features;
  QuantisingStrategy quantising = QuantisingStrategy::automatic;
};

/// Returns the type of word maps of this many words: uint8 up to 256, otherwise uint16.
PixelType word_type(std::int64_t words);

/// Makes one volume of the image's extent, of word_type. Features are computed tile by tile and
/// quantised while they are in cache. The words are those that `quantising` gives for
/// make_texture_features, however the image is cut.
/// @param setting  its type is ignored
/// @param gain     feature_gain of the image
/// @throws InvalidSpec  as make_texture_features and NearestWord; words of another number of
///                      features than the image has.
ChosenBank make_word_map(const NeighbourhoodSetting& setting, const WordMapSpec& spec, double gain,
                         const Dictionary& dictionary);

}  // namespace synthoscope::kernels
