"""What every peer draws, and how every peer is asked.

The scene is the one of `tests/bench/frames`: marks spread evenly over the data volume, a cube of 1.2 m that stands on the
floor, with the diameters that a plan gives them. A peer is a program that reads `CAMERA FRAMES WARM_UP SECONDS` a line and
answers each with one JSON object. The camera orbits, so no frame is that of before; each frame ends when its pixels are
finished; seconds bound a case that would take too long, and then the answer has fewer frames.
"""

import json
import math
import sys
import time

WIDTH, HEIGHT = 1280, 720
FOV_Y = 33.0
EDGE = 1.2
MIDDLE = (0.0, 0.6, 0.0)
PITCH = math.radians(20.0)
STEP = math.radians(3.0)
# Meters from the middle of the volume; `away` stands where `medium` does and turns its back.
DISTANCES = {"near": 1.1, "medium": 3.2, "far": 9.0, "away": 3.2}
LEAST_FRAMES = 5


def diameter(marks):
    """As in the layout of plans, in meters."""
    return 0.010 if marks <= 100_000 else 0.006


def camera(name, frame):
    """Eye and target of a frame."""
    yaw, distance = STEP * frame, DISTANCES[name]
    out = (math.sin(yaw) * math.cos(PITCH), math.sin(PITCH), math.cos(yaw) * math.cos(PITCH))
    eye = tuple(m + distance * o for m, o in zip(MIDDLE, out))
    if name == "away":
        return eye, tuple(e + o for e, o in zip(eye, out))
    return eye, MIDDLE


def pixels_per_meter(name):
    return HEIGHT / 2 / math.tan(math.radians(FOV_Y) / 2) / DISTANCES[name]


def marks(count):
    """Positions in meters and colors as bytes; the same on every run."""
    import numpy

    random = numpy.random.default_rng(7)
    low = numpy.array(MIDDLE) - EDGE / 2
    places = (low + EDGE * random.random((count, 3))).astype(numpy.float32)
    palette = numpy.array([[0, 114, 178], [230, 159, 0], [0, 158, 115]], numpy.uint8)
    return places, palette[random.integers(0, 3, count)]


def answer(peer, version, device, count, ask, draw, differ, pick=None):
    """Answers until nobody asks: `draw(camera, frame)` ends with its pixels finished, `differ(camera)` counts pixels that
    two frames do not share, `pick()` finds the mark in the middle of the picture."""
    for line in ask:
        name, frames, warm_up, seconds = line.split()
        if name == "pick":
            if pick is None:
                say(peer=peer, camera=name, none="it has no pick of its own")
                continue
            draw("medium", 0)
            times = timed(lambda _: pick(), int(frames), int(warm_up), float(seconds))
            say(peer=peer, version=version, device=device, marks=count, camera=name, **times)
            continue
        times = timed(lambda frame: draw(name, frame), int(frames), int(warm_up), float(seconds))
        say(peer=peer, version=version, device=device, marks=count, camera=name, differ=differ(name), **times)


def timed(draw, frames, warm_up, seconds):
    for frame in range(warm_up):
        draw(frame)
    times, began = [], time.perf_counter()
    for frame in range(frames):
        start = time.perf_counter()
        draw(warm_up + frame)
        end = time.perf_counter()
        times.append((end - start) * 1e3)
        if end - began > seconds and len(times) >= LEAST_FRAMES:
            break
    times.sort()
    return {"median": times[len(times) // 2], "p90": times[len(times) * 9 // 10], "frames": len(times)}


def say(**answer):
    print(json.dumps(answer), flush=True)


def asked():
    return iter(sys.stdin.readline, "")
