// SPDX-License-Identifier: MIT
#include "core/vector/vector_level.hpp"
#include "core/base/names.hpp"

namespace synthoscope {
namespace {

#if defined(__aarch64__)
constexpr std::string_view kBaselineName = "neon";
#else
constexpr std::string_view kBaselineName = "baseline";
#endif

constexpr NameTable<VectorLevel, 3> kVectorLevelNames{{{VectorLevel::baseline, kBaselineName},
                                                       {VectorLevel::avx2, "avx2"},
                                                       {VectorLevel::avx512, "avx512"}}};

}  // namespace

std::string_view name_of(VectorLevel level) {
  return name_in(kVectorLevelNames, level);
}

VectorLevel vector_level() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return VectorLevel::avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return VectorLevel::avx2;
#endif
  return VectorLevel::baseline;
}

}  // namespace synthoscope
