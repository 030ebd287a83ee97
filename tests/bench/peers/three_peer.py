"""three.js in headless Chromium: `points` (its Points with sizes that follow distance) or `instances` (its InstancedMesh over
an icosahedron of 20 triangles, lit). Serves the page, passes questions on and answers back.

No antialiasing and no presentation to a screen: frames are drawn one after the other as fast as they come, and each ends
when one of its pixels was read.
"""

import functools
import http.server
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading

import scene

style, count, library = sys.argv[1], int(sys.argv[2]), sys.argv[3]
folder = os.path.dirname(os.path.abspath(__file__))
places, colors = scene.marks(count)
questions, answers = queue.Queue(), queue.Queue()


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        kind = "application/octet-stream"
        if self.path.startswith("/build/"):
            with open(os.path.join(library, "build", os.path.basename(self.path)), "rb") as file:
                body, kind = file.read(), "text/javascript"
        elif self.path == "/places":
            body = places.tobytes()
        elif self.path == "/colors":
            body = colors.tobytes()
        elif self.path == "/scene":
            said = {name: getattr(scene, name) for name in ("WIDTH", "HEIGHT", "FOV_Y", "LEAST_FRAMES")}
            said |= {"style": style, "diameter": scene.diameter(count), "cameras": {}}
            for name in scene.DISTANCES:
                said["cameras"][name] = [scene.camera(name, frame) for frame in range(120)]
            body, kind = json.dumps(said).encode(), "application/json"
        elif self.path == "/next":
            body, kind = questions.get().encode(), "text/plain"
        elif self.path == "/":
            with open(os.path.join(folder, "three_peer.html"), "rb") as file:
                body, kind = file.read(), "text/html"
        else:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        # Isolated pages have the finer clock.
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        answers.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if browser is None:
    scene.say(peer=f"three {style}", none="no Chromium here: apt-get install chromium")
    sys.exit()
with tempfile.TemporaryDirectory() as profile:
    flags = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run", "--mute-audio"]
    flags += ["--ignore-gpu-blocklist", "--enable-unsafe-swiftshader", f"--user-data-dir={profile}"]
    # Through Mesa's llvmpipe, as the others; SwiftShader, its own, is slower here.
    flags += os.environ.get("CHROMIUM_GRAPHICS", "--use-angle=gl-egl").split()
    address = f"http://127.0.0.1:{server.server_address[1]}/"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([browser, *flags, address], start_new_session=True, **quiet)
    try:
        ready = answers.get(timeout=120)
        for line in scene.asked():
            questions.put(line)
            answer = answers.get(timeout=900)
            scene.say(peer=f"three {style}", version=ready["version"], device=ready["device"], marks=count, **answer)
    finally:
        os.killpg(process.pid, 15)
        process.wait(20)
