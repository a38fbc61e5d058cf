# SPDX-License-Identifier: Apache-2.0
"""What a package is made of: an installation that was moved works, the desktop's files agree with each other, manual pages
and completions know every command, and the list of parts is whole.

test_packaging.py BUILD: the build tree to install from, with everything built.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(sys.argv.pop() if len(sys.argv) > 1 else "build").resolve()
LINUX = ROOT / "packaging" / "linux"
ID = "org.rematstudio.RematStudio"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


def call(*command, **more):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **more)


def commands_of(remat):
    found = re.search(r"^Subcommands:\n((?:  .*\n)+)", call(remat, "--help").stdout, re.M)
    return re.findall(r"^  ([\w-]+)", found[1], re.M)


class Moved(unittest.TestCase):
    """Installed into one folder and moved to another, with nothing of the build tree on the way."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        first = Path(cls.folder.name) / "first"
        done = call("cmake", "--install", BUILD, "--prefix", first)
        assert done.returncode == 0, done.stderr
        cls.prefix = first.rename(Path(cls.folder.name) / "moved here")
        cls.remat = cls.prefix / "bin" / "remat"
        cls.sample = cls.prefix / "share" / "remat-studio" / "samples" / "tiny_unet.pt2"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_every_program_says_the_one_version(self):
        version = re.search(r"VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text().split("project(", 1)[1])[1]
        for program in sorted((self.prefix / "bin").iterdir()):
            said = call(program, "--version")
            self.assertEqual((said.returncode, said.stdout), (0, f"{program.name} {version}\n"))

    def test_devices_samples_and_the_helper_are_found(self):
        plan = self.prefix / "a.plan.json"
        made = call(self.remat, "plan", self.sample, "--budget", "70%", "--device", "h100", "--solver", "checkmate",
                    "--time-limit", "3", "-o", plan, cwd="/")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual(call(self.remat, "check", self.sample, plan, cwd="/").returncode, 0)

    def test_the_window_speaks_every_language_there_is(self):
        languages = {file.stem for file in (ROOT / "resources" / "translations").glob("remat-studio_*.ts")}
        installed = self.prefix / "share" / "remat-studio" / "translations"
        self.assertIn("remat-studio_de", languages)
        self.assertEqual({file.name for file in installed.iterdir()}, {f"{name}.qm" for name in languages})
        for language, word in {"de_DE.UTF-8": "Zeigt diese Hilfe.", "en_GB.UTF-8": "Says this."}.items():
            said = call(self.prefix / "bin" / "remat-studio", "--help",
                        env={"HOME": str(self.prefix), "PATH": "/usr/bin:/bin", "LC_ALL": language})
            self.assertIn(word, said.stdout, said.stderr)

    def test_programs_name_no_folder_to_load_from(self):
        for file in [*(self.prefix / "bin").iterdir(), *(self.prefix / "lib").rglob("*.so")]:
            self.assertNotRegex(call("readelf", "-d", file).stdout, r"\((RPATH|RUNPATH)\)", file.name)

    def test_libtorch_is_offered(self):
        nothing = self.prefix / "nothing"
        environment = {"REMAT_TORCH_DIR": str(nothing), "HOME": str(self.prefix), "PATH": "/usr/bin:/bin"}
        said = call(self.remat, "torch", "--json", env=environment)
        self.assertEqual(said.returncode, 1)
        answer = json.loads(said.stdout)
        self.assertIn("remat torch --install", answer["sentence"])
        self.assertEqual([place["folder"] for place in answer["places"]], [str(nothing)])
        script = self.prefix / "share" / "remat-studio" / "get-torch"
        self.assertEqual(call("sh", "-n", script).returncode, 0)


class Desktop(unittest.TestCase):
    def setUp(self):
        self.entry = dict(line.split("=", 1) for line in (LINUX / f"{ID}.desktop").read_text().splitlines() if "=" in line)
        self.types = xml.parse(LINUX / "remat-studio.mime.xml").getroot()
        self.names = {entry.get("type") for entry in self.types}

    def test_entry(self):
        self.assertEqual((self.entry["Exec"], self.entry["Icon"]), ("remat-studio %f", ID))
        self.assertEqual(set(self.entry["MimeType"].strip(";").split(";")), self.names)
        if shutil.which("desktop-file-validate"):
            done = call("desktop-file-validate", LINUX / f"{ID}.desktop")
            self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_file_types(self):
        globs = {glob.get("pattern"): entry.get("type") for entry in self.types for glob in entry.iter(MIME + "glob")}
        self.assertEqual(globs["*.pt2"], "application/x-torch-export")
        self.assertEqual(globs["*.remat"], globs["*.rematsession"])
        self.assertIn("plan", globs["*.plan.json"])
        magic = {match.get("value") for match in self.types.iter(MIME + "match")}
        self.assertEqual(magic, {'"remat-session/', '"remat-plan/', '"remat-graph/'})

    def test_appstream(self):
        file = BUILD / f"{ID}.metainfo.xml"
        root = xml.parse(file).getroot()
        self.assertEqual(root.findtext("id"), ID)
        self.assertEqual(root.findtext("launchable"), f"{ID}.desktop")
        self.assertEqual({entry.text for entry in root.iter("mediatype")}, self.names)
        version = re.search(r"CMAKE_PROJECT_VERSION:STATIC=(.*)", (BUILD / "CMakeCache.txt").read_text())[1]
        self.assertEqual(root.find("releases/release").get("version"), version)
        if shutil.which("appstreamcli"):
            done = call("appstreamcli", "validate", "--no-net", file)
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_icon(self):
        root = xml.parse(ROOT / "resources" / "remat-studio.svg").getroot()
        self.assertEqual(root.get("width"), root.get("height"))
        self.assertIn("<file>remat-studio.svg</file>", (ROOT / "resources" / "studio.qrc").read_text())


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.out = Path(cls.folder.name)
        cls.remat = BUILD / "bin" / "remat"
        done = call(sys.executable, ROOT / "packaging" / "program_pages.py", BUILD / "bin", ROOT / "resources", cls.out,
                    "--epoch", "0")
        assert done.returncode == 0, done.stderr
        cls.options = {command: re.findall(r"(?<=[\s,])--?[a-z][a-z-]*", call(cls.remat, command, "--help").stdout)
                       for command in commands_of(cls.remat)}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def complete(self, *words):
        script = (f'. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _remat; printf "%s\\n" "${{COMPREPLY[@]}}"')
        done = call("bash", "--norc", "-c", script, "bash", self.out / "completions/bash/remat", "remat", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_manual_knows_every_command_and_option(self):
        page = (self.out / "man" / "remat.1").read_text().replace("\\-", "-")
        self.assertGreater(len(self.options), 10)
        for command, options in self.options.items():
            section = page.split(f".SS remat {command} ", 1)[-1].split(".SS ", 1)[0]
            self.assertNotEqual(section, page, command)
            for option in set(options) - {"-h", "--help"}:
                self.assertIn(f"\\fB{option}\\fR", section, f"{command} {option}")
        for program in (BUILD / "bin").iterdir():
            if program.name in ("remat-studio", "remat-layout", "remat-cbc"):
                self.assertTrue((self.out / "man" / f"{program.name}.1").stat().st_size > 300)

    def test_manual_renders_without_a_warning(self):
        if not shutil.which("groff"):
            self.skipTest("groff is not installed")
        for page in (self.out / "man").iterdir():
            done = call("groff", "-man", "-Tutf8", "-ww", "-z", page)
            self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)

    def test_bash_completes_commands_options_and_values(self):
        self.assertEqual(set(self.complete("")), set(self.options))
        for command, options in self.options.items():
            self.assertLessEqual(set(options), set(self.complete(command, "-")), command)
        self.assertEqual(self.complete("plan", "--solver", "hi"), ["hiremate"])
        self.assertEqual(self.complete("info", "--device", "h1"), ["h100"])
        self.assertEqual(self.complete("validate", "--device", "c"), ["cpu", "cuda"])
        self.assertIn("chrome-trace", self.complete("export", "--as", "ch"))

    def test_other_shells_know_every_command(self):
        zsh = (self.out / "completions/zsh/_remat").read_text()
        fish = (self.out / "completions/fish/remat.fish").read_text()
        for command, options in self.options.items():
            self.assertIn(f"        {command})\n", zsh)
            self.assertIn(f" -a {command} ", fish)
            for option in options:
                self.assertIn(option, zsh)
        if shutil.which("zsh"):
            self.assertEqual(call("zsh", "-n", self.out / "completions/zsh/_remat").returncode, 0)


class Parts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.out = Path(cls.folder.name)
        cls.programs = (BUILD / "package_programs.txt").read_text().splitlines()
        done = call(sys.executable, ROOT / "packaging" / "sbom", BUILD, cls.out)
        assert done.returncode == 0, done.stderr
        cls.document = json.loads((cls.out / "sbom.spdx.json").read_text())

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def judged(self, document, *programs):
        file = self.out / "judged.json"
        file.write_text(json.dumps(document))
        done = call(sys.executable, ROOT / "packaging" / "check_sbom.py", file, *programs)
        return done.returncode, done.stdout + done.stderr

    def test_it_is_whole(self):
        self.assertEqual(self.judged(self.document, *self.programs), (0, ""))

    def test_a_library_that_is_missing_is_seen(self):
        document = json.loads(json.dumps(self.document))
        document["packages"] = [entry for entry in document["packages"] if not entry["name"].startswith("libzip")]
        kept = {entry["SPDXID"] for entry in document["packages"]} | {"SPDXRef-DOCUMENT"}
        document["relationships"] = [entry for entry in document["relationships"] if entry["relatedSpdxElement"] in kept
                                     and entry["spdxElementId"] in kept]
        code, said = self.judged(document, BUILD / "bin" / "remat")
        self.assertEqual(code, 1)
        self.assertIn("remat is linked to libzip", said)

    def test_a_broken_document_is_seen(self):
        for change in (lambda d: d.pop("dataLicense"), lambda d: d["packages"][0].pop("versionInfo"),
                       lambda d: d["packages"][0].update(licenseDeclared="whatever"),
                       lambda d: d["relationships"][0].update(relatedSpdxElement="SPDXRef-nobody"),
                       lambda d: d["hasExtractedLicensingInfos"].clear()):
            document = json.loads(json.dumps(self.document))
            change(document)
            self.assertEqual(self.judged(document)[0], 1)

    def test_headers_fonts_icons_and_libtorch_are_in_it(self):
        names = {entry["name"] for entry in self.document["packages"]}
        for part in ("nlohmann-json3-dev", "libcli11-dev", "libexpected-dev", "Lucide icons", "torch", "libqt6widgets6"):
            self.assertIn(part, names)
        table = (self.out / "THIRD-PARTY.md").read_text()
        for name in names - {"remat-studio"}:
            self.assertIn(f"| {name} |", table)
            if name != "torch":
                self.assertTrue((self.out / "licenses" / (re.sub(r"[^A-Za-z0-9.+-]+", "-", name) + ".txt")).exists(), name)


if __name__ == "__main__":
    unittest.main()
