"""Makes the fonts of the window from Debian's packages of Inter and JetBrains Mono.

    pip install fonttools
    python3 make_fonts.py

Needs apt-get and dpkg-deb. What comes out lies beside this script:

* Remat Sans, from Inter: the ten digits are the tabular ones, so that columns of figures line up (Qt 6.4 has no call for
  font features); contextual alternates, which would turn "->" and "8x8" into other characters, are gone.
* Remat Mono, from JetBrains Mono: without ligatures, so that code reads as it was written.

Both hold Latin, punctuation, arrows and the mathematical signs that the window writes, and nothing else. Modified fonts
must not carry the names of the originals (SIL Open Font License, section 3), hence the family names.
"""

import subprocess
import tempfile
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

HERE = Path(__file__).resolve().parent
PACKAGES = ["fonts-inter", "fonts-jetbrains-mono"]
WEIGHTS = {"Regular": 400, "Medium": 500, "SemiBold": 600}
FACES = [
    ("opentype/inter/Inter-{}.otf", "Remat Sans", ["Regular", "Medium", "SemiBold"]),
    ("truetype/jetbrains-mono/JetBrainsMono-{}.ttf", "Remat Mono", ["Regular", "SemiBold"]),
]
UNICODES = (
    list(range(0x20, 0x180))  # Latin
    + [0x2BC, 0x2C6, 0x2C7, 0x2D8, 0x2DA, 0x2DC]
    + list(range(0x391, 0x3CA))  # Greek: µ, λ, σ, and the names of papers
    + list(range(0x2000, 0x2070))  # spaces, dashes, quotes, ellipsis, bullets
    + [0x2070] + list(range(0x2074, 0x208F))  # raised and lowered digits
    + [0x20AC, 0x2122, 0x2126]
    + list(range(0x2190, 0x219A)) + [0x21A9, 0x21AA, 0x21BA, 0x21BB, 0x21D2, 0x21D4, 0x21E7]
    + [0x2202, 0x2206, 0x2208, 0x220F, 0x2211, 0x2212, 0x2215, 0x2217, 0x2219, 0x221A, 0x221E, 0x2229, 0x222B, 0x2248]
    + [0x2260, 0x2264, 0x2265, 0x2318, 0x25A0, 0x25B2, 0x25B6, 0x25BC, 0x25C0, 0x25C6, 0x25CF, 0x2713, 0x2717]
)
FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl"]


def use_tabular_digits(font: TTFont) -> None:
    """Points the characters 0 to 9 at the glyphs that the feature `tnum` would choose."""
    gsub = font["GSUB"].table
    lookups = {
        index
        for record in gsub.FeatureList.FeatureRecord
        if record.FeatureTag == "tnum"
        for index in record.Feature.LookupListIndex
    }
    mapping = {}
    for index in lookups:
        for table in gsub.LookupList.Lookup[index].SubTable:
            mapping.update(getattr(table, "ExtSubTable", table).mapping)
    for table in font["cmap"].tables:
        if table.isUnicode():
            for code in range(ord("0"), ord("9") + 1):
                table.cmap[code] = mapping.get(table.cmap[code], table.cmap[code])  # tables may share one map
    digits = [font.getBestCmap()[code] for code in range(ord("0"), ord("9") + 1)]
    width = max(font["hmtx"][glyph][0] for glyph in digits)
    for glyph in digits:  # the weights between the masters are off by a unit or two
        assert width - font["hmtx"][glyph][0] < 5, f"{glyph} is not a tabular digit"
        font["hmtx"][glyph] = (width, font["hmtx"][glyph][1])


def rename(font: TTFont, family: str, style: str) -> None:
    names = font["name"]
    original = f"Made from {names.getDebugName(4)}, {names.getDebugName(5)}."
    postscript = f"{family}-{style}".replace(" ", "")
    linked = family if style == "Regular" else f"{family} {style}"
    texts = {1: linked, 2: "Regular", 3: f"{postscript};{names.getDebugName(5)}", 4: f"{family} {style}", 6: postscript,
             10: original, 16: family, 17: style}
    for record in list(names.names):
        if record.nameID in texts or record.nameID in (7, 8, 9, 11, 12, 18, 19, 21, 22, 25):
            names.removeNames(nameID=record.nameID)
    for identifier, text in texts.items():
        names.setName(text, identifier, 3, 1, 0x409)
    font["OS/2"].usWeightClass = WEIGHTS[style]
    if "CFF " in font:
        cff = font["CFF "].cff
        cff.fontNames[0] = postscript
        top = cff.topDictIndex[0]
        top.FamilyName, top.FullName = family, f"{family} {style}"
        for trademark in ("Notice", "Copyright"):
            if hasattr(top, trademark):
                delattr(top, trademark)


def make(source: Path, family: str, style: str) -> Path:
    font = TTFont(source)
    if family == "Remat Sans":
        use_tabular_digits(font)
    options = subset.Options()
    options.layout_features = FEATURES
    options.hinting = False
    options.name_IDs = ["*"]
    options.notdef_outline = True
    options.glyph_names = False
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=UNICODES)
    subsetter.subset(font)
    rename(font, family, style)
    target = HERE / f"{family.replace(' ', '')}-{style}{source.suffix}"
    font.save(target)
    return target


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["apt-get", "download", *PACKAGES], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        for package in Path(folder).glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", package, folder], check=True)
        for pattern, family, styles in FACES:
            for style in styles:
                target = make(Path(folder) / "usr/share/fonts" / pattern.format(style), family, style)
                print(f"{target.name}: {target.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
