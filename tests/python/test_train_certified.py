# SPDX-License-Identifier: Apache-2.0
"""``remat check`` on certificates of training: what they say, of which plan they are, and that none was changed."""

import json
import os
import subprocess

import pytest
import torch
from remat_studio.train import digest
from training import batches, chain, compiled, mean_square

REMAT = os.path.join(os.environ["REMAT_BIN"], "remat")


def remat(*arguments):
    done = subprocess.run([REMAT, *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A folder with the graph of a step, two plans for it, and the certificate of a step with the first."""
    folder = tmp_path_factory.mktemp("certified")
    graph, model, given = folder / "step.json", chain(), batches(1)[0]

    def step(x):
        return mean_square(model, x)

    compiled(step, "90%", graph=str(graph))(given)
    for name, budget in (("plan", "50%"), ("other", "60%")):
        assert remat("plan", graph, "--budget", budget, "--time-limit", 1, "-o", folder / f"{name}.json")[0] == 0
    torch._dynamo.reset()
    options = {"plan": str(folder / "plan.json"), "verify": str(folder / "certificate.json")}
    torch.compile(step, backend="remat", options=options)(given)
    torch._dynamo.reset()
    return folder


def test_it_says_what_it_certifies(trained):
    written = json.loads((trained / "certificate.json").read_text())
    code, said = remat("check", trained / "certificate.json")
    assert code == 0, said
    assert f"bit for bit ({written['compared']} tensors)" in said and "within the budget of" in said
    for part in ("measured", "predicted", "plainly", "bound", f"PyTorch {torch.__version__}", "cpu"):
        assert part in said
    code, said = remat("check", trained / "certificate.json", "--json")
    answer = json.loads(said)
    assert code == 0 and answer["ok"] is True and answer["equal"] is True
    assert answer["measured_peak_bytes"] == written["measured"]["peak_bytes"]
    assert answer["fingerprint"] == written["graph"]["fingerprint"]


def test_it_is_of_one_plan_for_one_graph(trained, tmp_path):
    def check(*files):
        return remat("check", *files, "--certificate", trained / "certificate.json")

    graph = trained / "step.json"
    assert check(graph)[0] == 0
    assert check(graph, trained / "plan.json")[0] == 0
    code, said = check(graph, trained / "other.json")
    assert code == 1 and "is of another plan for this graph" in said
    smaller = json.loads(graph.read_text())
    smaller["ops"][0]["outputs"][0]["bytes"] += 4
    (tmp_path / "smaller.json").write_text(json.dumps(smaller))
    code, said = check(tmp_path / "smaller.json")
    assert code == 1 and "is of another graph" in said
    plan = json.loads((trained / "plan.json").read_text())
    plan["budget_bytes"] += 1000000
    (tmp_path / "larger.json").write_text(json.dumps(plan))
    code, said = check(graph, tmp_path / "larger.json")
    assert code == 1 and "under another budget" in said


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace('"peak_bytes": ', '"peak_bytes": 1', 1),
        lambda text: text.replace('"equal": true', '"equal":  true'),
        lambda text: text.replace("\n}", ',\n "note": "all is well"\n}'),
        lambda text: text[: text.rindex(",")] + "\n}\n",
        lambda text: text.replace('"digest": "', '"digest": "0'),
    ],
)
def test_one_that_was_changed_is_refused(trained, tmp_path, change):
    changed = tmp_path / "changed.json"
    text = (trained / "certificate.json").read_text()
    changed.write_text(change(text))
    assert changed.read_text() != text
    code, said = remat("check", changed)
    assert code == 2 and "changed.json was changed after it was written" in said


def sealed(certificate):
    """The file of a certificate, as training writes it."""
    certificate.pop("digest", None)
    before = json.dumps(certificate, indent=1).removesuffix("\n}") + ",\n "
    return f'{before}"digest": "{digest.of_text(before)}"\n}}\n'


def test_it_may_say_no(trained, tmp_path):
    written = json.loads((trained / "certificate.json").read_text())
    file = tmp_path / "no.json"
    file.write_text(sealed(written | {"equal": False, "different": ["loss"]}))
    code, said = remat("check", file)
    assert code == 1 and "differs from the plain one in 1 of" in said and '"loss"' in said
    pytorch = written["pytorch"] | {"verdict": "different", "why": "The gradient of w is wrong."}
    file.write_text(sealed(written | {"pytorch": pytorch}))
    code, said = remat("check", file)
    assert code == 1 and "The plan is exact for this graph" in said
    assert "do not train with it. The gradient of w" in said
    over = written["measured"] | {"peak_bytes": 2 * written["budget_bytes"] + written["outside_bytes"]}
    file.write_text(sealed(written | {"measured": over}))
    code, said = remat("check", file)
    assert code == 1 and "over the budget of" in said and "Between ops it held" in said
    plain = written["measured"] | {"plain": {"did_not_fit": "CUDA out of memory."}}
    file.write_text(sealed(written | {"measured": plain, "equal": None, "different": None, "compared": 0}))
    code, said = remat("check", file)
    assert code == 0 and "The plain step did not fit" in said


def test_one_of_an_older_version_says_that_it_did_not_look_at_plain_pytorch(trained, tmp_path):
    written = json.loads((trained / "certificate.json").read_text())
    assert "equal bit for bit" in remat("check", trained / "certificate.json")[1]
    del written["pytorch"]
    (tmp_path / "old.json").write_text(sealed(written))
    code, said = remat("check", tmp_path / "old.json")
    assert code == 0 and "did not look at plain PyTorch" in said


def test_what_is_no_certificate_is_said(trained, tmp_path):
    code, said = remat("check", trained / "step.json")
    assert code == 2 and "remat check MODEL PLAN" in said
    newer = tmp_path / "newer.json"
    newer.write_text('{"format": "remat-certificate/2", "written_by": "remat-studio 9.9.9"}')
    code, said = remat("check", newer)
    assert code == 2 and "9.9.9" in said
    cut = tmp_path / "cut.json"
    cut.write_text((trained / "certificate.json").read_text()[:300])
    assert remat("check", cut)[0] == 2
