// SPDX-License-Identifier: MIT
// Compiles for devices without one; skips where NVRTC is not installed.
#include "core/cuda/code/runtime_compiler.hpp"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <filesystem>
#include "core/base/error.hpp"
#include "core/cuda/code/code_cache.hpp"
#include "tests/support/no_compiler.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::cuda {
namespace {

CompileRequest scaling(int capability) {
  CompileRequest request;
  request.program = {"scaling.cu",
                     "#include \"factor.cuh\"\n"
                     "template <class T> __global__ void scale(T* values, int count) {\n"
                     "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                     "  if (i < count) values[i] *= kFactor + MORE;\n"
                     "}\n"};
  request.headers = {{"factor.cuh", "constexpr int kFactor = 3;\n"}};
  request.kernels = {"scale<float>", "scale<double>"};
  request.options = {"-DMORE=4"};
  request.capability = capability;
  return request;
}

class RuntimeCompiler : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = test::why_no_compiler(); !why.empty()) GTEST_SKIP() << why;
  }
  /// Files of the cache.
  [[nodiscard]] std::filesystem::path only_file() const {
    const auto names = folder.names();
    EXPECT_EQ(names.size(), 1u);
    return names.empty() ? "" : folder / *names.begin();
  }
  test::TemporaryFolder folder;
};

TEST_F(RuntimeCompiler, MakesMachineCodeForOldAndNewDevices) {
  for (const int capability : {75, 90}) {
    const CompiledCode code = compile(scaling(capability));
    ASSERT_GT(code.cubin.size(), 100u);
    EXPECT_EQ(code.cubin[0], std::byte{0x7F}) << "a cubin is an ELF file";
    EXPECT_EQ(code.cubin[1], std::byte{'E'});
    EXPECT_EQ(code.kernels, (std::vector<std::string>{"_Z5scaleIfEvPT_i", "_Z5scaleIdEvPT_i"}));
  }
  EXPECT_NE(compile(scaling(75)).cubin, compile(scaling(90)).cubin);
}

TEST_F(RuntimeCompiler, SaysWhatTheCompilerSays) {
  const auto complaint_of = [](const CompileRequest& request) -> std::string {
    try {
      compile(request);
    } catch (const CudaError& failure) {
      return failure.what();
    }
    return "nothing was thrown";
  };
  CompileRequest wrong = scaling(90);
  wrong.headers[0].text = "constexpr int kFactor = nonsense;\n";
  EXPECT_NE(complaint_of(wrong).find("compile scaling.cu for sm_90"), std::string::npos);
  EXPECT_NE(complaint_of(wrong).find("factor.cuh(1): error: identifier \"nonsense\" is undefined"),
            std::string::npos)
      << complaint_of(wrong);
  EXPECT_NE(complaint_of(scaling(12)).find("NVRTC reports"), std::string::npos);
  CompileRequest unknown = scaling(90);
  unknown.kernels = {"no_such_kernel"};
  EXPECT_NE(complaint_of(unknown).find("NVRTC reports"), std::string::npos);
}

TEST_F(RuntimeCompiler, GivesTheSameCodeForTheSameRequest) {
  EXPECT_EQ(compile(scaling(90)), compile(scaling(90)));
}

TEST_F(RuntimeCompiler, ReadsWhatWasKeptAndNothingElse) {
  const CompiledCode code = compile_once(scaling(90), folder.path());
  const auto path = only_file();
  EXPECT_EQ(compile_once(scaling(90), folder.path()), code);
  EXPECT_EQ(folder.names().size(), 1u);

  // What is in the file is what comes: it is read, not compiled again, and known to be read
  const auto written = std::filesystem::last_write_time(path);
  const timespec long_ago[] = {{1000, 0}, {0, UTIME_OMIT}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), long_ago, 0), 0);
  compile_once(scaling(90), folder.path());
  EXPECT_EQ(std::filesystem::last_write_time(path), written);
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_GT(status.st_atim.tv_sec, 1000);

  CompileRequest others[] = {scaling(75), scaling(90), scaling(90), scaling(90), scaling(90)};
  others[1].options = {"-DMORE=5"};
  others[2].headers[0].text = "constexpr int kFactor = 2;\n";
  others[3].kernels = {"scale<double>", "scale<float>"};
  others[4].program.text += "\n";
  for (const CompileRequest& other : others)
    EXPECT_EQ(compile_once(other, folder.path()), compile(other));
  EXPECT_EQ(folder.names().size(), 6u);
}

TEST_F(RuntimeCompiler, CompilesAnewWhereAKeptFileIsBroken) {
  const CompiledCode code = compile_once(scaling(90), folder.path());
  const auto path = only_file();
  const std::string whole = test::content_of(path);
  std::string flipped = whole;
  flipped[whole.size() - 100] = static_cast<char>(flipped[whole.size() - 100] ^ 1);
  const std::string broken[] = {"",
                                "x",
                                whole.substr(0, 20),
                                whole.substr(0, whole.size() / 2),
                                whole.substr(0, whole.size() - 1),
                                whole + "x",
                                flipped};
  for (const std::string& content : broken) {
    folder.write(path.filename().string(), content);
    EXPECT_EQ(compile_once(scaling(90), folder.path()), code) << content.size();
    EXPECT_EQ(test::content_of(path), whole) << "it is mended, too";
  }
}

TEST_F(RuntimeCompiler, DoesWithoutAFolderThatCannotBeWritten) {
  const auto file = folder.write("file", "no folder");
  EXPECT_EQ(compile_once(scaling(90), file / "kernels"), compile(scaling(90)));
  EXPECT_EQ(compile_once(scaling(90), {}), compile(scaling(90)));
}

}  // namespace
}  // namespace synthoscope::cuda
