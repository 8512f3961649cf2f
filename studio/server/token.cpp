// SPDX-License-Identifier: MIT
#include "studio/server/token.hpp"
#include <fmt/format.h>
#include <unistd.h>
#include <cerrno>
#include <vector>
#include "core/base/error.hpp"
#include "core/system/system_failure.hpp"

namespace synthoscope::studio {

std::string random_token(std::size_t bytes) {
  std::vector<unsigned char> random(bytes);
  if (::getentropy(random.data(), random.size()) != 0)
    throw IoError(fmt::format("make a token: the system gives no random bytes ({}); try again",
                              cause_of(errno)));
  std::string text;
  for (const unsigned char byte : random) text += fmt::format("{:02x}", byte);
  return text;
}

bool equal_tokens(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  volatile unsigned char differences = 0;  // so that no compiler ends the loop early
  for (std::size_t i = 0; i < a.size(); ++i)
    differences = static_cast<unsigned char>(differences | (a[i] ^ b[i]));
  return differences == 0;
}

}  // namespace synthoscope::studio
