// SPDX-License-Identifier: MIT
// Volumes that lie on a device are convolved to the bits of those that travel.
#include <cmath>
#include "core/cuda/memory/buffer.hpp"
#include "core/stream/resident_stream.hpp"
#include "core/stream/store_as.hpp"
#include "fftconv/device/executor.hpp"
#include "fftconv/device/run.hpp"
#include "tests/gpu/device_plan.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/convolution_case.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::fftconv {
namespace {

constexpr test::Manner kManners[] = {
    {Boundary::zero, Shape::same, false, false, PixelType::float32},
    {Boundary::zero, Shape::full, true, false, PixelType::float32},
    {Boundary::zero, Shape::valid, false, false, PixelType::float32},
    {Boundary::mirror, Shape::same, false, false, PixelType::float32},
};

class ResidentRun : public cuda::GpuTest, public testing::WithParamInterface<test::SizeCase> {
 protected:
  template <class T>
  cuda::DeviceBuffer<std::byte> sent(const Volume<T>& voxels) {
    cuda::DeviceBuffer<std::byte> there{device, memory,
                                        volume(voxels.extent) * std::int64_t{sizeof(T)}, "voxels"};
    const cuda::Stream stream{device};
    cuda::enqueue_copy(stream, there.data(), voxels.voxels.data(), there.bytes());
    stream.finish();
    return there;
  }
};

Volume<float> in_single(const Volume<double>& from) {
  Volume<float> to{from.extent};
  std::transform(from.voxels.begin(), from.voxels.end(), to.voxels.begin(),
                 [](double voxel) { return static_cast<float>(voxel); });
  return to;
}

template <class T>
struct Resident {
  Volume<T> result;
  StoredCounts counts;
};

/// Adds up what is stored as T; all lies on the device.
template <class T>
Resident<T> run_there(const cuda::DeviceInfo& info, const Plan& plan, const Volume<float>& image,
                      const cuda::DeviceBuffer<std::byte>& f, const Volume<float>& kernel,
                      const cuda::DeviceBuffer<std::byte>& g, MemoryBudget& memory) {
  const Extent3 extent = output_extent(plan.problem);
  const cuda::DeviceBuffer<T> h{info.id, memory, volume(extent), "result"};
  cuda::ResidentSource image_source{info.id, {f.data(), PixelType::float32, image.extent}};
  cuda::ResidentSource kernel_source{info.id, {g.data(), PixelType::float32, kernel.extent}};
  cuda::ResidentSink sink{info.id,
                          {reinterpret_cast<std::byte*>(h.data()), pixel_type_of<T>(), extent}};
  StoreAs store{pixel_type_of<T>()};
  const Term term{&image_source, {&kernel_source, 0, 1}, {}};
  test::TestContext here{4, test::kLarge.host_bytes};
  // Of a kernel larger than the image it may be that not all is read
  if (contains(image.extent, whole(kernel.extent))) {
    EXPECT_TRUE(device::is_resident(info.id, plan, {&term, 1}, store, sink, here.context));
  }
  make_device_executor(info, test::kDeviceBytes, test::kLarge)
      ->run(plan, {&term, 1}, store, sink, here.context);
  Resident<T> ran{Volume<T>{extent}, {store.clipped(), store.non_finite()}};
  const cuda::Stream stream{info.id};
  cuda::enqueue_copy(stream, ran.result.voxels.data(), h.data(), h.bytes());
  stream.finish();
  return ran;
}

/// The same where all lies on the host.
Volume<float> run_from_host(const cuda::DeviceInfo& info, const Plan& plan,
                            const Volume<float>& image, const Volume<float>& kernel) {
  MemorySource f{ConstVoxelView{image.view()}}, g{ConstVoxelView{kernel.view()}};
  Volume<float> result{output_extent(plan.problem)};
  MemorySink sink{VoxelView{result.view()}};
  StoreAs store{PixelType::float32};
  const Term term{&f, {&g, 0, 1}, {}};
  test::TestContext here{4, test::kLarge.host_bytes};
  EXPECT_FALSE(device::is_resident(info.id, plan, {&term, 1}, store, sink, here.context));
  make_device_executor(info, test::kDeviceBytes, test::kLarge)
      ->run(plan, {&term, 1}, store, sink, here.context);
  return result;
}

TEST_P(ResidentRun, HasTheBitsOfOneThatTravels) {
  const test::SizeCase& sizes = GetParam();
  for (const test::Manner& manner : kManners) {
    if (!test::is_defined(sizes.image, sizes.kernel, manner.shape)) continue;
    SCOPED_TRACE(testing::Message() << name_of(manner.shape) << " " << name_of(manner.boundary));
    const auto image = test::noise(sizes.image, 21),
               kernel = test::noise(sizes.kernel, 22, -0.2, 1);
    const Problem problem = test::problem_of(sizes.image, sizes.kernel, manner);
    const Plan plan = test::moved(plan_convolution(problem, test::kLarge, Strategy::in_core), info);
    const auto f = in_single(image), g = in_single(kernel);
    const auto travelled = run_from_host(info, plan, f, g);
    const auto resident = run_there<float>(info, plan, f, sent(f), g, sent(g), memory);
    EXPECT_EQ(resident.result.voxels, travelled.voxels);
  }
}

/// Voxels on a device, of which planes from `elsewhere` on pass for those of another device.
class PartlyElsewhere {
 public:
  PartlyElsewhere(cuda::DeviceId device, std::int64_t elsewhere)
      : device_{device}, elsewhere_{elsewhere} {}
  [[nodiscard]] std::optional<cuda::DeviceId> device_of(const Box3& box) const {
    return box.origin.z + box.size.z > elsewhere_ ? std::nullopt : std::optional{device_};
  }

