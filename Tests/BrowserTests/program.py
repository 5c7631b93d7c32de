"""The real program, started as an operator would, and ended by its process id."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def binary() -> str:
    """The program that the environment names, or else the release build."""
    named = os.environ.get("SWITCHBOARD_PROGRAM", ".build/release/switchboard")
    return str(ROOT / named)


def wait_until(found, what: str, within: float = 20.0, every: float = 0.02):
    """The first answer of `found` that is true; fails with `what` when the limit has passed."""
    end = time.monotonic() + within
    while True:
        answer = found()
        if answer:
            return answer
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {within} s")
        time.sleep(every)


class Program:
    """A process of ours with what it printed."""

    def __init__(self, words: list[str], output: Path, environment: dict[str, str] | None = None):
        self.words = words
        self.output = output
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("SWITCHBOARD_")}
        with open(output, "ab") as file:
            self.process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT,
                env=inherited | (environment or {}), start_new_session=True)

    @property
    def printed(self) -> str:
        return self.output.read_text(errors="replace")

    def wait_until_printed(self, pattern: str, within: float = 60.0) -> re.Match:
        def found():
            match = re.search(pattern, self.printed)
            if match is None and self.process.poll() is not None:
                raise AssertionError(f"{self.words[0]} ended with {self.process.returncode}:\n{self.printed[-2000:]}")
            return match

        return wait_until(found, f"{self.words[0]} did not print {pattern}", within)

    def kill(self):
        """Ends it at once, as a power cut does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def end(self):
        """Asks it to stop, with whatever it started itself."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()


def run(words: list[str], typed: str = "") -> str:
    """Runs one command of the program to its end and gives what it printed."""
    done = subprocess.run(
        [binary(), *words], input=typed, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 0, f"switchboard {' '.join(words)}: {done.stderr}{done.stdout}"
    return done.stdout
