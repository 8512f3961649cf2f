// SPDX-License-Identifier: MIT
// Parts of a field cover it and its estimate, and only neighbours share places.
#include "deconvolution/device/field_parts.hpp"
#include <gtest/gtest.h>
#include "tests/unit/deconvolution/blurred_field.hpp"

namespace synthoscope::deconvolution {
namespace {

constexpr fftconv::VolumeAxis kAxes[] = {fftconv::kAlongZ, fftconv::kAlongY};

/// Calls `body(geometry, axis, parts)` for all ways to cut the fields of tests.
template <class Body>
void for_all_cuts(Body&& body) {
  for (const Geometry& geometry : test::kGeometries)
    for (const fftconv::VolumeAxis& axis : kAxes)
      for (std::int64_t count = 1; count <= most_parts(geometry, axis); ++count) {
        SCOPED_TRACE(testing::Message()
                     << geometry.field << " by " << geometry.kernel << " in " << count);
        body(geometry, axis, parts_of_field(geometry, axis, count));
      }
}

TEST(FieldParts, CoverTheFieldAndTheEstimateOnce) {
  for_all_cuts([](const Geometry& geometry, const auto& axis, const auto& parts) {
    std::int64_t field = 0, owned = 0;
    for (const FieldPart& part : parts) {
      EXPECT_EQ(part.field.origin.*axis.at, field);
      EXPECT_EQ(part.own.origin.*axis.at, owned);
      EXPECT_GE(part.field.size.*axis.size, parts.size() > 1 ? 2 : 1);
      field += part.field.size.*axis.size;
      owned += part.own.size.*axis.size;
      EXPECT_EQ(part.geometry.field, part.field.size);
      EXPECT_EQ(part.estimate.size, estimate_extent(part.geometry));
      EXPECT_EQ(part.field.origin, part.estimate.origin);
    }
    EXPECT_EQ(field, geometry.field.*axis.size);
    EXPECT_EQ(owned, estimate_extent(geometry).*axis.size);
  });
}

TEST(FieldParts, ShareWhatTheKernelReachesWithNeighboursAlone) {
  for_all_cuts([](const Geometry& geometry, const auto& axis, const auto& parts) {
    const std::int64_t reach = geometry.kernel.*axis.size - 1;
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (std::size_t j = 0; j < parts.size(); ++j) {
        if (i == j) continue;
        const Box3 shared = shared_places(parts[i], parts[j]);
        EXPECT_EQ(shared.size.*axis.size, i + 1 == j || j + 1 == i ? reach : 0) << i << " " << j;
        if (volume(shared.size) == 0) continue;
        EXPECT_TRUE(contains(parts[i].estimate.size, shared));
        EXPECT_EQ(shifted(shared, parts[i].estimate.origin),
                  shifted(shared_places(parts[j], parts[i]), parts[j].estimate.origin));
      }
  });
}

TEST(FieldParts, AreNotShorterThanWhatTheyShare) {
  EXPECT_EQ(most_parts({{100, 50, 50}, {61, 11, 11}, {}}, fftconv::kAlongZ), 1);
  EXPECT_EQ(most_parts({{120, 50, 50}, {61, 11, 11}, {}}, fftconv::kAlongZ), 2);
  EXPECT_EQ(most_parts({{120, 50, 50}, {61, 11, 11}, {}}, fftconv::kAlongY), 5);
  EXPECT_EQ(most_parts({{7, 50, 50}, {1, 1, 1}, {}}, fftconv::kAlongZ), 3);
  EXPECT_EQ(most_parts({{1, 50, 50}, {1, 1, 1}, {}}, fftconv::kAlongZ), 1);
  EXPECT_EQ(most_parts({{120, 50, 50}, {61, 11, 11}, {}, Edge::wrap}, fftconv::kAlongY), 1);
}

}  // namespace
}  // namespace synthoscope::deconvolution
