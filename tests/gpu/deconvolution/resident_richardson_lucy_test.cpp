// SPDX-License-Identifier: MIT
// Iterations in a device's memory give the estimates of the host.
#include "deconvolution/device/resident_richardson_lucy.hpp"
#include <cmath>
#include <filesystem>
#include <optional>
#include "core/base/error.hpp"
#include "fftconv/host/executor.hpp"
#include "tests/gpu/device_geometries.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/machine_with.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/deconvolution/blurred_field.hpp"

namespace synthoscope::deconvolution {
namespace {

using synthoscope::test::largest_difference;
using synthoscope::test::largest_magnitude;
using synthoscope::test::TestContext;
using test::device_geometries;
using test::field_of;

/// What both runs of a case are given.
struct Given {
  Geometry geometry;
  Volume<float> image;
  Volume<double> kernel;
  double background = 0;
  bool has_momentum = false;
};

Given given_for(const Geometry& geometry, double background = 0, bool has_momentum = false) {
  Given given{geometry, {}, test::weights(geometry.kernel, 1), background, has_momentum};
  given.image = test::in_single(
      test::blurred(geometry, test::points_of_light(estimate_extent(geometry), 2), given.kernel));
  for (float& voxel : given.image.voxels)
    voxel = std::max(voxel + static_cast<float>(background), 0.0F);
  return given;
}

class OnHost {
 public:
  explicit OnHost(const Given& given)
      : given_{given},
        estimate_{estimate_extent(given.geometry), PixelType::float32, test_.memory, "estimate"},
        residual_{given.geometry.field, PixelType::float32, test_.memory, "residual"},
        last_{estimate_extent(given.geometry), PixelType::float32, test_.memory, "last"},
        lucy_{{given.geometry, {&kernel_, 0, 1}, given.background},
              {image_},
              {estimate_, residual_, given.has_momentum ? &last_ : nullptr},
              plan_steps(given.geometry, executor_->machine(), fftconv::Strategy::in_core),
              *executor_,
              test_.context} {
    lucy_.begin();
  }
  double iterate() { return lucy_.iterate(); }
  Volume<float> estimate() { return read_all<float>(lucy_.result()); }

 private:
  TestContext test_;
  const Given& given_;
  MemorySource image_{ConstVoxelView{given_.image.view()}},
      kernel_{ConstVoxelView{given_.kernel.view()}};
  std::unique_ptr<fftconv::Executor> executor_ =
      fftconv::make_host_executor(synthoscope::test::machine_with(std::int64_t{1} << 30));
  ScratchVolume estimate_, residual_, last_;
  RichardsonLucy lucy_;
};

/// Where volumes of the host lie.
enum class HostPlace { pinned, ordinary, files };

/// Which volumes lie on the host, and where there.
struct Place {
  VolumesOnHost on_host;
  HostPlace host = HostPlace::pinned;
};

/// All of them, in groups of one plane and of several.
std::vector<Place> places() {
  std::vector<Place> all;
  for (const bool image : {false, true})
    for (const bool estimates : {false, true})
      for (const std::int64_t bytes : {1, 40000})
        if (image || estimates) all.push_back({{image, estimates, bytes}});
  for (const HostPlace host : {HostPlace::ordinary, HostPlace::files})
    all.push_back({{.image = true, .estimates = true, .planes_bytes = 1}, host});
  return all;
}

class OnDevice {
 public:
  OnDevice(const cuda::DeviceInfo& info, const Given& given, const Place& place = {})
      : OnDevice{on_one_gpu(given.geometry, info), given, place} {}
  OnDevice(const std::vector<GpuShare>& shares, const Given& given, const Place& place = {})
      : given_{given}, device_{shares.front().gpu.id} {
    HostVolumes host{.which = place.on_host};
    if (place.on_host.image) {
      image_ = made(given.geometry.field, place.host);
      image_->write(whole(given.image.extent), ConstVoxelView{given.image.view()});
    }
    if (place.on_host.estimates) {
      host.estimate = (estimate_ = made(estimate_extent(given.geometry), place.host)).get();
      if (given.has_momentum)
        host.last = (last_ = made(estimate_extent(given.geometry), place.host)).get();
    }
    Source& image = image_ ? static_cast<Source&>(*image_) : given_image_;
    lucy_.emplace(Model{given.geometry, {&kernel_, 0, 1}, given.background}, image,
                  given.has_momentum, shares, std::int64_t{2} << 30, test_.context, host);
    lucy_->begin();
  }
  double iterate() { return lucy_->iterate(); }
  Volume<float> estimate() { return read_all<float>(lucy_->result()); }
  ResidentRichardsonLucy& lucy() { return *lucy_; }
  [[nodiscard]] std::int64_t peak() const { return lucy_->peak_device_bytes(); }
  TestContext& test() { return test_; }

