# SPDX-License-Identifier: Apache-2.0
"""Writes the puzzles and their graphs; `remat puzzle make *.json` then proves each optimum and writes it in."""

import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from layered_net import UNIT, Net  # noqa: E402


def chain(sizes, times=None, masks=()):
    net = Net()
    before = "x"
    for i, size in enumerate(sizes):
        before = net.layer(f"f{i + 1}", before, units=size, ms=times[i] if times else 1)
        if i + 1 in masks:
            before = net.layer(f"drop{i + 1}", before, units=size, ms=0.5, mask=size / 4)
    return net


def skips(layers, arcs, sizes=None, times=None):
    """A chain in which a layer also reads what earlier ones made: `arcs` says which, by number."""
    net = Net()
    for i in range(1, layers + 1):
        reads = ["x" if i == 1 else f"f{i - 1}"] + [f"f{j}" for j in arcs.get(i, ())]
        net.layer(f"f{i}", *reads, units=sizes[i - 1] if sizes else 1, ms=times[i - 1] if times else 1)
    return net


def diamond():
    net = Net()
    net.layer("top", "x")
    net.layer("left", "top")
    net.layer("right", "top")
    net.layer("join", "left", "right")
    return net


def towers(height, sizes=(1, 1), times=(1, 1)):
    net = Net()
    net.layer("stem", "x")
    ends = []
    for side, size, ms in zip("lr", sizes, times, strict=True):
        before = "stem"
        for i in range(1, height + 1):
            before = net.layer(f"{side}{i}", before, units=size, ms=ms)
        ends.append(before)
    net.layer("join", *ends)
    return net


def transformer():
    """One block, as it is trained: attention and the two linear layers, each behind a norm and before a sum."""
    net = Net()
    net.layer("norm1", "x", ms=0.2)
    net.layer("query", "norm1")
    net.layer("key", "norm1")
    net.layer("value", "norm1")
    net.layer("scores", "query", "key", units=3, ms=0.8)
    net.layer("softmax", "scores", units=3, ms=0.4, saves=("softmax",))
    net.layer("attend", "softmax", "value", ms=0.8)
    net.layer("project", "attend")
    net.layer("drop1", "project", ms=0.2, mask=0.25)
    net.layer("sum1", "drop1", "x", ms=0.2, saves=())
    net.layer("norm2", "sum1", ms=0.2)
    net.layer("up", "norm2", units=4, ms=4)
    net.layer("gelu", "up", units=4, ms=0.8)
    net.layer("down", "gelu", ms=4)
    net.layer("drop2", "down", ms=0.2, mask=0.25)
    net.layer("sum2", "drop2", "sum1", ms=0.2, saves=())
    return net


def resnet():
    """A bottleneck block that halves the picture: three convolutions, and one beside them."""
    net = Net()
    net.layer("conv1", "x", units=2, ms=2)
    net.layer("bn1", "conv1", units=2, ms=0.5)
    net.layer("relu1", "bn1", units=2, ms=0.3, saves=("relu1",))
    net.layer("conv2", "relu1", ms=4)
    net.layer("bn2", "conv2", ms=0.3)
    net.layer("relu2", "bn2", ms=0.2, saves=("relu2",))
    net.layer("conv3", "relu2", units=2, ms=2)
    net.layer("bn3", "conv3", units=2, ms=0.5)
    net.layer("conv4", "x", units=2, ms=2)
    net.layer("bn4", "conv4", units=2, ms=0.5)
    net.layer("sum", "bn3", "bn4", units=2, ms=0.3, saves=())
    net.layer("relu3", "sum", units=2, ms=0.3, saves=("relu3",))
    return net


ONCE = {"again": False}
AGAIN = {"again": True}
LINK = {"again": True, "copies": {"bytes_per_second": UNIT * 1000, "latency_us": 0}}  # 100 MiB a millisecond
SLOW = {"again": True, "copies": {"bytes_per_second": UNIT * 500, "latency_us": 0}}
SLOWER = {"again": True, "copies": {"bytes_per_second": UNIT * 1000 / 3, "latency_us": 0}}
PLACED = {"again": True, "addresses": True}

