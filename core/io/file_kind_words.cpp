// SPDX-License-Identifier: Apache-2.0
// What each kind of file is called, and what to do with one.
#include "core/base/text.h"
#include "core/io/file_kind.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

namespace remat {

namespace {

struct Words {
    FileKind kind;
    std::string_view name;
    std::string_view advice; ///< what to do with it; for a foreign file why it is no graph
    bool foreign = false;    ///< the sentence ends with how to trace a model
};

constexpr const char *kTraceIt =
    "Trace the model with `python -m remat_studio.trace FILE.py:make`, and open the archive.";

constexpr std::array kWords{
    Words{FileKind::Missing, "not there", "Look at its name."},
    Words{FileKind::Folder, "a folder", "Name a file in it."},
    Words{FileKind::Empty, "empty", "Make it again: a write that broke off leaves such a file."},
    Words{FileKind::Stream, "a pipe", "Save it as a file first."},
    Words{FileKind::Trace, "a trace of a model", "`remat info` describes it, `remat plan` plans it."},
    Words{FileKind::Graph, "a graph as JSON", "`remat info` describes it, `remat plan` plans it."},
    Words{FileKind::Plan, "a plan", "`remat check MODEL PLAN` judges it: name its model first and then the plan."},
    Words{FileKind::Profile, "a file of costs", "Name it with --profile, beside the model that it was measured for."},
    Words{FileKind::Session, "a session of the window", "Open it with `remat-studio`."},
    Words{FileKind::Lesson, "a lesson", "Open it with `remat-studio`; `remat lesson check` looks for mistakes in it."},
    Words{FileKind::Puzzle, "a puzzle", "Open it with `remat-studio`; `remat puzzle` solves it."},
    Words{FileKind::Story, "a recorded search of a planner", "Open it with `remat-studio`, which plays it."},
    Words{FileKind::Certificate, "a certificate of a training run", "`remat check CERTIFICATE` judges it."},
    Words{FileKind::Report, "a report of `remat doctor`", "Open it with `remat-studio`."},
    Words{FileKind::Device, "a description of a device", "Put it into resources/devices, and name it with --device."},
    Words{FileKind::OtherOurs, "a file of Remat Studio that is not opened by itself",
          "Open the file that it belongs to."},
    Words{FileKind::MemorySnapshot, "a CUDA memory snapshot of PyTorch",
          "It tells which blocks were allocated and when, and has no graph to plan on.", true},
    Words{FileKind::MemoryTimeline, "a memory timeline of PyTorch's profiler",
          "It tells sizes over time, and has no graph to plan on.", true},
    Words{FileKind::ProfilerTrace, "a trace of a profiler: what ran when",
          "It has no sizes of what ops save, and so no graph to plan on.", true},
    Words{FileKind::NodeLink, "a graph in node-link form, as networkx writes it",
          "Its nodes do not say which tensors they make and read. core/io/README.md describes remat-graph/1, in which "
          "you "
          "can write a graph of your own.",
          true},
    Words{FileKind::Dot, "a drawing of a graph for Graphviz",
          "It has labels and arrows, and neither sizes nor times to plan with.", true},
    Words{FileKind::Onnx, "an ONNX model",
          "It holds the forward pass only; what training keeps is in the backward pass.", true},
    Words{FileKind::TorchtitanSettings, "a file of settings for torchtitan",
          "It says how to train and holds no graph. `remat export MODEL PLAN --as torchtitan-policy` makes what "
          "torchtitan "
          "reads of a plan.",
          true},
    Words{FileKind::Settings, "a file of settings", "It holds no graph.", true},
    Words{FileKind::Checkpoint, "a checkpoint of torch.save: weights without a graph", "", true},
    Words{FileKind::TorchScript, "a TorchScript model",
          "It holds the forward pass only; what training keeps is in the backward pass.", true},
    Words{FileKind::CompiledModel, "a package of compiled kernels (AOTInductor)",
          "It holds machine code and no graph to plan on.", true},
    Words{FileKind::Safetensors, "a file of weights (safetensors) without a graph", "", true},
    Words{FileKind::Weights, "a file of weights (GGUF) without a graph", "", true},
    Words{FileKind::WeightsIndex, "an index of weights that are in several files", "It holds no graph.", true},
    Words{FileKind::CheckpointFolder, "a folder with a checkpoint: weights without a graph", "", true},
    Words{FileKind::ModelConfig, "the configuration of a model of transformers",
          "It says how large the model is, and holds no graph.", true},
    Words{FileKind::InferenceModel, "a model for inference on small devices",
          "It holds the forward pass only; what training keeps is in the backward pass.", true},
    Words{FileKind::Pickle, "a pickle of Python", "It is never loaded here, since loading one runs whatever it says.",
          true},
    Words{FileKind::Arrays, "a file of arrays without a graph", "", true},
    Words{FileKind::TensorBoard, "an event file of TensorBoard",
          "It tells figures of a training run, and has no graph to plan on.", true},
    Words{FileKind::NsightReport, "a report of NVIDIA Nsight Systems, or another database",
          "It has no graph to plan on.", true},
    Words{FileKind::PythonScript, "a Python script",
          "It is not run here. Trace its model with `python -m remat_studio.trace FILE.py:make`, where make() returns "
          "model, arguments and loss, and open the archive."},
    Words{FileKind::Notebook, "a Jupyter notebook", "It is not run here. Put its model into a file of Python.", true},
    Words{FileKind::Table, "a table", "It holds figures and no graph.", true},
    Words{FileKind::Program, "a program or a library of machine code", "It holds no graph.", true},
    Words{FileKind::Picture, "a picture", "", true},
    Words{FileKind::Page, "a page for a browser or a printer", "", true},
    Words{FileKind::Packed, "packed", "Unpack it, and open what is in it."},
    Words{FileKind::BrokenArchive, "an archive whose end is missing or damaged",
          "It was written or copied in part. Copy it again, or trace the model again."},
    Words{FileKind::Archive, "an archive without a model in it", "", true},
    Words{FileKind::Json, "JSON of a kind that is not known here",
          "A graph of your own begins with \"format\": \"remat-graph/1\"; core/io/README.md describes it.", true},
    Words{FileKind::Text, "a text", "", true},
    Words{FileKind::Unknown, "of a kind that is not known here", "", true},
};

const Words &wordsOf(FileKind kind)
{
    const auto *words = std::find_if(kWords.begin(), kWords.end(), [kind](const Words &w) { return w.kind == kind; });
    return words == kWords.end() ? kWords.back() : *words;
}

} // namespace

std::string_view nameOfKind(FileKind kind)
{
    return wordsOf(kind).name;
}

bool isKnownKind(FileKind kind)
{
    switch (kind) {
    case FileKind::Missing:
    case FileKind::Folder:
    case FileKind::Empty:
    case FileKind::Stream:
    case FileKind::Archive:
    case FileKind::Json:
    case FileKind::Text:
    case FileKind::Unknown:
        return false;
    default:
        return true;
    }
}

std::string sentenceOnKind(FileKind kind, const std::string &fileName, const std::string &wanted)
{
    const Words &words = wordsOf(kind);
    std::string text = fmt::format("{} is {}", printable(fileName), words.name);
    if (!wanted.empty()) text += fmt::format(", where {} is needed", wanted);
    text += '.';
    if (!words.advice.empty()) text += " " + std::string(words.advice);
    return words.foreign ? fmt::format("{} {}", text, kTraceIt) : text;
}

Expected<void> expectKind(const std::filesystem::path &path, FileKind wanted)
{
    const auto isModel = [](FileKind kind) { return kind == FileKind::Trace || kind == FileKind::Graph; };
    const FileKind kind = fileKind(path);
    if (!isKnownKind(kind) || kind == wanted || (isModel(kind) && isModel(wanted))) return {};
    const std::string words = isModel(wanted) ? "a trace or a graph as JSON" : std::string(nameOfKind(wanted));
    return fail(sentenceOnKind(kind, path.filename().string(), words));
}

} // namespace remat
