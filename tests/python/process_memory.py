# SPDX-License-Identifier: MIT
# tests/python/process_memory.py — how much memory a call of this process takes.
import threading
import time


def anonymous():
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("RssAnon"))


def most_anonymous(call):
    """How far anonymous memory was seen to grow while `call` worked, in bytes. A busy machine sees
    less than there was: this is for upper bounds alone."""
    before, most, stop = anonymous(), [0], threading.Event()

    def look():
        while not stop.is_set():
            most[0] = max(most[0], anonymous() - before)
            time.sleep(0.001)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        call()
    finally:
        stop.set()
        looking.join()
    return most[0]