# name, graph, budget in units, moves, title, text, and both in German
PUZZLES = [
    ("chain1", chain([1, 1, 1]), 4, ONCE, "Free what nobody needs",
     "Compute every op once, up to the gradient of x. The budget is tight: free what no op reads any more.",
     "Freigeben, was niemand braucht",
     "Berechnen Sie jede Op einmal, bis zum Gradienten von x. Das Budget ist knapp: Geben Sie frei, was keine Op mehr liest."),
    ("chain2", chain([1] * 4), 4, AGAIN, "One too many",
     "Four layers, and room for one storage less than they need. One must go and be computed again. Which?",
     "Einer zu viel",
     "Vier Schichten und Platz für einen Speicherbereich zu wenig. Einer muss gehen und wiederkommen. Welcher?"),
    ("chain3", chain([2, 1, 3, 1, 2]), 7, AGAIN, "Large and small",
     "The storages differ in size. What you drop should make room and be quick to bring back.",
     "Groß und klein",
     "Die Bereiche sind verschieden groß. Was Sie verwerfen, soll Platz schaffen und schnell zurück sein."),
    ("chain4", chain([1] * 6, [1, 5, 1, 1, 4, 1]), 4, AGAIN, "Two expensive layers",
     "f2 takes 5 ms and f5 takes 4 ms. Try to run neither of them twice.",
     "Zwei teure Schichten",
     "f2 dauert 5 ms und f5 dauert 4 ms. Versuchen Sie, keine der beiden zweimal laufen zu lassen."),
    ("chain5", chain([1] * 7), 4, AGAIN, "Twice is not enough",
     "Seven layers and four units. One op will have to run three times.",
     "Zweimal reicht nicht",
     "Sieben Schichten und vier Einheiten. Eine Op muss dreimal laufen."),
    ("skip1", skips(5, {5: [1]}), 5, AGAIN, "A long arm",
     "f5 also reads what f1 made. It lives longer than its neighbours, or comes back twice.",
     "Ein langer Arm",
     "f5 liest auch, was f1 gemacht hat. Das lebt länger als seine Nachbarn, oder es kommt zweimal zurück."),
    ("skip2", skips(6, {5: [2], 6: [1]}), 6, AGAIN, "A U",
     "Two skips, one inside the other, as in a U-Net.",
     "Ein U",
     "Zwei Sprünge, einer im anderen, wie in einem U-Netz."),
    ("skip3", skips(6, {3: [1], 5: [3]}), 6, AGAIN, "Residual steps",
     "Each skip passes one layer. Every second storage is read three times.",
     "Residuale Schritte",
     "Jeder Sprung überbrückt eine Schicht. Jeder zweite Bereich wird dreimal gelesen."),
    ("skip4", skips(7, {7: [2]}, sizes=[1, 3, 1, 1, 1, 1, 1]), 10, AGAIN, "A heavy skip",
     "What f2 made is three units, and f7 reads it again. Keep it through, or bring it back?",
     "Ein schwerer Sprung",
     "Was f2 gemacht hat, sind drei Einheiten, und f7 liest es wieder. Behalten oder zurückholen?"),
    ("skip5", skips(8, {4: [2], 6: [4], 8: [1]}, times=[1, 1, 3, 1, 1, 3, 1, 1]), 7, AGAIN, "Skips and expensive layers",
     "Three skips and two layers of 3 ms. Look at what each storage costs to bring back.",
     "Sprünge und teure Schichten",
     "Drei Sprünge und zwei Schichten zu 3 ms. Sehen Sie, was jeder Bereich kostet, bis er zurück ist."),
    ("diamond1", diamond(), 5, AGAIN, "Diamond",
     "Two ways from top to join. Their backward ops may run in either order.",
     "Raute",
     "Zwei Wege von top zu join. Ihre Rückwärts-Ops dürfen in jeder Reihenfolge laufen."),
    ("towers1", towers(2), 6, AGAIN, "Two towers",
     "Finish one tower's backward pass before you bring back the other.",
     "Zwei Türme",
     "Beenden Sie den Rückwärtslauf des einen Turms, ehe Sie den anderen zurückholen."),
    ("towers2", towers(2, sizes=(2, 1), times=(1, 2)), 8, AGAIN, "Unlike towers",
     "The left tower is wide and quick, the right one narrow and slow.",
     "Ungleiche Türme",
     "Der linke Turm ist breit und schnell, der rechte schmal und langsam."),
    ("towers3", towers(3), 6, AGAIN, "Three storeys",
     "Two towers of three layers. There is not room for one tower and a half.",
     "Drei Stockwerke",
     "Zwei Türme mit je drei Schichten. Für anderthalb Türme ist kein Platz."),
    ("dropout1", chain([1] * 4, masks=(2,)), 4, AGAIN, "Do not forget the mask",
     "drop2 draws a mask, and its backward op needs the same one. It is small: a quarter of a unit.",
     "Die Maske nicht vergessen",
     "drop2 zieht eine Maske, und seine Rückwärts-Op braucht dieselbe. Sie ist klein: eine Viertel-Einheit."),
    ("dropout2", chain([1] * 4, [1, 1, 4, 1], masks=(1, 3)), 4.5, AGAIN, "Two masks",
     "A mask is cheap to hold and expensive to bring back: its dropout would have to run again.",
     "Zwei Masken",
     "Eine Maske ist billig zu behalten und teuer zurückzuholen: Ihr Dropout müsste noch einmal laufen."),
    ("dropout3", chain([2, 1, 2, 1], masks=(1, 2, 3)), 6.5, AGAIN, "Masks of all sizes",
     "Three dropouts. Decide for each whether the mask or what it came from stays.",
     "Masken in allen Größen",
     "Drei Dropouts. Entscheiden Sie bei jedem, ob die Maske bleibt oder das, woraus sie entstand."),
    ("copies1", chain([1] * 4), 4, LINK, "Park it",
     "A storage can wait in host memory. A copy takes 1 ms a unit and runs beside compute: begin early.",
     "Parken",
     "Ein Bereich kann im Hauptspeicher warten. Eine Kopie dauert 1 ms je Einheit und läuft neben dem Rechnen: früh anfangen."),
    ("copies2", chain([1] * 5, [1, 3, 1, 1, 1]), 4, SLOWER, "Copy or compute",
     "Now a copy takes 3 ms a unit, and each way carries one at a time. Some storages are better computed again.",
     "Kopieren oder rechnen",
     "Jetzt dauert eine Kopie 3 ms je Einheit, und jede Richtung trägt eine auf einmal. Manches berechnet man besser neu."),
    ("copies3", chain([1] * 4, [3, 1, 1, 1]), 3, SLOW, "A narrow place",
     "Only three units, a copy takes 2 ms a unit, and f1 takes 3 ms. What waits longest should travel.",
     "Eine enge Stelle",
     "Nur drei Einheiten, eine Kopie dauert 2 ms je Einheit, und f1 dauert 3 ms. Reisen soll, was am längsten wartet."),
    ("places1", chain([1, 2, 1]), 5, PLACED, "In one piece",
     "A storage needs its bytes in one piece, and nothing moves. Each goes to the lowest gap, or to the top.",
     "Am Stück",
     "Ein Bereich braucht seine Bytes am Stück, und nichts wandert. Er kommt in die unterste Lücke oder nach ganz oben."),
    ("places2", chain([1, 2, 1, 2]), 6, PLACED, "Neighbours",
     "Free bytes that are not neighbours are not memory. Put beside each other what goes together.",
     "Nachbarn",
     "Freie Bytes, die keine Nachbarn sind, sind kein Speicher. Legen Sie nebeneinander, was zusammen geht."),
    ("places3", chain([2, 1, 3, 1]), 7, PLACED, "From both ends",
     "What lives long at one end, what lives short at the other.",
     "Von beiden Seiten",
     "Was lange lebt, an das eine Ende; was kurz lebt, an das andere."),
    ("resnet", resnet(), 9, AGAIN, "A ResNet block",
     "A real block: convolutions are expensive, norms and ReLUs are cheap.",
     "Ein ResNet-Block",
     "Ein echter Block: Faltungen sind teuer, Normierungen und ReLUs billig."),
    ("transformer", transformer(), 18, AGAIN, "A Transformer block",
     "A real block of 33 ops. The scores are large and quick; the two linear layers of the MLP are expensive.",
     "Ein Transformer-Block",
     "Ein echter Block mit 33 Ops. Die Scores sind groß und schnell, die zwei linearen Schichten des MLP teuer."),
]  # fmt: skip


def main():
    (HERE / "graphs").mkdir(exist_ok=True)
    for number, (name, net, units, moves, title, text, german_title, german_text) in enumerate(PUZZLES, 1):
        graph = net.graph(name)
        (HERE / "graphs" / f"{name}.json").write_text(json.dumps(graph, indent=1) + "\n", encoding="utf-8")
        puzzle = {
            "format": "remat-puzzle/1",
            "number": number,
            "title": title,
            "text": text,
            "translations": {"de": {"title": german_title, "text": german_text}},
            "graph": f"graphs/{name}.json",
            "budget_bytes": round(units * UNIT),
            "moves": moves,
        }
        path = HERE / f"{name}.json"
        path.write_text(json.dumps(puzzle, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
