"""`./x bench peers`: frames of ours and of others, in turns, in one run; then the ratios.

usage: run.py OURS VENV THREE [MARKS,…] [FRAMES]

OURS is the bench `frames`; VENV has VTK, THREE is three.js unpacked. All of them draw the scene of `scene.py` through Mesa's
software driver (ours through Vulkan, theirs through OpenGL), 1280x720. Every peer is started and set up first and sits idle
while another draws, so that nothing is on the clock but frames. Threads are the processor seconds of a peer's processes over
the seconds that passed.
"""

import json
import os
import subprocess
import sys
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
CAMERAS = ["near", "medium", "far", "away"]
WARM_UP = 3
# Seconds after which a case ends with the frames that it has.
PATIENCE = 20
TICK = os.sysconf("SC_CLK_TCK")


def processes():
    """Parent and processor seconds of every process."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        found[int(name)] = (int(fields[1]), (int(fields[11]) + int(fields[12])) / TICK)
    return found


class Peer:
    def __init__(self, command):
        quiet = None if "PEERS_LOUD" in os.environ else subprocess.DEVNULL
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=quiet, text=True, cwd=FOLDER
        )
        self.is_there = True

    def seconds(self):
        found, kin, total = processes(), {self.process.pid}, 0.0
        grown = True
        while grown:
            more = {pid for pid, (parent, _) in found.items() if parent in kin} - kin
            grown = bool(more)
            kin |= more
        for pid in kin & found.keys():
            total += found[pid][1]
        return total

    def ask(self, camera, frames):
        if not self.is_there:
            return None
        cpu, start = self.seconds(), time.perf_counter()
        try:
            self.process.stdin.write(f"{camera} {frames} {WARM_UP} {PATIENCE}\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self.is_there = False
            return None
        answer = json.loads(line)
        answer["threads"] = round((self.seconds() - cpu) / (time.perf_counter() - start), 2)
        print(json.dumps(answer), flush=True)
        return answer

    def end(self):
        self.process.stdin.close()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()


def compare(ours, python, three, marks, frames):
    commands = {
        "ours": [ours, "--bench", "serve", str(marks)],
        "vtk points": [python, "vtk_peer.py", "points", str(marks)],
        "vtk glyphs": [python, "vtk_peer.py", "glyphs", str(marks)],
        "three points": [python, "three_peer.py", "points", str(marks), three],
        "three instances": [python, "three_peer.py", "instances", str(marks), three],
    }
    peers = {name: Peer(command) for name, command in commands.items()}
    rows = []
    for camera in [*CAMERAS, "pick"]:
        answers = {name: peer.ask(camera, frames) for name, peer in peers.items()}
        rows.append((camera, answers))
    for peer in peers.values():
        peer.end()
    return rows


def told(answer):
    if answer is None:
        return "did not answer"
    if "none" in answer:
        return "none"
    seen = "" if answer.get("differ", 1) or answer["camera"] in ("away", "pick") else " (nothing drawn)"
    return f"{answer['median']:.3g} ms{seen}"


def main():
    ours, venv, three = sys.argv[1:4]
    sizes = [int(n) for n in (sys.argv[4] if len(sys.argv) > 4 else "100000,1000000").split(",")]
    frames = int(sys.argv[5]) if len(sys.argv) > 5 else 50
    python = os.path.join(venv, "bin", "python")
    lines = []
    for marks in sizes:
        for camera, answers in compare(ours, python, three, marks, frames):
            mine = answers["ours"]
            for name, answer in answers.items():
                ratio = ""
                if name != "ours" and mine and answer and "median" in mine and "median" in answer:
                    ratio = f"{answer['median'] / mine['median']:.2f} times ours"
                lines.append(f"{marks:>10,}  {camera:<7}  {name:<15}  {told(answer):>22}  {ratio}".rstrip())
    print("\n     marks  camera   peer                         median")
    print("\n".join(lines))


main()
