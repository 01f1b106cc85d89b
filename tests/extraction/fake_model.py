"""A fake language model on loopback with the APIs of OpenAI and Anthropic."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Asked = dict[str, Any]
Answer = Callable[[Asked], dict[str, Any] | int]


class FakeModel:
    """`asked` holds every request body; `keys` the headers that carried a key."""

    def __init__(self) -> None:
        self.url = ""
        self.asked: list[Asked] = []
        self.keys: list[str] = []
        self.answer: Answer = lambda asked: {}


def purpose(asked: Asked) -> str:
    """Return the purpose of a question, by the form of its answer."""
    return "relevance" if "relevant" in form(asked)["properties"] else "extraction"


def form(asked: Asked) -> dict[str, Any]:
    """Return the schema of the answer, sent as a function or a response format."""
    if "tools" not in asked:
        schema: dict[str, Any] = asked["output_config"]["format"]["schema"]
        return schema
    tool = asked["tools"][0]
    return dict(tool["function"]["parameters"])


def page_shown(asked: Asked) -> str:
    return "\n".join(str(each["content"]) for each in asked["messages"] if each["role"] == "user")


@contextmanager
def fake_model() -> Iterator[FakeModel]:
    state = FakeModel()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the name that http.server calls
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.asked.append(asked)
            state.keys.append(self.headers.get("Authorization") or self.headers.get("X-Api-Key", ""))
            output = state.answer(asked)
            status, body = (
                (output, {"error": {"message": "no"}})
                if isinstance(output, int)
                else (200, _openai_answer(asked, output))
            )
            text = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *args: object) -> None:
            """Suppress logging."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _openai_answer(asked: Asked, output: dict[str, Any]) -> dict[str, Any]:
    """Return an answer of the OpenAI API, with the form as arguments of a function call."""
    if "tools" not in asked:
        return _anthropic_answer(asked, output)
    name = asked["tools"][0]["function"]["name"]
    call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": json.dumps(output)}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_800_000_000,
        "model": asked["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }


def _anthropic_answer(asked: Asked, output: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": asked["model"],
        "content": [{"type": "text", "text": json.dumps(output)}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 20},
    }
