# SPDX-License-Identifier: Apache-2.0
"""What models of libraries are refused for has a way out that is theirs: an option, or another input."""

import functools
import importlib
import os

import remat_studio
import torch
import transformers
from remat_studio import frames
from support import refused, without_data


def test_labels_of_classes_can_be_said_to_be_such(tmp_path):
    settings = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    args = {"input_ids": torch.randint(1, 99, (2, 6)), "labels": torch.tensor([0, 2])}

    def model(**options):
        config = transformers.DebertaV2Config(vocab_size=99, num_labels=3, **settings, **options)
        return transformers.DebertaV2ForSequenceClassification(config).train()

    assert "set problem_type in the model's configuration" in refused(tmp_path, without_data(model), args)
    remat_studio.trace(model(problem_type="single_label_classification"), args, path=tmp_path / "model.pt2")


def test_checkpointing_of_transformers_can_be_the_newer_one_or_off(tmp_path):
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(n_layer=1, n_embd=8, n_head=1, vocab_size=9)).train()
    args = {"input_ids": torch.ones(1, 4, dtype=torch.long), "labels": torch.ones(1, 4, dtype=torch.long)}
    model.gradient_checkpointing_enable({"use_reentrant": True})
    sentence = refused(tmp_path, model, args)
    assert "gradient_checkpointing_enable({'use_reentrant': False})" in sentence
    assert "gradient_checkpointing_disable()" in sentence
    model.gradient_checkpointing_enable({"use_reentrant": False})
    remat_studio.trace(model, args, path=tmp_path / "model.pt2")
    model.gradient_checkpointing_disable()
    remat_studio.trace(model, args, path=tmp_path / "model.pt2")


def test_loops_of_graphs_can_be_edges(tmp_path):
    from torch_geometric.nn import GATConv
    from torch_geometric.utils import add_self_loops

    x, edges = torch.randn(4, 3), torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]])
    assert "add_self_loops=False and edges that hold the loops" in refused(tmp_path, without_data(lambda: GATConv(3, 2)), (x, edges))
    with_loops, _ = add_self_loops(edges, num_nodes=4)
    remat_studio.trace(GATConv(3, 2, add_self_loops=False), (x, with_loops), path=tmp_path / "model.pt2")


def test_layers_left_out_by_chance_can_be_turned_off(tmp_path):
    sizes = {"vocab_size": 99, "d_model": 16, "encoder_layers": 1, "decoder_layers": 1}
    sizes |= {f"{part}_attention_heads": 2 for part in ("encoder", "decoder")}
    sizes |= {f"{part}_ffn_dim": 16 for part in ("encoder", "decoder")}
    ids = torch.randint(3, 99, (1, 6))

    def model(**options):
        return transformers.BartForConditionalGeneration(transformers.BartConfig(**sizes, **options)).train()

    for options in ({"encoder_layerdrop": 0.1}, {"decoder_layerdrop": 0.1}):
        unknown = without_data(functools.partial(model, **options))
        sentence = refused(tmp_path, unknown, {"input_ids": ids, "labels": ids})
        assert "encoder_layerdrop and decoder_layerdrop" in sentence
    remat_studio.trace(
        model(encoder_layerdrop=0.0, decoder_layerdrop=0.0),
        {"input_ids": ids, "labels": ids},
        path=tmp_path / "model.pt2",
        weights=False,
    )


def test_an_option_of_a_library_can_avoid_its_line(tmp_path, monkeypatch):
    library = tmp_path / "site" / "somelibrary"
    library.mkdir(parents=True)
    (library / "__init__.py").write_text(
        "import torch\n\n\nclass Layer(torch.nn.Linear):\n    checks = True\n\n    def forward(self, x):\n"
        "        y = super().forward(x)\n        if self.checks and y.sum() > 9:\n            y = y / 2\n"
        "        return y\n"
    )
    monkeypatch.syspath_prepend(library.parent)
    monkeypatch.setattr(frames, "_SITE_PACKAGES", (*frames._SITE_PACKAGES, f"{library.parent}{os.sep}"))
    layer = importlib.import_module("somelibrary").Layer(4, 4)
    sentence = refused(tmp_path, without_data(lambda: type(layer)(4, 4)))
    assert "this is a line of somelibrary: look for an option of the model that avoids it" in sentence
    layer.checks = False
    remat_studio.trace(layer, (torch.ones(2, 4),), path=tmp_path / "model.pt2")


def test_advice_about_a_librarys_line_can_be_followed(tmp_path):
    settings = {
        "hidden_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "intermediate_size": 16,
        "conv_dim": (8, 8),
        "conv_stride": (5, 2),
        "conv_kernel": (10, 3),
        "num_feat_extract_layers": 2,
        "num_conv_pos_embeddings": 4,
        "num_conv_pos_embedding_groups": 2,
    }
    args = {"input_values": torch.randn(1, 1000), "labels": torch.tensor([0])}

    def model(**options):
        config = transformers.Wav2Vec2Config(**settings, **options)
        return transformers.Wav2Vec2ForSequenceClassification(config).train()

    assert "set layerdrop=0" in refused(tmp_path, without_data(model), args)
    assert "mask_time_prob=0" in refused(tmp_path, without_data(lambda: model(layerdrop=0)), args)
    remat_studio.trace(model(layerdrop=0, mask_time_prob=0), args, path=tmp_path / "model.pt2")
