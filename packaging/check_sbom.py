#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_sbom.py SBOM [PROGRAM...]: is it SPDX 2.3, whole, and does it name every library the programs are linked to?

Prints every mistake and exits with 1 where there is one. Written from the specification and ldd, not from packaging/sbom.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

# Those of the SPDX list that an installation of ours can hold; LicenseRef-... must have its text in the document.
LICENCES = {"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "EPL-1.0", "EPL-2.0", "GPL-2.0-only",
            "GPL-2.0-or-later", "GPL-3.0-only", "GPL-3.0-or-later", "ISC", "LGPL-2.0-only", "LGPL-2.0-or-later",
            "LGPL-2.1-only", "LGPL-2.1-or-later", "LGPL-3.0-only", "LGPL-3.0-or-later", "MIT", "OFL-1.1", "Zlib"}


def fields(where, thing, *names):
    return [f"{where} has no {name}" for name in names if not thing.get(name) and thing.get(name) is not False]


def document_mistakes(document):
    yield from fields("the document", document, "spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace",
                      "creationInfo", "packages", "relationships")
    if document.get("spdxVersion") != "SPDX-2.3" or document.get("dataLicense") != "CC0-1.0":
        yield "the document is not SPDX 2.3 under CC0-1.0"
    creation = document.get("creationInfo", {})
    if not re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$", creation.get("created", "")) or not creation.get("creators"):
        yield "creationInfo says neither when nor by what"
    texts = {entry["licenseId"] for entry in document.get("hasExtractedLicensingInfos", []) if entry.get("extractedText")}
    names = {"SPDXRef-DOCUMENT"}
    for package in document.get("packages", []):
        where = package.get("name", "a package")
        yield from fields(where, package, "SPDXID", "name", "versionInfo", "downloadLocation", "filesAnalyzed",
                          "licenseDeclared", "licenseConcluded", "copyrightText")
        if not re.match(r"SPDXRef-[A-Za-z0-9.-]+$", package.get("SPDXID", "")) or package["SPDXID"] in names:
            yield f"{where} has no identifier of its own"
        names.add(package.get("SPDXID"))
        for word in re.split(r" (?:AND|OR) ", package.get("licenseDeclared", "")):
            if word not in texts and word not in LICENCES:
                yield f"{where}: {word} is no licence of the SPDX list, nor is its text in the document"
    pairs = set()
    for relation in document.get("relationships", []):
        for end in ("spdxElementId", "relatedSpdxElement"):
            if relation.get(end) not in names:
                yield f"a relationship names {relation.get(end)}, which is not there"
        pairs.add((relation.get("spdxElementId"), relation.get("relationshipType")))
    if ("SPDXRef-DOCUMENT", "DESCRIBES") not in pairs:
        yield "the document describes nothing"


def linked_packages(program):
    """(library, Debian package) of everything that a program is linked to in the end."""
    said = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    names = {}  # where it may be, as dpkg knows it -> library
    libraries = set()
    for name, path in re.findall(r"^\s*(\S+)(?: => (/\S+|not found))?(?: |$)", said, re.M):
        if name.startswith("linux-vdso") or path == "not found":
            continue
        libraries.add(name)
        real = str(Path(path or name).resolve())
        names |= dict.fromkeys([path or name, real, real.removeprefix("/usr")], name)
    owners = subprocess.run(["dpkg", "-S", *names], capture_output=True, text=True).stdout
    owner_of = {names[path]: owner for owner, path in re.findall(r"^([^:\s]+)(?::\w+)?: (\S+)$", owners, re.M)}
    for name in sorted(libraries):
        yield name, owner_of.get(name)


def main():
    document = json.loads(Path(sys.argv[1]).read_text())
    mistakes = list(document_mistakes(document))
    listed = {package["name"] for package in document["packages"]}
    for program in sys.argv[2:]:
        mistakes += [f"{Path(program).name} is linked to {name} of {owner}, which is not in the list"
                     for name, owner in linked_packages(program) if owner not in listed]
    print("\n".join(mistakes), end="\n" if mistakes else "")
    sys.exit(1 if mistakes else 0)


if __name__ == "__main__":
    main()
