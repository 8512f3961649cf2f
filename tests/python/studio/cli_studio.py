# SPDX-License-Identifier: MIT
# tests/python/studio/cli_studio.py — the page's server: whom it answers, what it writes, how it
# ends.
#
#   cli_studio.py PROGRAM [unittest arguments]
import concurrent.futures
import glob
import json
import os
import random
import re
import signal
import socket
import subprocess
import time
import urllib.parse

from program import PROGRAM, SOURCE, TINY_SCENE, main
from studio_page import JSON, PATIENCE, StudioTest

INTERRUPTED, USAGE, IO = 7, 2, 4
REFUSALS = {400, 403, 404, 405, 411, 413, 414, 415, 431}


class Address(StudioTest):
    def test_is_the_first_line_and_answers_200_with_a_cookie(self):
        page = self.start()
        self.assertRegex(page.address, r"^http://127\.0\.0\.1:[0-9]+/\?token=[0-9a-f]{64}$")
        status, headers, body = page.open()
        self.assertEqual(status, 200)
        self.assertIn(b"<html", body)
        self.assertEqual(headers.get_content_type(), "text/html")
        self.assertTrue(headers["Set-Cookie"].endswith("; Path=/; HttpOnly; SameSite=Strict"))
        self.check(page, 200, "/")
        self.check(page, 200, "/style.css")

    def test_is_of_the_loopback_interface_alone(self):
        page = self.start()
        with open("/proc/net/tcp", encoding="ascii") as table:
            local = [row.split()[1] for row in table if row.split()[3] == "0A"]
        self.assertEqual([at for at in local if at.endswith(f":{page.port:04X}")],
                         [f"0100007F:{page.port:04X}"])

    def test_has_a_token_that_differs_from_run_to_run(self):
        self.assertNotEqual(self.start().token, self.start().token)

    def test_has_the_port_that_is_given_or_is_refused(self):
        page = self.start()
        self.refused(IO, [f"listen on port {page.port}", "in use", "--port"], "studio", "--no-open",
                     "--port", page.port)
        self.refused(USAGE, ["--port"], "studio", "--port", "65536")
        port = page.port
        page.end(signal.SIGINT)
        self.assertEqual(self.start("--port", str(port)).port, port)

    def test_is_opened_in_the_browser_of_a_desktop(self):
        os.mkdir(self.path("bin"))
        self.text("bin/xdg-open", '#!/bin/sh\necho "$#$1" > part; mv part opened\n')
        os.chmod(self.path("bin/xdg-open"), 0o755)
        with_script = f"{self.path('bin')}:{os.environ['PATH']}"
        for path, display, words, is_opened in (
                (with_script, ":0", [], True), (with_script, ":0", ["--no-open"], False),
                (with_script, None, [], False), (self.path("none"), ":0", [], False)):
            environment = {**self.environment(), "PATH": path, "DISPLAY": display}
            environment.pop("WAYLAND_DISPLAY", None)
            if display is None:
                del environment["DISPLAY"]
            with self.subTest(display=display, words=words, path=path):
                page = self.start(*words, environment=environment, opens=True)
                if is_opened:
                    self.assertEqual(self.waited_for("opened"), f"1{page.address}\n")
                    os.remove(self.path("opened"))
                self.assertEqual(page.open()[0], 200)
                self.assertEqual(page.end(signal.SIGINT)[0], INTERRUPTED)
                self.assertEqual(self.listing(), ["bin"])

    def waited_for(self, name):
        """The text of a file that another process writes."""
        while not os.path.exists(self.path(name)):
            time.sleep(0.01)
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def test_is_json_if_asked(self):
        page = subprocess.Popen([PROGRAM, "studio", "--no-open", "--json"], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        lines = [page.stdout.readline() for _ in range(3)]
        page.send_signal(signal.SIGINT)
        page.communicate(timeout=PATIENCE)
        self.assertIn("?token=", json.loads("".join(lines))["address"])


class Access(StudioTest):
    def test_needs_token_host_origin_and_method(self):
        page = self.opened("--allow-host", "microscope.example")
        own = f"127.0.0.1:{page.port}"
        forged = page.cookie[:-1] + ("0" if page.cookie[-1] != "0" else "1")
        rows = [(200, {}), (403, {"Cookie": None}), (403, {"Cookie": forged}),
                (200, {"Host": "localhost:1"}), (200, {"Host": "[::1]:2"}),
                (200, {"Host": "microscope.example"}), (403, {"Host": "evil.example"}),
                (403, {"Host": f"127.0.0.1.evil.example:{page.port}"}), (403, {"Host": None}),
                (200, {"Origin": f"http://{own}"}), (403, {"Origin": "http://evil.example"}),
                (403, {"Origin": "null"}), (403, {"Origin": f"http://localhost:{page.port}"}),
                (200, {"Sec-Fetch-Site": "same-origin"}), (403, {"Sec-Fetch-Site": "cross-site"}),
                (403, {"Sec-Fetch-Site": "same-site"})]
        for status, headers in rows:
            with self.subTest(status=status, headers=headers):
                self.check(page, status, "/api/examples", headers=headers)
        for method in ("PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT"):
            with self.subTest(method):
                self.assertIn(page.ask("/api/examples", method)[0], REFUSALS)
        for path in ("/", "/style.css", "/api/examples", "/none"):
            self.check(page, 403, path, headers={"Cookie": None})
        self.check(page, 403, "/api/save", "POST", b"{}", headers={**JSON, "Cookie": None})

    def test_is_refused_on_every_path_of_the_sources(self):
        page, routes = self.opened(), set()
        for name in glob.glob(f"{SOURCE}/studio/**/*.cpp", recursive=True):
            with open(name, encoding="utf-8") as file:
                routes.update(re.findall(r'\.add\("(GET|POST)",\s*"([^"]+)"', file.read()))
        self.assertLess({("GET", "/api/keys"), ("GET", "/api/events"), ("POST", "/api/save"),
                         ("POST", "/api/preview"), ("GET", "/api/preview/*/*/*")}, routes)
        for method, path in sorted(routes):
            for headers in ({"Cookie": None}, {"Host": "evil.example"}, {"Origin": "null"},
                            {"Sec-Fetch-Site": "cross-site"}):
                self.check(page, 403, path.replace("*", "1"), method,
                           b"{}" if method == "POST" else None, {**JSON, **headers})

    def test_has_a_fixed_list_of_paths(self):
        page = self.opened()
        self.text("scene.toml", "")
        for path in ("/scene.toml", "/../etc/passwd", "/%2e%2e/etc/passwd", "//etc/passwd",
                     "/etc/passwd", "/style.css/../../etc/passwd", "/%2fetc%2fpasswd",
                     "/api/examples/..%2f..%2fetc%2fpasswd", "/api/examples/%00", "/index.html%00",
                     "/.", "/api", "/api/", "/page/index.html"):
            with self.subTest(path):
                self.check(page, 404, path)
        with page.raw(f"GET http://127.0.0.1:{page.port}/etc/passwd HTTP/1.1\r\nHost: localhost"
                      f"\r\nCookie: {page.cookie}\r\n\r\n".encode()) as connection:
            self.assertIn(connection.recv(1000).split(b" ")[1], (b"400", b"404"))

    def test_sends_headers_that_keep_other_pages_out(self):
        page = self.opened()
        for path, cookie in (("/", page.cookie), ("/none", page.cookie), ("/", None)):
            _, headers, _ = page.ask(path, headers={"Cookie": cookie})
            self.assertIn("default-src 'self'", headers["Content-Security-Policy"])
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(headers["Referrer-Policy"], "no-referrer")
            self.assertEqual(headers["Cache-Control"], "no-store")
            self.assertIsNone(headers["Access-Control-Allow-Origin"])

    def test_is_to_bodies_of_json_up_to_a_mebibyte(self):
        page = self.opened()
        large = json.dumps({"toml": "#" * (1 << 20), "name": "large.toml"}).encode()
        for status, body, headers in (
                (413, large, JSON), (415, b"{}", {"Content-Type": "text/plain"}), (415, b"{}", {}),
                (415, b"{}", {**JSON, "Content-Encoding": "gzip"}),
                (415, None, {**JSON, "Transfer-Encoding": "chunked"}), (411, None, JSON),
                (400, b"{", JSON), (400, b"[]", JSON), (400, b"\xff", JSON),
                (400, b"[" * 500000 + b"]" * 500000, JSON), (400, b"{}", JSON)):
            with self.subTest(status=status, headers=headers, body=(body or b"")[:9]):
                self.check(page, status, "/api/save", "POST", body, headers)
        for value in (b"[" * 100000 + b"]" * 100000, b'{"a":' * 90000 + b"1" + b"}" * 90000):
            self.check(page, 400, "/api/set", "POST",
                       b'{"toml": "", "key": "optics.na", "value": ' + value + b"}", JSON)
        self.check(page, 405, "/api/save")
        self.check(page, 405, "/api/examples", "POST", b"{}", JSON)
        self.assertEqual(self.listing(), [])


class Load(StudioTest):
    def test_fifty_connections_at_once_are_answered(self):
        page = self.opened()
        with concurrent.futures.ThreadPoolExecutor(50) as threads:
            answers = list(threads.map(lambda _: page.ask("/api/examples")[0], range(200)))
        self.assertEqual(answers, [200] * 200)

    def test_connections_beyond_64_are_closed_until_others_end(self):
        page = self.opened()
        idle = [page.raw(b"GET / HTTP/1.1\r\n") for _ in range(64)]
        with page.raw(b"GET / HTTP/1.1\r\n") as one_more:
            try:
                self.assertEqual(one_more.recv(1), b"")
            except ConnectionResetError:
                pass
        for connection in idle:
            connection.close()
        self.wait_for_place(page)

    def wait_for_place(self, page):
        """Waits until the program serves again, which is when a thread has seen an end."""
        began = time.monotonic()
        while time.monotonic() < began + PATIENCE:
            try:
                return self.check(page, 200, "/")
            except OSError:
                time.sleep(0.01)
        self.fail("the ended connections still count")

    def test_streams_of_pages_that_were_closed_leave_their_place(self):
        page = self.opened()
        streams = [page.raw(f"GET /api/events HTTP/1.1\r\nHost: localhost\r\nCookie: {page.cookie}"
                            "\r\n\r\n".encode()) for _ in range(64)]
        for stream in streams:
            self.assertTrue(stream.recv(1))
        began = time.monotonic()
        for stream in streams:
            stream.close()
        self.wait_for_place(page)
        self.assertLess(time.monotonic() - began, 10)  # before the comment that keeps streams open

    def test_half_and_slow_requests_end_and_block_nobody(self):
        page = self.opened()
        began = time.monotonic()
        halves = [page.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\n") for _ in range(20)]
        halves += [page.raw() for _ in range(20)]
        halves.append(page.raw(f"POST /api/save HTTP/1.1\r\nHost: localhost\r\nCookie: "
                               f"{page.cookie}\r\nContent-Type: application/json\r\n"
                               "Content-Length: 100\r\n\r\n{".encode()))
        slow = halves[0]
        for _ in range(20):
            self.check(page, 200, "/api/examples")
        try:  # a byte now and then buys no time
            while time.monotonic() < began + PATIENCE:
                slow.sendall(b"x")
                slow.settimeout(0.5)
                try:
                    if not slow.recv(1000):
                        break
                except TimeoutError:
                    continue
        except OSError:
            pass
        self.assertLess(time.monotonic() - began, PATIENCE)
        for half in halves[1:]:
            with half:
                try:
                    self.assertIn(half.recv(1000)[:12], (b"", b"HTTP/1.1 400"))
                except ConnectionResetError:
                    pass
        slow.close()
        self.check(page, 200, "/")

    def test_long_heads_are_cut_off(self):
        page = self.opened()
        for sent in (b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 100000, b"GET /" + b"a" * 1000000,
                     b"\n" * 1000000, bytes(1000000)):
            with socket.create_connection(("127.0.0.1", page.port), timeout=PATIENCE) as connection:
                try:
                    connection.sendall(sent)
                    connection.shutdown(socket.SHUT_WR)
                    while connection.recv(4096):
                        pass
                except OSError:
                    pass
            self.check(page, 200, "/")

    def test_random_requests_get_nothing_but_refusals(self):
        page = self.opened()
        draw, answered = random.Random(41), 0
        words = ["GET", "POST", "HEAD", "/", "/api/save", "/?token=", "..", "%2e",
                 "\r\n", "\r\n\r\n", "HTTP/1.1", "Host: localhost", "Host: evil", "Cookie: ",
                 "Content-Length: 5", "Content-Length: -1", "Transfer-Encoding: chunked",
                 "Range: bytes=0-1,0-2", ": ", "Origin: null",
                 "Expect: 100-continue", "\0", "\xff", " ", "{}", "a" * 300]
        for at in range(2000):
            sent = "".join(draw.choice(words) + draw.choice(["", " ", "\r\n"])
                           for _ in range(draw.randrange(1, 12)))
            if at % 2:  # a request that is whole, so that it is answered
                sent = (f"{draw.choice(words)} /{draw.choice(words)} HTTP/1.1\r\n"
                        f"Host: localhost\r\n{sent}")
            with page.raw((sent + "\r\n\r\n").encode("latin-1")) as connection:
                try:
                    connection.shutdown(socket.SHUT_WR)
                    answer = connection.recv(64)
                except OSError:
                    continue
            if answer.startswith(b"HTTP/1.1 100"):
                continue
            if answer:
                answered += 1
                self.assertIn(int(answer.split(b" ")[1]), REFUSALS | {416}, sent)
        self.assertGreater(answered, 1000)
        self.check(page, 200, "/")
        self.assertEqual(self.listing(), [])


class Scenes(StudioTest):
    def test_of_the_program_are_listed(self):
        page = self.opened()
        listed = json.loads(page.ask("/api/examples")[2])
        self.assertEqual(listed, self.result_of("init")["examples"])
        for row in listed:
            name = row["name"]
            for path in (name, urllib.parse.quote(name, safe="")):
                _, _, body = page.ask(f"/api/examples/{path}")
                with open(f"{SOURCE}/examples/{name}.toml", encoding="utf-8") as file:
                    self.assertEqual(json.loads(body)["toml"], file.read(), name)
        self.check(page, 404, "/api/examples/none")

    def test_that_are_given_are_opened(self):
        self.text("mine.toml", TINY_SCENE)
        page = self.opened("mine.toml")
        self.assertEqual(json.loads(page.ask("/api/scene")[2]),
                         {"name": "mine.toml", "toml": TINY_SCENE})
        page = self.opened()
        scene = json.loads(page.ask("/api/scene")[2])
        self.assertIsNone(scene["name"])
        self.assertIn("seed", scene["toml"])
        self.refused(IO, ["none.toml"], "studio", "none.toml", "--no-open")

    def test_are_saved_in_the_folder_and_never_elsewhere(self):
        page = self.opened()
        self.assertEqual(page.save("scene.toml"), (200, {"name": "scene.toml"}))
        status, answer = page.save("scene.toml", "other")
        self.assertEqual(status, 409)
        self.assertIn("exists", answer["error"])
        with open(self.path("scene.toml"), encoding="utf-8") as file:
            self.assertEqual(file.read(), TINY_SCENE)
        for name in ("../scene.toml", "/etc/scene.toml", "a/b.toml", "..", ".toml", "", "a.txt",
                     "a.toml/", ".a.toml", "a\0.toml", "a" * 300 + ".toml"):
            with self.subTest(name):
                self.assertEqual(page.save(name, overwrite=True)[0], 400)
        self.assertEqual(page.save("scene.toml", "seed = 3\n", overwrite=True)[0], 200)
        self.assertEqual(self.listing(), ["scene.toml"])
        self.succeed("simulate", "scene.toml", "--dry-run")

    def test_that_are_saved_replace_no_link_and_no_folder(self):
        page = self.opened()
        self.text("target.txt", "kept")
        os.symlink(self.path("target.txt"), self.path("link.toml"))
        os.symlink(self.path("none"), self.path("broken.toml"))
        os.mkdir(self.path("folder.toml"))
        for name in ("link.toml", "broken.toml", "folder.toml"):
            self.assertEqual(page.save(name)[0], 409, name)
        page.save("link.toml", overwrite=True)
        with open(self.path("target.txt"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "kept")

    def test_that_are_saved_survive_a_kill(self):
        page = self.opened()
        for number in range(20):
            self.assertEqual(page.save(f"{number}.toml", f"seed = {number}\n")[0], 200)
        page.program.kill()
        page.program.wait()
        page = self.opened()
        self.assertEqual(page.save("20.toml", "seed = 20\n")[0], 200)
        self.assertEqual(self.files("."),
                         {f"{number}.toml": f"seed = {number}\n".encode() for number in range(21)})

    def test_of_two_pages_do_not_replace_each_other(self):
        page = self.opened()
        with concurrent.futures.ThreadPoolExecutor(20) as threads:
            answers = list(threads.map(lambda n: page.save("one.toml", f"seed = {n}\n")[0],
                                       range(20)))
        self.assertEqual(sorted(answers), [200] + 19 * [409])


class End(StudioTest):
    def test_by_a_signal_has_the_code_of_an_interrupted_run(self):
        for how in (signal.SIGINT, signal.SIGTERM):
            page = self.opened()
            with page.raw(f"GET /api/events HTTP/1.1\r\nHost: localhost\r\nCookie: {page.cookie}"
                          "\r\n\r\n".encode()) as events, page.raw(b"GET / HT") as half:
                received = b""
                while b": the connection is kept" not in received:
                    received += events.recv(4096)
                self.assertIn(b"Content-Type: text/event-stream", received)
                code, said = page.end(how)
                self.assertEqual(code, INTERRUPTED, said)
                self.assertEqual(events.recv(4096), b"")
                self.assertEqual(half.recv(10), b"")
        self.assertEqual(self.listing(), [])


if __name__ == "__main__":
    main()
