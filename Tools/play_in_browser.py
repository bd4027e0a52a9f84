"""Plays a video in Chromium to its end and prints its length and size; fails where Chromium can't.

usage: play_in_browser.py VIDEO
"""

import http.server
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading

PAGE = b"""<!doctype html><title>clip</title><video id="video" muted autoplay src="/video"></video>
<script>
const video = document.getElementById("video")
const tell = text => fetch("/result", {method: "POST", body: text})
video.onerror = () => tell("error " + video.error.message)
video.onended = () => tell("played " + video.duration.toFixed(2) + " s, " + video.videoWidth + "x" + video.videoHeight)
</script>"""
PATIENCE = 90


def serve(video, results):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            is_video = self.path == "/video"
            body = video if is_video else PAGE
            self.send_response(200)
            self.send_header("Content-Type", "video/mp4" if is_video else "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self):
            results.put(self.rfile.read(int(self.headers["Content-Length"])).decode())
            self.send_response(204)
            self.end_headers()

        def log_message(self, *arguments):
            """Requests are of no interest."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def main(path):
    with open(path, "rb") as file:
        video = file.read()
    results = queue.Queue()
    profile = tempfile.mkdtemp()
    command = [
        "chromium", "--headless", "--disable-gpu", "--no-first-run", f"--user-data-dir={profile}",
        "--autoplay-policy=no-user-gesture-required", f"http://127.0.0.1:{serve(video, results)}/",
    ]
    if os.getuid() == 0:
        # A sandbox of its own needs more rights than root in a container has.
        command.insert(1, "--no-sandbox")
    browser = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        result = results.get(timeout=PATIENCE)
    except queue.Empty:
        result = f"nothing in {PATIENCE} s"
    finally:
        browser.terminate()
        browser.wait()
        shutil.rmtree(profile, ignore_errors=True)
    print(f"  {os.path.basename(path)}: Chromium {result}")
    return 0 if result.startswith("played") else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