 private:
  std::unique_ptr<ScratchVolume> made(const Extent3& extent, HostPlace place) {
    constexpr auto kType = PixelType::float32;
    if (place == HostPlace::files)
      return std::make_unique<ScratchVolume>(extent, kType, std::filesystem::temp_directory_path());
    if (place == HostPlace::ordinary)
      return std::make_unique<ScratchVolume>(extent, kType, test_.memory, "a volume");
    return std::make_unique<ScratchVolume>(extent, kType, device_, test_.memory, "a volume");
  }

  TestContext test_;
  const Given& given_;
  cuda::DeviceId device_;
  MemorySource given_image_{ConstVoxelView{given_.image.view()}},
      kernel_{ConstVoxelView{given_.kernel.view()}};
  std::unique_ptr<ScratchVolume> image_, estimate_, last_;
  std::optional<ResidentRichardsonLucy> lucy_;
};

class ResidentLucy : public cuda::GpuTest {
 protected:
  void compare(const Given& given) {
    OnHost here{given};
    OnDevice there{info, given};
    for (int i = 0; i < 30; ++i) {
      const double expected = here.iterate();
      EXPECT_NEAR(there.iterate(), expected, 2e-6 * std::abs(expected)) << i;
      if (i > 0 && i < 29) continue;
      const auto u = here.estimate(), v = there.estimate();
      EXPECT_LE(largest_difference(field_of(given.geometry, u), field_of(given.geometry, v)),
                (i == 0 ? 2e-6 : 1e-5) * largest_magnitude(u))
          << i;
      // Beyond the field H^T 1 is small
      EXPECT_LE(largest_difference(u, v), 5e-5 * largest_magnitude(u)) << i;
    }
    EXPECT_EQ(there.lucy().iterations(), 30);
  }

