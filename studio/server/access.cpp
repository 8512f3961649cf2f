// SPDX-License-Identifier: MIT
#include "studio/server/access.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include "studio/server/token.hpp"

namespace synthoscope::studio {
namespace {

constexpr std::array<std::string_view, 3> kLoopbackHosts{"localhost", "127.0.0.1", "[::1]"};

std::string in_lower_case(std::string_view text) {
  std::string lower{text};
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

bool are_digits(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Returns the value of a header that may be given once; nothing if it is absent or repeated.
std::optional<std::string_view> only_value(const RequestHead& head, const std::string& name) {
  const auto [first, last] = head.headers.equal_range(name);
  if (first == last || std::next(first) != last) return std::nullopt;
  return first->second;
}

bool has(const RequestHead& head, const std::string& name) {
  return head.headers.contains(name);
}

/// A page of this server, or the user, who typed the address or opened it from another program.
bool is_own_origin(const RequestHead& head, std::string_view host) {
  if (has(head, "sec-fetch-site")) {
    const auto site = only_value(head, "sec-fetch-site");
    if (site != "same-origin" && site != "none") return false;
  }
  if (!has(head, "origin")) return true;
  const std::string origin = in_lower_case(only_value(head, "origin").value_or(""));
  const std::string own = in_lower_case(host);
  return origin == "http://" + own || origin == "https://" + own;
}

bool has_token(const RequestHead& head, const AccessRules& rules) {
  if (equal_tokens(query_value(head.target, "token"), rules.token)) return true;
  const auto cookies = only_value(head, "cookie");
  return cookies && equal_tokens(cookie_in(*cookies, rules.cookie), rules.token);
}

std::optional<Refusal> refusal_of_body(const RequestHead& head, const BodyRule& rule) {
  if (has(head, "transfer-encoding") || has(head, "content-encoding"))
    return Refusal{415, "read the request: its body is encoded; send it plain"};
  const auto length = only_value(head, "content-length");
  if (!length || length->empty() || !are_digits(*length))
    return Refusal{411, "read the request: the length of its body is not known; send it"};
  constexpr std::size_t kMostDigits = 12;
  if (length->size() > kMostDigits || std::stoll(std::string{*length}) > rule.most_bytes)
    return Refusal{413, fmt::format("read the request: its body has {} bytes; at most {} are "
                                    "accepted",
                                    length->substr(0, 20), rule.most_bytes)};
  const std::string type = in_lower_case(only_value(head, "content-type").value_or(""));
  if (type != rule.type && !type.starts_with(rule.type + ";"))
    return Refusal{
        415, fmt::format("read the request: its content type is not {0}; send {0}", rule.type)};
  return std::nullopt;
}

}  // namespace

void RequestHead::add(std::string_view name, std::string_view value) {
  headers.emplace(in_lower_case(name), value);
}

std::optional<Refusal> refusal_of(const RequestHead& head, const AccessRules& rules,
                                  const BodyRule& body) {
  const auto host = only_value(head, "host");
  if (!host || !is_accepted_host(*host, rules.hosts))
    return Refusal{403,
                   "answer the request: its host is not accepted; use localhost, or start with "
                   "--allow-host NAME"};
  if (!is_own_origin(head, *host))
    return Refusal{403,
                   "answer the request: it comes from another page; type the address that the "
                   "program printed, or paste it"};
  if (!has_token(head, rules))
    return Refusal{403,
                   "answer the request: it has no valid token; open the address that the program "
                   "printed"};
  if (head.target.size() > kMostTargetBytes)
    return Refusal{414, fmt::format("answer the request: its address has more than {} characters",
                                    kMostTargetBytes)};
  if (head.method == "GET") return std::nullopt;
  if (head.method == "POST") return refusal_of_body(head, body);
  return Refusal{405, "answer the request: only the methods GET and POST are accepted"};
}

bool is_accepted_host(std::string_view host, const std::vector<std::string>& others) {
  const std::size_t address_end = host.starts_with('[') ? host.find(']') : 0;
  if (address_end == std::string_view::npos) return false;
  const std::size_t colon = std::min(host.find(':', address_end), host.size());
  const std::string_view port = host.substr(std::min(colon + 1, host.size()));
  if (!are_digits(port) || port.size() > 5) return false;
  const std::string name = in_lower_case(host.substr(0, colon));
  const auto is_name = [&](std::string_view accepted) { return in_lower_case(accepted) == name; };
  return std::ranges::any_of(kLoopbackHosts, is_name) || std::ranges::any_of(others, is_name);
}

std::string_view cookie_in(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    const std::size_t end = std::min(header.find(';'), header.size());
    std::string_view pair = header.substr(0, end);
    header.remove_prefix(std::min(end + 1, header.size()));
    pair.remove_prefix(std::min(pair.find_first_not_of(' '), pair.size()));
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == name)
      return pair.substr(equals + 1);
  }
  return {};
}

std::string_view query_value(std::string_view target, std::string_view name) {
  std::string_view query = target.substr(path_of(target).size());
  while (!query.empty()) {
    query.remove_prefix(1);  // ? or &
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    query.remove_prefix(end);
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == name)
      return pair.substr(equals + 1);
  }
  return {};
}

std::string_view path_of(std::string_view target) {
  return target.substr(0, target.find('?'));
}

}  // namespace synthoscope::studio
