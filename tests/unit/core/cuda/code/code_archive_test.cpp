// SPDX-License-Identifier: MIT
// Code comes out of an archive as it went in, or not at all; needs neither a device nor a compiler.
#include "core/cuda/code/code_archive.hpp"
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::cuda {
namespace {

CompileRequest request_of(const std::string& kernel) {
  return {{"p.cu", "text"}, {{"h.cuh", "header"}}, {kernel}, {"-DONE"}, 90};
}

CompiledCode code_of(int number, std::size_t bytes) {
  CompiledCode code{std::vector<std::byte>(bytes), {"_Z" + std::to_string(number)}};
  for (std::size_t i = 0; i < bytes; ++i)
    code.cubin[i] = static_cast<std::byte>((i * i + static_cast<std::size_t>(number)) % 251);
  return code;
}

const std::vector<std::string> kKernels{"a<1>", "a<2>", "b"};

std::string three_kernels() {
  CodeArchiveWriter writer;
  for (std::size_t i = 0; i < kKernels.size(); ++i)
    writer.add(request_of(kKernels[i]), code_of(static_cast<int>(i), 1000 * i));
  return writer.text();
}

TEST(CodeArchive, GivesWhatWasAdded) {
  const test::TemporaryFolder folder;
  const CodeArchive archive{folder.write("sm_90", three_kernels())};
  EXPECT_EQ(archive.size(), kKernels.size());
  for (std::size_t i = 0; i < kKernels.size(); ++i)
    EXPECT_EQ(archive.find(request_of(kKernels[i])), code_of(static_cast<int>(i), 1000 * i));
}

TEST(CodeArchive, HasTheSameBytesInAnyOrder) {
  CodeArchiveWriter writer;
  for (std::size_t i = kKernels.size(); i-- > 0;)
    writer.add(request_of(kKernels[i]), code_of(static_cast<int>(i), 1000 * i));
  EXPECT_EQ(writer.text(), three_kernels());
}

TEST(CodeArchive, HasNoCodeForAnotherRequest) {
  const test::TemporaryFolder folder;
  const CodeArchive archive{folder.write("sm_90", three_kernels())};
  std::vector<CompileRequest> others(8, request_of("b"));
  others[0].program.name = "q.cu";
  others[1].program.text = "texts";
  others[2].headers[0].name = "g.cuh";
  others[3].headers[0].text = "headers";
  others[4].kernels = {"c"};
  others[5].options = {"-DTWO"};
  others[6].capability = 80;
  others[7].headers.push_back({"", ""});
  for (std::size_t i = 0; i < others.size(); ++i) {
    EXPECT_FALSE(archive.has(others[i])) << i;
    EXPECT_FALSE(archive.find(others[i])) << i;
  }
  EXPECT_TRUE(archive.has(request_of("b")));
}

TEST(CodeArchive, IsEmptyWhereThereIsNoFile) {
  const test::TemporaryFolder folder;
  for (const auto& path : {folder / "none", folder.path(), std::filesystem::path{}}) {
    const CodeArchive archive{path};
    EXPECT_EQ(archive.size(), 0u);
    EXPECT_FALSE(archive.find(request_of("b")));
  }
}

TEST(CodeArchive, NeverGivesCodeThatDiffers) {
  const test::TemporaryFolder folder;
  const std::string whole = three_kernels();
  std::vector<std::string> broken;
  for (std::size_t size = 0; size < whole.size(); size += 7)
    broken.push_back(whole.substr(0, size));
  for (std::size_t at = 0; at < whole.size(); at += 5) {
    broken.push_back(whole);
    broken.back()[at] = static_cast<char>(broken.back()[at] ^ 0x11);
  }
  int lost = 0;
  for (const std::string& content : broken) {
    const CodeArchive archive{folder.write("sm_90", content)};
    for (std::size_t i = 0; i < kKernels.size(); ++i) {
      const auto found = archive.find(request_of(kKernels[i]));
      if (found)
        EXPECT_EQ(*found, code_of(static_cast<int>(i), 1000 * i));
      else
        ++lost;
    }
  }
  EXPECT_GT(lost, static_cast<int>(broken.size()));
}

TEST(CodeArchive, LiesBesideTheProgram) {
  EXPECT_EQ(archive_path("kernels", 90), std::filesystem::path{"kernels/sm_90"});
  const auto folder = packaged_code_folder();
  EXPECT_TRUE(folder.is_absolute());
  EXPECT_TRUE(folder.string().ends_with("/share/synthoscope/kernels")) << folder;
}

}  // namespace
}  // namespace synthoscope::cuda
