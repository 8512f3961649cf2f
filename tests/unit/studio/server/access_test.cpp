// SPDX-License-Identifier: MIT
#include "studio/server/access.hpp"
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace synthoscope::studio {
namespace {

const AccessRules kRules{"0123456789abcdef", "synthoscope_1", {"microscope.example"}};

using Headers = std::map<std::string, std::string>;

/// A GET by the page itself, with the headers of `other` instead of or beside its own; an empty
/// value removes a header.
RequestHead page_asks(const Headers& other = {}, const std::string& method = "GET",
                      const std::string& target = "/api/examples") {
  Headers headers{{"Host", "127.0.0.1:8000"}, {"Cookie", "synthoscope_1=0123456789abcdef"}};
  for (const auto& [name, value] : other) headers[name] = value;
  RequestHead head{method, target, {}};
  for (const auto& [name, value] : headers)
    if (!value.empty()) head.add(name, value);
  return head;
}

/// 200 if the request is served.
int status_of(const RequestHead& head) {
  const auto refusal = refusal_of(head, kRules);
  return refusal ? refusal->status : 200;
}

TEST(Access, IsForHostsOfThisMachineAndThoseThatAreNamed) {
  struct Row {
    const char* host;
    bool is_accepted;
  };
  for (const auto& [host, is_accepted] : std::vector<Row>{
           {"localhost", true},
           {"LocalHost:1", true},
           {"127.0.0.1:65535", true},
           {"[::1]", true},
           {"[::1]:8000", true},
           {"microscope.example:8000", true},
           {"microscope.example", true},
           {"", false},
           {"evil.example", false},
           {"evil.example:127.0.0.1", false},
           {"127.0.0.1.evil.example", false},
           {"localhost.evil.example:8000", false},
           {"evil.localhost", false},
           {"localhost.", false},
           {"localhost:http", false},
           {"localhost:1:2", false},
           {"localhost:123456", false},
           {"127.0.0.2", false},
           {"0.0.0.0", false},
           {"::1", false},
           {"[::1", false},
           {"[::2]:8000", false},
           {"[::1]evil.example", false},
           {"user@localhost", false},
           {" localhost", false},
       })
    EXPECT_EQ(is_accepted_host(host, kRules.hosts), is_accepted) << host;
}

TEST(Access, NeedsTheTokenInQueryOrCookie) {
  struct Row {
    const char* target;
    const char* cookie;
    int status;
  };
  for (const auto& [target, cookie, status] : std::vector<Row>{
           {"/", "synthoscope_1=0123456789abcdef", 200},
           {"/", "other=1; synthoscope_1=0123456789abcdef; more=2", 200},
           {"/?token=0123456789abcdef", "", 200},
           {"/?a=1&token=0123456789abcdef&b=2", "", 200},
           {"/?token=wrong", "synthoscope_1=0123456789abcdef", 200},
           {"/", "", 403},
           {"/?token=", "", 403},
           {"/?token=0123456789abcde", "", 403},
           {"/?token=0123456789abcdef0", "", 403},
           {"/?token=0123456789abcdeF", "", 403},
           {"/?atoken=0123456789abcdef", "", 403},
           {"/token=0123456789abcdef", "", 403},
           {"/", "synthoscope_1=", 403},
           {"/", "synthoscope_1", 403},
           {"/", "synthoscope_2=0123456789abcdef", 403},
           {"/", "a_synthoscope_1=0123456789abcdef", 403},
           {"/", ";;=;", 403},
       })
    EXPECT_EQ(status_of(page_asks({{"Cookie", cookie}}, "GET", target)), status)
        << target << " with " << cookie;
}

TEST(Access, IsRefusedToOtherPages) {
  struct Row {
    const char* name;
    const char* value;
    int status;
  };
  for (const auto& [name, value, status] : std::vector<Row>{
           {"Origin", "http://127.0.0.1:8000", 200},
           {"Origin", "http://127.0.0.1:8001", 403},
           {"Origin", "http://localhost:8000", 403},
           {"Origin", "https://evil.example", 403},
           {"Origin", "null", 403},
           {"Origin", "127.0.0.1:8000", 403},
           {"Sec-Fetch-Site", "same-origin", 200},
           {"Sec-Fetch-Site", "none", 200},
           {"Sec-Fetch-Site", "same-site", 403},
           {"Sec-Fetch-Site", "cross-site", 403},
           {"Sec-Fetch-Site", "anything", 403},
           {"Host", "evil.example", 403},
       })
    EXPECT_EQ(status_of(page_asks({{name, value}})), status) << name << ": " << value;
}

TEST(Access, IsRefusedIfAHeaderIsRepeated) {
  for (const char* name : {"Host", "Cookie", "Origin", "Sec-Fetch-Site"}) {
    RequestHead head = page_asks({{"Origin", "http://127.0.0.1:8000"}, {"Sec-Fetch-Site", "none"}});
    ASSERT_EQ(status_of(head), 200);
    head.add(name, "evil.example");
    EXPECT_EQ(status_of(head), 403) << name;
  }
}

TEST(Access, IsByGetOrByPostWithJsonOfALimitedLength) {
  struct Row {
    const char* method;
    Headers headers;
    int status;
  };
  const std::string json = "application/json";
  for (const auto& [method, headers, status] : std::vector<Row>{
           {"GET", {}, 200},
           {"HEAD", {}, 405},
           {"PUT", {}, 405},
           {"DELETE", {}, 405},
           {"OPTIONS", {}, 405},
           {"get", {}, 405},
           {"POST", {{"Content-Type", json}, {"Content-Length", "2"}}, 200},
           {"POST", {{"Content-Type", json + "; charset=utf-8"}, {"Content-Length", "2"}}, 200},
           {"POST", {{"Content-Type", json}, {"Content-Length", "1048576"}}, 200},
           {"POST", {{"Content-Type", json}, {"Content-Length", "1048577"}}, 413},
           {"POST", {{"Content-Type", json}, {"Content-Length", "99999999999999999999"}}, 413},
           {"POST", {{"Content-Type", json}}, 411},
           {"POST", {{"Content-Type", json}, {"Content-Length", "-1"}}, 411},
           {"POST", {{"Content-Type", json}, {"Content-Length", "0x10"}}, 411},
           {"POST", {{"Content-Type", "text/plain"}, {"Content-Length", "2"}}, 415},
           {"POST", {{"Content-Type", "application/jsonp"}, {"Content-Length", "2"}}, 415},
           {"POST", {{"Content-Length", "2"}}, 415},
           {"POST", {{"Content-Type", json}, {"Transfer-Encoding", "chunked"}}, 415},
           {"POST",
            {{"Content-Type", json}, {"Content-Length", "2"}, {"Content-Encoding", "gzip"}},
            415},
       })
    EXPECT_EQ(status_of(page_asks(headers, method)), status)
        << method << ' ' << testing::PrintToString(headers);
  EXPECT_EQ(status_of(page_asks({}, "GET", '/' + std::string(kMostTargetBytes, 'a'))), 414);
}

TEST(Access, IsByPostWithOtherBodiesWhereThePathHasThem) {
  const std::string bytes = "application/octet-stream";
  const BodyRule file{bytes, kMostUploadBytes, "."};
  for (const auto& [type, length, status] :
       std::vector<std::tuple<std::string, const char*, int>>{{bytes, "536870912", 200},
                                                              {bytes, "536870913", 413},
                                                              {bytes, "9999999999999", 413},
                                                              {bytes, "", 411},
                                                              {"application/json", "2", 415},
                                                              {"", "2", 415}}) {
    const auto refusal = refusal_of(
        page_asks({{"Content-Type", type}, {"Content-Length", length}}, "POST"), kRules, file);
    EXPECT_EQ(refusal ? refusal->status : 200, status) << type << ' ' << length;
  }
}

TEST(Access, WithoutTheTokenIsRefusedBeforeAllElse) {
  for (const char* method : {"GET", "POST", "PUT"})
    EXPECT_EQ(status_of(page_asks({{"Cookie", ""}}, method)), 403) << method;
}

}  // namespace
}  // namespace synthoscope::studio
