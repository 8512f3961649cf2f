// SPDX-License-Identifier: MIT
#include "jobs/output/certified_output.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "imageio/create.hpp"
#include "imageio/formats.hpp"
#include "imageio/output/partial_file.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::jobs {
namespace {

/// A delta kernel, so that the right result is the image itself.
class CertifyAndRename : public testing::Test {
 protected:
  CertifyAndRename() {
    for (std::size_t i = 0; i < image.voxels.size(); ++i) image.voxels[i] = static_cast<float>(i);
    kernel.voxels = {1};
    options.voxels = 50;
  }
  void write(const Volume<float>& result) {
    spec.extent = result.extent;
    const auto sink = imageio::create_image(options.uncertified_path(output), spec);
    for (std::int64_t z = 0; z < result.extent.z; ++z)
      sink->write(plane(result.extent, z),
                  HostView3<const float>{result.view().row(z, 0), {1, 6, 7}});
    sink->build();
    sink->close();
  }
  [[nodiscard]] fftconv::Problem problem() const {
    fftconv::Problem problem;
    problem.image = image.extent;
    problem.kernel = kernel.extent;
    return problem;
  }
  std::optional<fftconv::Certificate> certify() { return certify(machine); }
  std::optional<fftconv::Certificate> certify(const test::TestContext& on) {
    const fftconv::Term term{&image_source, {&kernel_source}, {}};
    return certify_and_rename(options, output, false, /*keeps=*/true, spec, problem(), term, inputs,
                              on.context)
        .by_sums;
  }

  test::TemporaryFolder folder;
  std::filesystem::path output = folder.path() / "out.tif";
  Volume<float> image{{5, 6, 7}}, kernel{{1, 1, 1}};
  MemorySource image_source{image.view()}, kernel_source{kernel.view()};
  test::TestContext machine;
  CertifyChoice options;
  imageio::ImageSpec spec;
  imageio::InputsAsRead inputs;
};

TEST_F(CertifyAndRename, GivesARightResultItsName) {
  write(image);
  EXPECT_FALSE(std::filesystem::exists(output));
  const auto certificate = certify();
  ASSERT_TRUE(certificate.has_value());
  EXPECT_GE(certificate->voxels, 25);  // few are among the brightest of so small a volume
  EXPECT_EQ(certificate->largest_error, 0);
  EXPECT_TRUE(std::filesystem::exists(output));
  EXPECT_FALSE(std::filesystem::exists(options.uncertified_path(output)));
}

TEST_F(CertifyAndRename, LooksAgainAtAResultThatHasItsName) {
  write(image);
  certify();
  const auto certificate = certify();
  ASSERT_TRUE(certificate.has_value());
  EXPECT_EQ(certificate->largest_error, 0);
  EXPECT_TRUE(std::filesystem::exists(output));
}

TEST_F(CertifyAndRename, LeavesANameToOthersWhoTookItMeanwhile) {
  write(image);
  folder.write("out.tif", "theirs");
  test::expect_failure<imageio::NameTaken>([&] { certify(); }, {"out.tif.uncertified"});
  EXPECT_EQ(std::filesystem::file_size(output), 6u);
  EXPECT_TRUE(std::filesystem::exists(options.uncertified_path(output)));
}

TEST_F(CertifyAndRename, RemovesAResultOfAnInputThatChanged) {
  inputs.note(folder.write("image.tif", "before"));
  write(image);
  folder.write("image.tif", "afterwards");
  EXPECT_THROW(certify(), imageio::InputChanged);
  EXPECT_EQ(folder.names(), std::set<std::string>{"image.tif"});
}

TEST_F(CertifyAndRename, RemovesAWrongResultAndSaysWhereItIsWrong) {
  Volume<float> wrong = image;
  for (float& v : wrong.voxels) v *= 1.01f;
  write(wrong);
  try {
    certify();
    FAIL() << "it was certified";
  } catch (const VerificationFailed& failure) {
    EXPECT_NE(std::string{failure.what()}.find("largest difference 2.09 at (4, 5, 6)"),
              std::string::npos)
        << failure.what();
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST_F(CertifyAndRename, NeedsNoMoreMemoryThanItTells) {
  using imageio::Compression;
  constexpr std::int64_t kTightest = 0, kUnneeded = std::int64_t{9} << 20;
  for (const char* const name : {"out.tif", "out.h5", "out.ome.zarr"})
    for (const Compression how : {Compression::none, Compression::deflate, Compression::zstd})
      for (const std::int64_t more :
           {kTightest, std::int64_t{100}, std::int64_t{4000}, kUnneeded}) {
        SCOPED_TRACE(fmt::format("{}, {}, {} bytes more", name,
                                 name_in(imageio::kCompressionNames, how), more));
        output = folder.path() / fmt::format("{}-{}-{}", static_cast<int>(how), more, name);
        spec.format = imageio::format_of(output, imageio::FileFormat::by_name);
        spec.compression = how;
        if (spec.format != imageio::FileFormat::tiff) spec.chunks = Extent3{2, 3, 7};
        write(image);
        const std::int64_t bytes = options.bytes(problem(), machine.pool.threads(), spec);
        const test::TestContext tight{machine.pool.threads(), bytes + more};
        EXPECT_TRUE(certify(tight).has_value());
        EXPECT_LE(tight.memory.peak(), bytes + more);
        const test::TestContext too_tight{machine.pool.threads(), bytes / 2};
        EXPECT_THROW(certify(too_tight), PlanError);
      }
}

TEST_F(CertifyAndRename, DoesNothingUnlessItIsAsked) {
  options.voxels = 0;
  EXPECT_EQ(options.uncertified_path(output), output);
  EXPECT_FALSE(certify().has_value());
}

}  // namespace
}  // namespace synthoscope::jobs
