// SPDX-License-Identifier: MIT
#include "studio/server/event_stream.hpp"
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include "core/base/json.hpp"

namespace synthoscope::studio {
namespace {

using std::chrono::milliseconds;

TEST(EventStream, GivesEachReaderWhatCameAfterItsLastEvent) {
  EventStream events;
  std::uint64_t first = 0, second = 0;
  events.publish(Json{{"type", "a"}});
  EXPECT_EQ(events.wait_after(first, milliseconds{0}), "id: 1\ndata: {\"type\":\"a\"}\n\n");
  EXPECT_EQ(events.wait_after(first, milliseconds{0}), "");
  events.publish(Json{{"text", "two\nlines"}});
  EXPECT_EQ(events.wait_after(first, milliseconds{0}),
            "id: 2\ndata: {\"text\":\"two\\nlines\"}\n\n");
  EXPECT_EQ(events.wait_after(second, milliseconds{0}),
            "id: 1\ndata: {\"type\":\"a\"}\n\nid: 2\ndata: {\"text\":\"two\\nlines\"}\n\n");
  EXPECT_EQ(first, 2u);
  EXPECT_EQ(events.latest(), 2u);
}

TEST(EventStream, KeepsOnlyTheLatestEvents) {
  EventStream events{2};
  for (int i = 1; i <= 5; ++i) events.publish(i);
  std::uint64_t last = 1;
  EXPECT_EQ(events.wait_after(last, milliseconds{0}), "id: 4\ndata: 4\n\nid: 5\ndata: 5\n\n");
}

TEST(EventStream, WakesThoseWhoWait) {
  EventStream events;
  std::string text;
  std::jthread reader{[&] {
    std::uint64_t last = 0;
    text = events.wait_after(last, std::chrono::hours{1});
  }};
  events.publish("now");
  reader.join();
  EXPECT_EQ(text, "id: 1\ndata: \"now\"\n\n");
}

}  // namespace
}  // namespace synthoscope::studio
