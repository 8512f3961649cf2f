// SPDX-License-Identifier: MIT
// core/cuda/code/code_cache.hpp — compiled device code is kept in a folder and read back the next
// time.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include "core/cuda/code/runtime_compiler.hpp"

namespace synthoscope::cuda {

/// The folder kernels/ in the user's cache folder; empty if the user has no cache folder.
std::filesystem::path code_cache_folder();

/// Limits of the cache: room for hundreds of plans with about ten kernels each.
struct CodeCacheLimits {
  std::int64_t files = 2000, bytes = std::int64_t{256} << 20;
};

/// Where `folder` passes a limit, removes files until a quarter of each is free, first what was
/// read longest ago. Other files than the cache's are not touched. What cannot be removed stays; a
/// file that another process wants meanwhile is compiled anew.
void prune_code_cache(const std::filesystem::path& folder, const CodeCacheLimits& limits = {});

/// Returns the code of a request that a file of `folder` holds; nothing if there is none, or it is
/// broken.
std::optional<CompiledCode> kept_code(const CompileRequest& request,
                                      const std::filesystem::path& folder);

/// Returns what compile() gives, from a file of `folder` if the same request (key_of) was compiled
/// before. Otherwise it is compiled and kept. A file that is broken counts as none, and one that
/// cannot be written is no failure. If `folder` is empty, nothing is kept. Several processes and
/// threads may share a folder.
/// @throws CudaError  as compile.
CompiledCode compile_once(const CompileRequest& request, const std::filesystem::path& folder);

}  // namespace synthoscope::cuda
