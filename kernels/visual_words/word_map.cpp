// SPDX-License-Identifier: MIT
#include "kernels/visual_words/word_map.hpp"
#include <algorithm>
#include "kernels/banks/scaled_tile.hpp"
#include "kernels/banks/tiles.hpp"
#include "kernels/operation/scratch.hpp"
#include "kernels/visual_words/device_word_map.hpp"
#include "kernels/visual_words/feature_scale.hpp"

namespace synthoscope::kernels {
namespace {

// Measured with AVX-512 on one thread (gpu_visual_words_bench): for one feature of one word
constexpr double kDistanceSeconds = 0.03e-9;

class WordMap final : public Operation {
 public:
  WordMap(const NeighbourhoodSetting& setting, const WordMapSpec& spec, double gain,
          const Dictionary& dictionary);

  [[nodiscard]] std::string_view stage() const override { return "word map"; }
  [[nodiscard]] Extent3 extent() const override { return setting_.image; }
  [[nodiscard]] std::vector<PixelType> types() const override { return {type_}; }
  [[nodiscard]] Box3 needs(const Box3& box) const override { return tiles_.needs(box); }
  [[nodiscard]] std::int64_t working_bytes(const Extent3& box, int threads) const override {
    return threads * floats_of(tiles_.tile_of(box)) * std::int64_t{sizeof(float)};
  }
  void apply(const Window& in, const Box3& box, std::span<const VoxelView> out,
             TaskPool& pool) override;
  /// Words are whole: none is clipped.
  [[nodiscard]] StoredCounts stored_counts() const override { return {}; }
  [[nodiscard]] DeviceOperation* on_device() override { return there_.get(); }
  [[nodiscard]] double host_seconds() const;

 private:
  /// Returns the floats of a thread: features of a tile, their words, and the scratch for making
  /// them.
  [[nodiscard]] std::int64_t floats_of(const Extent3& tile) const {
    return (tiles_.responses() + 1) * BankTiles::pitch(tile) + tiles_.scratch_floats(tile);
  }
  void store(const Box3& part, const std::uint16_t* words, const VoxelView& out) const;

  NeighbourhoodSetting setting_;
  BankTiles tiles_;
  ResponseScale scale_;
  NearestWord nearest_;
  PixelType type_;
  std::unique_ptr<DeviceOperation> there_;
};

WordMap::WordMap(const NeighbourhoodSetting& setting, const WordMapSpec& spec, double gain,
                 const Dictionary& dictionary)
    : setting_{setting},
      tiles_{setting, spec.features.filters},
      scale_{feature_scale(spec.features, gain)},
      nearest_{dictionary, spec.quantising, setting.level},
      type_{word_type(dictionary.size())} {
  if (tiles_.responses() != dictionary.features)
    throw InvalidSpec(
        fmt::format("word map: words have {} features, but voxels of an image of {} have {} with "
                    "the bank '{}'; give the dictionary that was made for it",
                    dictionary.features, setting.image, tiles_.responses(),
                    name_of(spec.features.filters.bank)));
  there_ = device::make_device_word_map(tiles_, scale_, dictionary, type_);
}

double WordMap::host_seconds() const {
  const Dictionary& words = nearest_.dictionary();
  return tiles_.host_seconds() +
         kDistanceSeconds * static_cast<double>(words.size() * words.features);
}

void WordMap::apply(const Window& in, const Box3& box, std::span<const VoxelView> out,
                    TaskPool& pool) {
  const Extent3 most = tiles_.tile_of(box.size);
  const std::int64_t features = tiles_.responses();
  ThreadScratch scratch{floats_of(most), pool};
  for_each_tile(box, most, pool, [&](const Box3& part, const Box3& absolute) {
    const std::int64_t count = volume(part.size), pitch = BankTiles::pitch(part.size);
    float* const responses = scratch.mine();
    auto* const words = reinterpret_cast<std::uint16_t*>(responses + features * pitch);
    tiles_.make(in, absolute, {0, features}, responses, responses + (features + 1) * pitch);
    scale_tile(setting_.level, scale_, {responses, count, pitch, features});
    nearest_.assign({responses, count, pitch, features},
                    std::span{words, static_cast<std::size_t>(count)});
    store(part, words, out[0]);
  });
}

void WordMap::store(const Box3& part, const std::uint16_t* words, const VoxelView& out) const {
  for (std::int64_t z = 0; z < part.size.z; ++z)
    for (std::int64_t y = 0; y < part.size.y; ++y, words += part.size.x)
      visit_pixel_type(type_, [&](auto zero) {
        using T = decltype(zero);
        T* const to = out.as<T>().row(part.origin.z + z, part.origin.y + y) + part.origin.x;
        std::transform(words, words + part.size.x, to,
                       [](std::uint16_t word) { return static_cast<T>(word); });
      });
}

}  // namespace

PixelType word_type(std::int64_t words) {
  return words <= 256 ? PixelType::uint8 : PixelType::uint16;
}

ChosenBank make_word_map(const NeighbourhoodSetting& setting, const WordMapSpec& spec, double gain,
                         const Dictionary& dictionary) {
  auto operation = std::make_unique<WordMap>(setting, spec, gain, dictionary);
  const double seconds = operation->host_seconds();
  return {std::move(operation), seconds};
}

}  // namespace synthoscope::kernels
