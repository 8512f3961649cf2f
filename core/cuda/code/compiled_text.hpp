// SPDX-License-Identifier: MIT
// core/cuda/code/compiled_text.hpp — what names a request for device code, and compiled code as the
// bytes of a file.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include "core/cuda/code/runtime_compiler.hpp"
#include "core/math/content_hash.hpp"

namespace synthoscope::cuda {

/// Returns a hash of all that the code depends on: every letter of the request, and the version of
/// CUDA that this program was built for. The compiler's version is not in it, so that code can be
/// found on a machine without a compiler.
WideHash key_of(const CompileRequest& request);

/// Returns code as bytes from which code_in reads it again. They end with a hash of the others.
std::string text_of(const CompiledCode& code);

/// Returns the code of `text`; nothing if the text is not whole.
std::optional<CompiledCode> code_in(std::string_view text);

}  // namespace synthoscope::cuda
