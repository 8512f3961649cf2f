// SPDX-License-Identifier: MIT
// weighted_source_test.cpp — light counts as its voxel's weight says, whichever box is asked for.
#include "simulator/light/weighted_source.hpp"
#include <gtest/gtest.h>
#include <numeric>
#include "core/stream/memory_stream.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope::simulator {
namespace {

/// Says which planes were asked for.
class Watched final : public Source {
 public:
  explicit Watched(Source& inner) : inner_{inner} {}
  [[nodiscard]] Extent3 extent() const override { return inner_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return inner_.pixel_type(); }
  void read(const Box3& box, VoxelView out) override {
    planes += box.size.z;
    inner_.read(box, out);
  }
  void expect(const Box3& box) override { expected += box.size.z; }
  std::int64_t planes = 0, expected = 0;

 private:
  Source& inner_;
};

TEST(WeightedSource, MultipliesVoxelsAndLeavesDarkPlanesUnread) {
  constexpr Extent3 kExtent{5, 3, 4};
  Volume<float> light{kExtent};
  std::iota(light.voxels.begin(), light.voxels.end(), 1.0F);
  MemorySource held{light.view()};
  Watched source{held};
  const VoxelWeights weights{{0, 0.25, 1, 0.5, 0}, {}, {1, 2, 0, 0.5}};
  WeightedSource weighted{source, weights};
  for (const Box3& box : {whole(kExtent), Box3{{1, 1, 1}, {2, 2, 3}}, Box3{{4, 0, 0}, {1, 3, 4}},
                          Box3{{0, 2, 3}, {2, 1, 1}}}) {
    Volume<float> found{box.size};
    weighted.expect(box);
    weighted.read(box, VoxelView{found.view()});
    for (std::int64_t z = 0; z < box.size.z; ++z)
      for (std::int64_t y = 0; y < box.size.y; ++y)
        for (std::int64_t x = 0; x < box.size.x; ++x) {
          const Index3 at{box.origin.z + z, box.origin.y + y, box.origin.x + x};
          const double weight =
              weights.z[static_cast<std::size_t>(at.z)] * weights.x[static_cast<std::size_t>(at.x)];
          EXPECT_EQ(found.view()(z, y, x),
                    static_cast<float>(weight * light.view()(at.z, at.y, at.x)));
        }
  }
  EXPECT_EQ(source.planes, 3 + 2 + 0 + 1);
  EXPECT_EQ(source.expected, source.planes);
}

TEST(Weights, AreLinearBetweenNodesAndAddUpToOne) {
  const std::vector<double> values{-1, 0, 0.5, 1, 1.9, 3, 7};
  const auto weights = weights_between({0, 1, 3}, values);
  const std::vector<double> middle{0, 0, 0.5, 1, 0.55, 0, 0};
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_DOUBLE_EQ(weights[1][i], middle[i]) << values[i];
    EXPECT_DOUBLE_EQ(weights[0][i] + weights[1][i] + weights[2][i], 1) << values[i];
  }
  EXPECT_EQ(weights_between({2}, {1, 5})[0], (std::vector<double>{1, 1}));
}

}  // namespace
}  // namespace synthoscope::simulator
