// SPDX-License-Identifier: MIT
#include "core/cuda/code/compiled_text.hpp"
#include <cuda_runtime_api.h>
#include <cstdint>
#include <cstring>
#include <span>

namespace synthoscope::cuda {
namespace {

/// The first bytes of a file. The number of names follows, then the names and the cubin, each after
/// its size.
constexpr std::string_view kCodeFormat = "synthoscope device code 2\n";

void append_number(std::string& to, std::uint64_t number) {
  to.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void append_text(std::string& to, std::string_view text) {
  append_number(to, text.size());
  to.append(text);
}

std::optional<std::uint64_t> next_number(std::string_view& rest) {
  std::uint64_t number = 0;
  if (rest.size() < sizeof number) return std::nullopt;
  std::memcpy(&number, rest.data(), sizeof number);
  rest.remove_prefix(sizeof number);
  return number;
}

/// Takes the next text from the front of `rest`; nothing if `rest` ends before the text does.
std::optional<std::string_view> next_text(std::string_view& rest) {
  const auto size = next_number(rest);
  if (!size || rest.size() < *size) return std::nullopt;
  const auto text = rest.substr(0, *size);
  rest.remove_prefix(*size);
  return text;
}

std::uint64_t hash_of(std::string_view text) {
  return BlockHash::of(std::as_bytes(std::span{text}));
}

}  // namespace

WideHash key_of(const CompileRequest& request) {
  std::string key{kCodeFormat};
  append_number(key, CUDART_VERSION);
  append_number(key, static_cast<std::uint64_t>(request.capability));
  append_text(key, request.program.name);
  append_text(key, request.program.text);
  append_number(key, request.headers.size());
  for (const SourceText& header : request.headers) {
    append_text(key, header.name);
    append_text(key, header.text);
  }
  append_number(key, request.kernels.size());
  for (const auto& kernel : request.kernels) append_text(key, kernel);
  for (const auto& option : request.options) append_text(key, option);
  return wide_hash(std::as_bytes(std::span{key}));
}

std::string text_of(const CompiledCode& code) {
  std::string text{kCodeFormat};
  append_number(text, code.kernels.size());
  for (const auto& kernel : code.kernels) append_text(text, kernel);
  append_text(text, {reinterpret_cast<const char*>(code.cubin.data()), code.cubin.size()});
  append_number(text, hash_of(text));
  return text;
}

std::optional<CompiledCode> code_in(std::string_view text) {
  std::uint64_t hash = 0;
  if (text.size() < sizeof hash || !text.starts_with(kCodeFormat)) return std::nullopt;
  auto rest = text.substr(0, text.size() - sizeof hash);
  std::memcpy(&hash, text.data() + rest.size(), sizeof hash);
  if (hash != hash_of(rest)) return std::nullopt;
  rest.remove_prefix(kCodeFormat.size());
  const auto kernels = next_number(rest);
  if (!kernels) return std::nullopt;
  CompiledCode code;
  for (std::uint64_t i = 0; i < *kernels; ++i) {
    const auto name = next_text(rest);
    if (!name) return std::nullopt;
    code.kernels.emplace_back(*name);
  }
  const auto cubin = next_text(rest);
  if (!cubin || !rest.empty()) return std::nullopt;
  const auto bytes = std::as_bytes(std::span{*cubin});
  code.cubin.assign(bytes.begin(), bytes.end());
  return code;
}

}  // namespace synthoscope::cuda
