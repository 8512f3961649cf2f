// SPDX-License-Identifier: MIT
// core/cuda/code/code_archive.hpp — one file with compiled code for one kind of GPU, which travels
// with a package so that its first run compiles nothing.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include "core/cuda/code/compiled_text.hpp"
#include "core/cuda/code/runtime_compiler.hpp"

namespace synthoscope::cuda {

/// Returns the archive for a capability in `folder`: sm_90 for 90.
std::filesystem::path archive_path(const std::filesystem::path& folder, int capability);

/// Returns the folder of the archives of a package: share/synthoscope/kernels, next to the folder
/// of the running program. It need not exist.
std::filesystem::path packaged_code_folder();

/// Compiled code by key_of its request, each packed by zstd for itself, so that a run reads no more
/// than it needs. Thread-safe.
class CodeArchive {
 public:
  /// Reads the list of keys. A file that is missing or damaged gives an empty archive.
  explicit CodeArchive(const std::filesystem::path& path);
  CodeArchive(const CodeArchive&) = delete;
  CodeArchive& operator=(const CodeArchive&) = delete;
  ~CodeArchive();

  /// Returns the number of requests whose code is here.
  [[nodiscard]] std::size_t size() const { return places_.size(); }

  /// Returns whether the archive lists a request.
  [[nodiscard]] bool has(const CompileRequest& request) const {
    return places_.contains(key_of(request));
  }

  /// Returns the code of a request; nothing if it is not here or damaged.
  [[nodiscard]] std::optional<CompiledCode> find(const CompileRequest& request) const;

 private:
  struct Place {
    std::uint64_t offset = 0, bytes = 0, unpacked_bytes = 0;
  };
  int descriptor_ = -1;
  std::map<WideHash, Place> places_;
};

/// Collects code for an archive.
class CodeArchiveWriter {
 public:
  /// Packs the code of a request, which takes some milliseconds; the first of several with the same
  /// key counts. Thread-safe.
  void add(const CompileRequest& request, const CompiledCode& code);

  /// Returns the bytes of the archive; the same for the same requests in any order.
  [[nodiscard]] std::string text() const;

 private:
  struct Packed {
    std::string frame;
    std::uint64_t unpacked_bytes = 0;
  };
  std::mutex adding_;
  std::map<WideHash, Packed> packed_;
};

}  // namespace synthoscope::cuda