 private:
  cuda::DeviceId device_;
  std::int64_t elsewhere_;
};

class SourcePartlyElsewhere final : public Source {
 public:
  SourcePartlyElsewhere(ConstVoxelView voxels, const PartlyElsewhere& places)
      : voxels_{voxels}, places_{places} {}
  [[nodiscard]] Extent3 extent() const override { return voxels_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return voxels_.type(); }
  void read(const Box3&, VoxelView) override { ADD_FAILURE() << "read by the host"; }
  [[nodiscard]] std::optional<ConstVoxelView> device_readable() const override { return voxels_; }
  [[nodiscard]] std::optional<cuda::DeviceId> device_of(const Box3& box) const override {
    return places_.device_of(box);
  }

 private:
  ConstVoxelView voxels_;
  PartlyElsewhere places_;
};

class SinkPartlyElsewhere final : public Sink {
 public:
  SinkPartlyElsewhere(VoxelView voxels, const PartlyElsewhere& places)
      : voxels_{voxels}, places_{places} {}
  [[nodiscard]] Extent3 extent() const override { return voxels_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return voxels_.type(); }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::any; }
  void write(const Box3&, ConstVoxelView) override { ADD_FAILURE() << "written by the host"; }
  [[nodiscard]] std::optional<VoxelView> device_writable() override { return voxels_; }
  [[nodiscard]] std::optional<cuda::DeviceId> device_of(const Box3& box) const override {
    return places_.device_of(box);
  }
  void close() override {}

 private:
  VoxelView voxels_;
  PartlyElsewhere places_;
};

/// Turns and tiles, with planes that are used where they lie, planes that are copied, and both.
TEST_P(ResidentRun, ThatIsCutHasTheBitsOfOneThatTravels) {
  const test::SizeCase& sizes = GetParam();
  for (const Strategy strategy : {Strategy::ring, Strategy::tiles})
    for (const test::Manner& manner : kManners) {
      if (!test::is_defined(sizes.image, sizes.kernel, manner.shape)) continue;
      const auto f = in_single(test::noise(sizes.image, 21)),
                 g = in_single(test::noise(sizes.kernel, 22, -0.2, 1));
      const Problem problem = test::problem_of(sizes.image, sizes.kernel, manner);
      Plan plan;
      try {
        plan = test::moved(plan_convolution(problem, test::kLarge, strategy), info);
      } catch (const PlanError&) {
        continue;  // there is nothing to cut
      }
      const auto travelled = run_from_host(info, plan, f, g);
      const auto image = sent(f);
      MemorySource kernel{ConstVoxelView{g.view()}};
      const Extent3 extent = output_extent(problem);
      for (const std::int64_t elsewhere :
           {std::int64_t{0}, f.extent.z / 2, f.extent.z + extent.z}) {
        SCOPED_TRACE(testing::Message() << name_of(strategy) << " " << name_of(manner.shape) << " "
                                        << name_of(manner.boundary) << " " << elsewhere);
        auto result = sent(Volume<float>{extent});
        const PartlyElsewhere places{device, elsewhere};
        SourcePartlyElsewhere source{{image.data(), PixelType::float32, f.extent}, places};
        SinkPartlyElsewhere sink{{result.data(), PixelType::float32, extent}, places};
        StoreAs store{PixelType::float32};
        const Term term{&source, {&kernel, 0, 1}, {}};
        test::TestContext here{4, test::kLarge.host_bytes};
        make_device_executor(info, test::kDeviceBytes, test::kLarge)
            ->run(plan, {&term, 1}, store, sink, here.context);
        Volume<float> found{extent};
        const cuda::Stream stream{device};
        cuda::enqueue_copy(stream, found.voxels.data(), result.data(), result.bytes());
        stream.finish();
        EXPECT_EQ(found.voxels, travelled.voxels);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Awkward, ResidentRun, testing::ValuesIn(test::kAwkwardSizes),
                         test::kCaseName);

using ResidentRuns = ResidentRun;

TEST_F(ResidentRuns, CountWhatStoringChanges) {
  const Extent3 extent{9, 20, 30};
  const auto image = in_single(test::noise(extent, 3, -10, 300)), kernel = [] {
    Volume<float> one{{1, 1, 1}};
    one.voxels[0] = 1;
    return one;
  }();
  const Plan plan = test::moved(
      plan_convolution(test::problem_of(extent, {1, 1, 1}, {}), test::kLarge, Strategy::in_core),
      info);
  const auto ran =
      run_there<std::uint8_t>(info, plan, image, sent(image), kernel, sent(kernel), memory);
  std::int64_t outside = 0;
  for (const float voxel : image.voxels) outside += voxel < -0.51F || voxel > 255.51F;
  EXPECT_GE(ran.counts.clipped, outside);
  EXPECT_LE(ran.counts.clipped, outside + 20);
  EXPECT_EQ(ran.counts.non_finite, 0);
}

}  // namespace
}  // namespace synthoscope::fftconv
