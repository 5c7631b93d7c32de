"""WebKitGTK, Safari's engine, by its own driver on a screen that nobody sees."""

import os
import shutil
import subprocess
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.webkitgtk.options import Options

from exchange import free_port
from program import Program, wait_until

# What may carry a name: the driver is asked for the role and the name of each.
CARRIERS = "a[href], button, input, select, textarea, summary, h1, h2, h3, [role]"
# The driver of this engine tells of no console; the page keeps what happens to it.
KEPT = """
if (!window.keptErrors) {
  window.keptErrors = [];
  addEventListener("error", event => keptErrors.push(String(event.message)));
  addEventListener("unhandledrejection", event => keptErrors.push(String(event.reason)));
  addEventListener("securitypolicyviolation", event => keptErrors.push(`policy violation: ${event.violatedDirective}`));
}
"""


def mini_browser() -> str:
    """Where Debian put the browser that the driver steers: beside the library."""
    listed = subprocess.run(
        ["dpkg", "-L", "libwebkit2gtk-4.1-0"], text=True, stdout=subprocess.PIPE, check=True).stdout
    return next(line for line in listed.splitlines() if line.endswith("/MiniBrowser"))


class WebKit:
    """One window of one MiniBrowser."""

    name = "webkit"

    def __init__(self, folder: Path):
        assert shutil.which("WebKitWebDriver"), "webkit2gtk-driver is not installed: Scripts/setup tests"
        folder.mkdir(parents=True, exist_ok=True)
        # The display's number is chosen by the server and written to its standard output.
        self.screen = Program(
            ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], folder / "screen.txt")
        display = self.screen.wait_until_printed(r"(?m)^(\d+)\n").group(1)
        port = free_port()
        environment = {
            "DISPLAY": f":{display}", "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "LANG": "C.UTF-8",
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
        }
        self.driver_program = Program(
            ["dbus-run-session", "--", "WebKitWebDriver", f"--port={port}", "--host=127.0.0.1"], folder / "driver.txt",
            environment)
        os.environ["NO_PROXY"] = "127.0.0.1"
        options = Options()
        options.binary_location = mini_browser()
        options.add_argument("--automation")

        def session():
            try:
                return webdriver.Remote(command_executor=f"http://127.0.0.1:{port}", options=options)
            except Exception as error:
                if "refused" in str(error):
                    return None
                raise

        self.driver = wait_until(session, "WebKitWebDriver did not begin a session", 30, every=0.2)
        self.driver.set_script_timeout(20)
        self.driver.set_page_load_timeout(30)
        # Narrower than this its window can not be.
        self.driver.set_window_size(450, 844)

    def open(self, url: str):
        self.driver.get(url)
        self.driver.execute_script(KEPT)

    def run(self, script: str):
        return self.driver.execute_async_script(
            f"const done = arguments[0]; Promise.resolve({script}).then(done, error => done(String(error)))")

    def _nodes(self, role: str, name: str):
        found = []
        for element in self.driver.find_elements(By.CSS_SELECTOR, CARRIERS):
            try:
                if element.is_displayed() and element.accessible_name.strip() == name and element.aria_role == role:
                    found.append(element)
            except Exception:
                # It went away while it was looked at.
                continue
        return found

    def has(self, role: str, name: str) -> bool:
        return bool(self._nodes(role, name))

    def click(self, role: str, name: str):
        nodes = self._nodes(role, name)
        assert nodes, f"there is no {role} '{name}'"
        nodes[0].click()

    def type(self, name: str, text: str, role: str = "textbox"):
        nodes = self._nodes(role, name)
        assert nodes, f"there is no {role} '{name}'"
        nodes[0].click()
        nodes[0].send_keys(text)

    def picture(self, path: Path):
        self.driver.save_screenshot(str(path))

    def errors(self) -> list[str]:
        return self.driver.execute_script("return (window.keptErrors ?? []).splice(0)")

    def end(self):
        try:
            self.driver.quit()
        finally:
            self.driver_program.end()
            self.screen.end()
