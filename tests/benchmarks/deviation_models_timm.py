# SPDX-License-Identifier: Apache-2.0
"""Models of timm and diffusers with random weights, small, of many kinds: for deviation_models.py."""

import diffusers
import timm
import torch
from torch.nn.functional import cross_entropy, mse_loss


def _image_model(name, size=64, rows=4, **settings):
    model = timm.create_model(name, num_classes=10, **settings)
    target = torch.arange(rows)
    return model.train(), (torch.randn(rows, 3, size, size),), lambda out: cross_entropy(out, target)


def timm_vit_registers():
    sizes = {"embed_dim": 96, "depth": 2, "num_heads": 3, "patch_size": 8}
    return _image_model("vit_medium_patch16_reg4_gap_256", img_size=64, drop_path_rate=0.2, **sizes)


def timm_cait():
    sizes = {"embed_dim": 96, "depth": 2, "num_heads": 4, "patch_size": 8}
    return _image_model("cait_xxs24_224", img_size=64, drop_path_rate=0.1, **sizes)


def timm_nfnet():
    return _image_model("test_nfnet", size=96)


def timm_convnext_v2():
    return _image_model("convnextv2_atto", drop_path_rate=0.1)


def timm_maxvit():
    return _image_model("maxvit_rmlp_pico_rw_256", img_size=64)


def timm_coatnet():
    return _image_model("coatnet_pico_rw_224", img_size=64)


def timm_fastvit():
    return _image_model("fastvit_t8")


def timm_resnest():
    return _image_model("resnest14d")


def timm_ghostnet():
    return _image_model("ghostnet_050")


def timm_xcit():
    return _image_model("xcit_nano_12_p8_224", img_size=64, depth=2)


def _denoiser(model, given):
    noise = torch.randn_like(given.get("sample", given.get("hidden_states")))
    return model.train(), given | {"return_dict": False}, lambda out: mse_loss(out[0][:, : noise.shape[1]], noise)


_BLOCKS = {"block_out_channels": (32, 64), "layers_per_block": 1, "norm_num_groups": 8}


def diffusers_unet():
    kinds = {"down_block_types": ("DownBlock2D", "AttnDownBlock2D"), "up_block_types": ("AttnUpBlock2D", "UpBlock2D")}
    model = diffusers.UNet2DModel(sample_size=32, **_BLOCKS, **kinds)
    return _denoiser(model, {"sample": torch.randn(2, 3, 32, 32), "timestep": torch.tensor([7, 500])})


def _conditioned():
    kinds = {
        "down_block_types": ("CrossAttnDownBlock2D", "DownBlock2D"),
        "up_block_types": ("UpBlock2D", "CrossAttnUpBlock2D"),
    }
    model = diffusers.UNet2DConditionModel(
        sample_size=32, cross_attention_dim=48, attention_head_dim=8, **_BLOCKS, **kinds
    )
    words = {"encoder_hidden_states": torch.randn(2, 16, 48), "timestep": torch.tensor([7, 500])}
    return _denoiser(model, {"sample": torch.randn(2, 4, 32, 32)} | words)


def diffusers_unet_conditioned():
    return _conditioned()


def diffusers_unet_checkpointed():
    made = _conditioned()
    made[0].enable_gradient_checkpointing()
    return made


def diffusers_dit():
    model = diffusers.DiTTransformer2DModel(
        num_attention_heads=4, attention_head_dim=24, in_channels=4, num_layers=2, sample_size=32, num_embeds_ada_norm=10
    )
    given = {"timestep": torch.tensor([7, 500]), "class_labels": torch.tensor([1, 3])}
    return _denoiser(model, {"hidden_states": torch.randn(2, 4, 32, 32)} | given)


def diffusers_sd3():
    sizes = {"num_layers": 2, "attention_head_dim": 24, "num_attention_heads": 4, "joint_attention_dim": 48}
    model = diffusers.SD3Transformer2DModel(
        sample_size=32, patch_size=2, in_channels=4, out_channels=4, caption_projection_dim=96,
        pooled_projection_dim=64, pos_embed_max_size=32, **sizes,
    )  # fmt: skip
    words = {"encoder_hidden_states": torch.randn(2, 16, 48), "pooled_projections": torch.randn(2, 64)}
    return _denoiser(model, {"hidden_states": torch.randn(2, 4, 32, 32), "timestep": torch.tensor([7, 500])} | words)


def diffusers_flux():
    sizes = {"num_layers": 1, "num_single_layers": 1, "attention_head_dim": 32, "num_attention_heads": 4}
    model = diffusers.FluxTransformer2DModel(
        in_channels=16, joint_attention_dim=48, pooled_projection_dim=64, axes_dims_rope=(8, 12, 12), **sizes
    )
    places = {"img_ids": torch.zeros(256, 3), "txt_ids": torch.zeros(16, 3)}
    words = {"encoder_hidden_states": torch.randn(2, 16, 48), "pooled_projections": torch.randn(2, 64)}
    given = {"hidden_states": torch.randn(2, 256, 16), "timestep": torch.tensor([0.1, 0.5])}
    return _denoiser(model, given | words | places)


def diffusers_autoencoder():
    kinds = {"down_block_types": ("DownEncoderBlock2D",) * 2, "up_block_types": ("UpDecoderBlock2D",) * 2}
    return _denoiser(diffusers.AutoencoderKL(**_BLOCKS, **kinds), {"sample": torch.randn(2, 3, 32, 32)})


def diffusers_video():
    sizes = {"num_attention_heads": 4, "attention_head_dim": 24, "num_layers": 2, "text_embed_dim": 48}
    model = diffusers.CogVideoXTransformer3DModel(
        in_channels=4, out_channels=4, time_embed_dim=64, sample_width=16, sample_height=16, sample_frames=9,
        max_text_seq_length=16, **sizes,
    )  # fmt: skip
    given = {"encoder_hidden_states": torch.randn(2, 16, 48), "timestep": torch.tensor([7, 500])}
    return _denoiser(model, {"hidden_states": torch.randn(2, 3, 4, 16, 16)} | given)


__all__ = [name for name in globals() if name.startswith(("timm_", "diffusers_"))]