  /// Returns ways to cut the field, whose parts take turns on all GPUs that there are.
  static std::vector<std::vector<GpuShare>> shares_of(const Geometry& geometry) {
    const auto gpus = cuda::list_devices().devices;
    std::vector<std::vector<GpuShare>> all;
    for (const auto& axis : {fftconv::kAlongZ, fftconv::kAlongY})
      for (const std::int64_t count : {2, 3}) {
        if (count > most_parts(geometry, axis)) continue;
        auto& shares = all.emplace_back();
        for (const FieldPart& part : parts_of_field(geometry, axis, count))
          shares.push_back({gpus[shares.size() % gpus.size()], part});
      }
    return all;
  }
};

TEST_F(ResidentLucy, FindsTheLightThatTheHostFinds) {
  for (const bool has_momentum : {false, true})
    for (const double background : {0.0, 30.0})
      for (const Geometry& geometry : device_geometries()) {
        SCOPED_TRACE(testing::Message()
                     << geometry.field << " by " << geometry.kernel << ", background " << background
                     << ", momentum " << has_momentum);
        compare(given_for(geometry, background, has_momentum));
      }
}

TEST_F(ResidentLucy, FindsTheSameLightWhereverItsVolumesLie) {
  for (const bool has_momentum : {false, true})
    for (const Geometry& geometry : device_geometries()) {
      const Given given = given_for(geometry, 20, has_momentum);
      OnDevice resident{info, given};
      std::vector<double> likelihoods;
      for (int i = 0; i < 5; ++i) likelihoods.push_back(resident.iterate());
      const auto expected = resident.estimate();
      for (const Place& place : places()) {
        SCOPED_TRACE(testing::Message()
                     << geometry.field << " by " << geometry.kernel << ", momentum " << has_momentum
                     << ", image " << place.on_host.image << ", estimates "
                     << place.on_host.estimates << ", host " << static_cast<int>(place.host));
        OnDevice there{info, given, place};
        for (int i = 0; i < 5; ++i) EXPECT_EQ(there.iterate(), likelihoods[std::size_t(i)]) << i;
        EXPECT_EQ(there.estimate().voxels, expected.voxels);
      }
    }
}

TEST_F(ResidentLucy, FindsTheSameLightInPartsOfTheField) {
  int ways = 0;
  for (const bool has_momentum : {false, true})
    for (const Geometry& geometry : device_geometries()) {
      const Given given = given_for(geometry, 20, has_momentum);
      for (const auto& shares : shares_of(geometry)) {
        SCOPED_TRACE(testing::Message()
                     << geometry.field << " by " << geometry.kernel << ", momentum " << has_momentum
                     << ", " << shares.size() << " parts of " << shares.front().part.field.size);
        OnDevice whole{info, given}, there{shares, given};
        for (int i = 0; i < 30; ++i) {
          const double expected = whole.iterate();
          EXPECT_NEAR(there.iterate(), expected, 2e-6 * std::abs(expected)) << i;
          if (i > 0 && i < 29) continue;
          const auto u = field_of(geometry, whole.estimate());
          EXPECT_LE(largest_difference(field_of(geometry, there.estimate()), u),
                    (i == 0 ? 2e-6 : 1e-5) * largest_magnitude(u))
              << i;
        }
        ++ways;
      }
    }
  EXPECT_GE(ways, 20);
}

TEST_F(ResidentLucy, GoesOnInOtherParts) {
  for (const bool has_momentum : {false, true})
    for (const Geometry& geometry : device_geometries()) {
      const Given given = given_for(geometry, 10, has_momentum);
      for (const auto& shares : shares_of(geometry)) {
        OnDevice first{shares, given}, second{info, given}, third{shares, given};
        for (int i = 0; i < 6; ++i) first.iterate();
        const auto u = first.estimate();
        std::optional<Volume<float>> last;
        std::optional<MemorySource> last_source;
        if (has_momentum) {
          last = read_all<float>(*first.lucy().before());
          last_source.emplace(ConstVoxelView{std::as_const(*last).view()});
        }
        MemorySource source{ConstVoxelView{u.view()}};
        for (int i = 0; i < 3; ++i) first.iterate();
        const auto expected = first.estimate();
        for (OnDevice* const other : {&second, &third}) {
          other->lucy().go_on_after(6, source, last_source ? &*last_source : nullptr);
          EXPECT_EQ(other->estimate().voxels, u.voxels);
          for (int i = 0; i < 3; ++i) other->iterate();
          EXPECT_LE(largest_difference(field_of(geometry, other->estimate()),
                                       field_of(geometry, expected)),
                    1e-5 * largest_magnitude(expected));
        }
      }
    }
}

TEST_F(ResidentLucy, CopiesImageAndEstimateUpAndTheEstimateDown) {
  for (const bool has_momentum : {false, true})
    for (const Place& place : places()) {
      const Given given = given_for({{20, 60, 110}, {9, 16, 21}, {4, 8, 10}}, 0, has_momentum);
      OnDevice there{info, given, place};
      const LinkBytes begun = there.lucy().copied(),
                      expected = link_bytes(given.geometry, has_momentum, place.on_host);
      const std::int64_t image = 4 * volume(given.geometry.field),
                         estimate = 4 * volume(estimate_extent(given.geometry));
      EXPECT_EQ(expected.up, (place.on_host.image ? image : 0) +
                                 (place.on_host.estimates ? (has_momentum ? 2 : 1) * estimate : 0));
      EXPECT_EQ(expected.down, place.on_host.estimates ? estimate : 0);
      for (int i = 0; i < 3; ++i) there.iterate();
      EXPECT_EQ(there.lucy().copied().up - begun.up, 3 * expected.up);
      EXPECT_EQ(there.lucy().copied().down - begun.down, 3 * expected.down);
    }
}

TEST_F(ResidentLucy, FailsWithAVolumeOfTheHost) {
  class Broken final : public Source {
   public:
    explicit Broken(Source& whole) : whole_{whole} {}
    [[nodiscard]] Extent3 extent() const override { return whole_.extent(); }
    [[nodiscard]] PixelType pixel_type() const override { return whole_.pixel_type(); }
    void read(const Box3& box, VoxelView out) override {
      if (is_broken && box.origin.z > 5) throw IoError("read an image: it is gone");
      whole_.read(box, out);
    }
    bool is_broken = false;

   private:
    Source& whole_;
  };
  const Given given = given_for({{20, 60, 110}, {9, 16, 21}, {4, 8, 10}});
  MemorySource image{ConstVoxelView{given.image.view()}},
      kernel{ConstVoxelView{given.kernel.view()}};
  Broken broken{image};
  TestContext test;
  ScratchVolume estimate{estimate_extent(given.geometry), PixelType::float32, device, test.memory,
                         "estimate"};
  ResidentRichardsonLucy lucy{Model{given.geometry, {&kernel, 0, 1}, 0},
                              broken,
                              false,
                              on_one_gpu(given.geometry, info),
                              memory.limit(),
                              test.context,
                              {{true, true, 1}, &estimate}};
  lucy.begin();
  lucy.iterate();
  broken.is_broken = true;
  EXPECT_THROW(lucy.iterate(), IoError);
}

TEST_F(ResidentLucy, KeepsTheLightOfTheImage) {
  for (const Geometry& geometry : device_geometries()) {
    SCOPED_TRACE(testing::Message() << geometry.field << " by " << geometry.kernel);
    const Given given = given_for(geometry);
    OnDevice there{info, given};
    MemorySource kernel{ConstVoxelView{given.kernel.view()}};
    const SeenShare share{geometry, {&kernel, 0, 1}, there.test().context};
    const double light = std::accumulate(given.image.voxels.begin(), given.image.voxels.end(), 0.0);
    for (int i = 0; i < 5; ++i) {
      there.iterate();
      const Volume<float> u = there.estimate();
      const Extent3& e = u.extent;
      std::vector<float> row(static_cast<std::size_t>(e.x));
      double seen = 0;
      for (std::int64_t z = 0; z < e.z; ++z)
        for (std::int64_t y = 0; y < e.y; ++y) {
          share.fill_row(z, y, 0, row);
          seen = std::inner_product(row.begin(), row.end(), u.view().row(z, y), seen);
        }
      EXPECT_NEAR(seen, light, 1e-5 * light) << i;
    }
  }
}

TEST_F(ResidentLucy, NeverGetsLessLikely) {
  for (const double background : {0.0, 30.0})
    for (const Geometry& geometry : device_geometries()) {
      SCOPED_TRACE(testing::Message() << geometry.field << " by " << geometry.kernel);
      Given given = given_for(geometry, background);
      const auto errors = test::noise(geometry.field, 3, -1, 1);
      for (std::size_t i = 0; i < given.image.voxels.size(); ++i) {
        float& voxel = given.image.voxels[i];
        voxel += std::sqrt(voxel) * static_cast<float>(errors.voxels[i]);
        voxel = std::max(voxel, 0.0F);
      }
      OnDevice there{info, given};
      double before = there.iterate();
      for (int i = 0; i < 20; ++i) {
        const double now = there.iterate();
        EXPECT_GE(now, before - 1e-6 * std::abs(before)) << i;
        before = now;
      }
    }
}

TEST_F(ResidentLucy, GoesOnFromWhatWasRead) {
  std::vector<Place> all = places();
  all.push_back({});
  for (const Place& place : all) {
    const bool has_momentum = (&place - all.data()) % 3 != 0 || !place.on_host.any();
    const Given given = given_for({{8, 30, 44}, {4, 7, 6}, {2, 3, 3}}, 10, has_momentum);
    OnDevice first{info, given, place}, second{info, given};
    for (int i = 0; i < 6; ++i) first.iterate();
    const auto u = first.estimate();
    std::optional<Volume<float>> last;
    std::optional<MemorySource> last_source;
    ASSERT_EQ(first.lucy().before() != nullptr, has_momentum);
    if (has_momentum) {
      last = read_all<float>(*first.lucy().before());
      last_source.emplace(ConstVoxelView{std::as_const(*last).view()});
    }
    MemorySource source{ConstVoxelView{u.view()}};
    second.lucy().go_on_after(6, source, last_source ? &*last_source : nullptr);
    EXPECT_EQ(second.estimate().voxels, u.voxels);
    for (int i = 0; i < 3; ++i) {
      const double expected = first.iterate();
      EXPECT_NEAR(second.iterate(), expected, 1e-6 * std::abs(expected));
    }
    const auto expected = first.estimate();
    EXPECT_LE(largest_difference(second.estimate(), expected), 1e-5 * largest_magnitude(expected));
    EXPECT_EQ(second.lucy().iterations(), 9);
  }
}

TEST_F(ResidentLucy, TakesNoMoreMemoryThanItSays) {
  for (const bool has_momentum : {false, true})
    for (const Geometry& geometry : device_geometries()) {
      const Given given = given_for(geometry, 0, has_momentum);
      for (const Place& place : places()) {
        OnDevice there{info, given, place};
        EXPECT_LE(there.peak(),
                  resident_bytes(on_one_gpu(geometry, info), has_momentum, place.on_host));
      }
      for (const auto& shares : shares_of(geometry)) {
        OnDevice there{shares, given};
        EXPECT_LE(there.peak(), resident_bytes(shares, has_momentum));
      }
      OnDevice there{info, given};
      EXPECT_GT(there.lucy().iteration_bytes(), 8 * volume(estimate_extent(geometry)));
    }
  const Given given = given_for(test::kGeometries[2]);
  MemorySource image{ConstVoxelView{given.image.view()}},
      kernel{ConstVoxelView{given.kernel.view()}};
  TestContext test;
  EXPECT_THROW((ResidentRichardsonLucy{{given.geometry, {&kernel, 0, 1}, 0},
                                       image,
                                       false,
                                       on_one_gpu(given.geometry, info),
                                       1000,
                                       test.context}),
               PlanError);
}

}  // namespace
}  // namespace synthoscope::deconvolution
