"""An OpenAI-compatible endpoint on loopback that says what a test wants, in every way that such a thing can fail."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

POLL_SECONDS = 0.01
# What the ordinary faults of an endpoint are answered with, and the code that the caller is told.
FAULTS = {
    "server error": (500, b"{}", "model_error"),
    "not found": (404, b"{}", "model_error"),
    "elsewhere": (302, b"", "model_error"),
    "not json": (200, b"not json", "model_answer_invalid"),
    "nothing": (200, b"", "model_answer_invalid"),
    "no choices": (200, b'{"choices": []}', "model_answer_invalid"),
    "another shape": (200, b'["choices"]', "model_answer_invalid"),
    "a list": (200, b'{"choices": [{"message": {"content": "[1]"}}]}', "model_answer_invalid"),
    "prose": (200, b'{"choices": [{"message": {"content": "sorry"}}]}', "model_answer_invalid"),
    "no content": (200, b'{"choices": [{"message": {"content": null}}]}', "model_answer_invalid"),
    "too long": (200, b"x" * 300_000, "model_answer_invalid"),
    "too deep": (200, b"[" * 100_000, "model_answer_invalid"),
}


class FakeModel:
    """Answers with what a test says; keeps what it was asked. `before` is called when a question has come."""

    def __init__(self) -> None:
        self.status, self.raw = 200, b"{}"
        self.before: Callable[[], object] = lambda: None
        self.asked: list[dict[str, Any]] = []
        self._closed = threading.Event()
        self._write = self._once
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        # It looks for the word to stop so often: half a second would be added to every test that has a model.
        threading.Thread(target=self._server.serve_forever, args=[POLL_SECONDS], daemon=True).start()

    @property
    def material(self) -> list[dict[str, Any]]:
        """The lines of the last question, without their fence."""
        text = self.asked[-1]["messages"][1]["content"]
        return [json.loads(line) for line in text.split("\n")[1:-1]]

    def says(self, content: Any) -> None:
        """Answer well: with a text, or with an object as the JSON of it."""
        text = content if isinstance(content, str) else json.dumps(content)
        self.status = 200
        self.raw = json.dumps({"choices": [{"message": {"content": text}}]}).encode()

    def fails(self, fault: str) -> str:
        """Answer with one of FAULTS; the code that it is told by."""
        self.status, self.raw, code = FAULTS[fault]
        return code

    def is_silent(self) -> None:
        """Take the question and never answer."""
        self._write = lambda handler: self._closed.wait()

    def drips(self, *, from_the_head: bool = False) -> None:
        """Answer a byte at a time, for ever."""
        self._write = self._dripping_head if from_the_head else self._dripping

    def never_ends(self) -> None:
        self._write = self._endless

    def close(self) -> None:
        self._closed.set()
        self._server.shutdown()
        self._server.server_close()

    def _once(self, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(self.status)
        handler.end_headers()
        handler.wfile.write(self.raw)

    def _dripping(self, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not self._closed.wait(0.01):
            handler.wfile.write(b" ")

    def _dripping_head(self, handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.0 200 OK\r\nX-Slow: ")
        while not self._closed.wait(0.01):
            handler.wfile.write(b"x")

    def _endless(self, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not self._closed.is_set():
            handler.wfile.write(b"x" * 10_000)

    def _handler(fake) -> type[BaseHTTPRequestHandler]:  # noqa: N805 - `self` is the handler's
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                fake.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                fake.before()
                try:
                    fake._write(self)
                except (BrokenPipeError, ConnectionResetError):
                    return

            def log_message(self, *_: object) -> None:
                return

        return Handler
