# SPDX-License-Identifier: MIT
"""How long does it take to find the nearest of K words, and to learn them, beside scikit-learn?

usage: quantise.py QUANTISE_BENCH SYNTHOSCOPE [--peer PYTHON]... [--bank BANK]... [--write FILE]

Samples are responses of the filter banks at every pixel of four images of scikit-image: about a
million. Each Python's scikit-learn is asked in turn with ours, with float32 data in the order it
likes; the same words are asked for in float64 and must be ours. Times are the processor's, of one
thread each, so that what else is running changes them little.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

IMAGES = ("brick", "grass", "gravel", "camera")
BANKS = (("mr8", 8), ("schmid", 13), ("lm", 48))
WORDS = (50, 200, 1000)
LEARNED_FROM, ITERATIONS = 100_000, 20


def run(*command):
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([str(word) for word in command], check=True, capture_output=True,
                          text=True, env=one_thread)
    return json.loads(done.stdout) if done.stdout else None


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown"


# What a peer is asked, by its own Python


def library():
    import sklearn
    import threadpoolctl
    blas = [f"{one['internal_api']} {one['version']}" for one in threadpoolctl.threadpool_info()
            if one["user_api"] == "blas"]
    return f"scikit-learn {sklearn.__version__}, {blas[0] if blas else 'the reference BLAS'}"


def timed(work, runs):
    seconds = []
    for _ in range(runs):
        start = time.process_time()
        found = work()
        seconds.append(time.process_time() - start)
    return min(seconds), found


def predict(samples, words, expected):
    """Seconds of KMeans.predict, and how many of its words in float64 are not ours."""
    from sklearn.cluster import KMeans
    x, words = np.load(samples), np.load(words)
    peer = KMeans(len(words), init=words, n_init=1, max_iter=1).fit(words)
    peer.cluster_centers_ = words
    seconds, _ = timed(lambda: peer.predict(x), 5)
    peer = KMeans(len(words), init=words.astype("f8"), n_init=1, max_iter=1).fit(words.astype("f8"))
    peer.cluster_centers_ = words.astype("f8")
    ours, theirs = np.fromfile(expected, "u2"), peer.predict(x.astype("f8"))
    other = np.flatnonzero(ours != theirs)
    apart = [((x[other].astype("f8") - words[of[other]]) ** 2).sum(1) for of in (ours, theirs)]
    return {"seconds": seconds, "other": int((apart[0] > apart[1]).sum()), "ties": len(other),
            "library": library()}


def learn(samples, start):
    from sklearn.cluster import KMeans
    x, start = np.load(samples)[::10][:LEARNED_FROM], np.load(start)
    x = np.ascontiguousarray(x)
    seconds, peer = timed(lambda: KMeans(len(start), init=start, n_init=1, max_iter=ITERATIONS,
                                         tol=0).fit(x), 3)
    return {"seconds": seconds, "inertia": float(peer.inertia_), "iterations": int(peer.n_iter_)}


# What is asked


def features_of(program, bank, folder):
    """Responses of the bank at every pixel: [sample, feature]."""
    import skimage.data
    import tifffile
    found = []
    for name in IMAGES:
        image = getattr(skimage.data, name)().astype("f4")
        tifffile.imwrite(folder / "image.tif", image / image.std(), photometric="minisblack")
        subprocess.run([program, "filter", folder / "image.tif", "-o", folder / "out.tif", "--bank",
                        bank, "--output-type", "float32", "--overwrite"], check=True,
                       capture_output=True)
        responses = tifffile.imread(folder / "out.tif")
        found.append(responses.reshape(len(responses), -1))
    return np.concatenate(found, 1).T


def rows_of(args, bank, folder):
    x = features_of(args.program, bank, folder)
    np.save(folder / "x.npy", np.ascontiguousarray(x))
    np.ascontiguousarray(x.T).tofile(folder / "planes")
    few = x[::10][:LEARNED_FROM]
    np.ascontiguousarray(few.T).tofile(folder / "few")
    for count in WORDS:
        start = np.ascontiguousarray(few[:: len(few) // count][:count])
        start.tofile(folder / "start")
        np.save(folder / "start.npy", start)
        learned = run(args.bench, "learn", folder / "few", len(few), folder / "start", ITERATIONS,
                      folder / "words")
        words = np.fromfile(folder / "words", "f4").reshape(count, -1)
        np.save(folder / "words.npy", words)
        ours = run(args.bench, "assign", folder / "planes", len(x), folder / "words",
                   folder / "out")
        peers = [(run(peer, __file__, "--predict", folder / "x.npy", folder / "words.npy",
                      folder / "out"),
                  run(peer, __file__, "--learn", folder / "x.npy", folder / "start.npy"))
                 for peer in args.peer]
        yield x.shape, count, ours, learned, peers


def report(args):
    assigned, learned_rows = [], []
    with tempfile.TemporaryDirectory() as scratch:
        for bank, features in BANKS:
            if args.bank and bank not in args.bank:
                continue
            for (samples, _), count, ours, learned, peers in rows_of(args, bank,
                                                                     pathlib.Path(scratch)):
                lanes = {"avx512": 16, "avx2": 8, "baseline": 4}[ours["vector_unit"]]
                floor = count * (features + 5) / lanes / ours["multiply_adds"] * 1e9
                each = 1e9 / samples
                assigned.append([bank, features, count, f"{ours['naive'] * each:.0f}",
                                 f"{floor:.1f}", f"{ours['seconds'] * each:.1f}"] +
                                [cell for peer, _ in peers for cell in
                                 (f"{peer['seconds'] * each:.0f}",
                                  f"{peer['seconds'] / ours['seconds']:.1f}")] +
                                [f"{ours['in_double'] * 1e6 / samples:.0f}",
                                 "/".join(str(peer["other"]) for peer, _ in peers)])
                learned_rows.append([bank, features, count, f"{learned['seconds']:.2f} s"] +
                                    [cell for _, peer in peers for cell in
                                     (f"{peer['seconds']:.2f} s",
                                      f"{peer['seconds'] / learned['seconds']:.1f}",
                                      f"{learned['inertia'] / peer['inertia']:.6f}")])
                print(assigned[-1], learned_rows[-1], flush=True)
    names = [peer["library"] for peer, _ in peers]
    head = f"{processor()}, one thread, {ours['vector_unit']}; commit " \
           f"{os.environ.get('SYNTHOSCOPE_COMMIT', 'unknown')}"
    first = ["bank", "features", "words", "naive", "floor", "ours"]
    first += [cell for name in names for cell in (name, "times ours")]
    second = ["bank", "features", "words", "ours"]
    second += [cell for name in names for cell in (name, "times ours", "inertia, ours / its")]
    return head, table(first + ["in double, of a million", "not ours"], assigned), \
        table(second, learned_rows)


def table(head, rows):
    lines = [head, ["---"] + ["--:"] * (len(head) - 1)] + rows
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines) + "\n"


def main():
    if sys.argv[1] in ("--predict", "--learn"):
        work = predict if sys.argv[1] == "--predict" else learn
        return print(json.dumps(work(*sys.argv[2:])))
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("bench")
    options.add_argument("program")
    options.add_argument("--peer", action="append")
    options.add_argument("--bank", action="append", choices=[bank for bank, _ in BANKS])
    options.add_argument("--write", type=pathlib.Path)
    args = options.parse_args()
    args.peer = args.peer or [sys.executable]
    text = "\n".join(report(args))
    print(text)
    if args.write:
        args.write.write_text(text)


main()
