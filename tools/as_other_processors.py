"""Run notebooks as other processors would, and name every byte in which what they write and show differs.

    python tools/as_other_processors.py [--as sse,haswell] [NOTEBOOK ...]

A program cannot borrow another processor, but four libraries choose their machine code by the processor they find, and
each can be told to find another: OpenBLAS, numpy, numba and the C library. Notebooks run at small size (the defaults of
their parameters) into build/processors/NAME, once as this machine and once as each of the others.
"""

import argparse
import difflib
import io
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "processors"
#: What chooses the machine code; a value set by the caller must not reach a run that does not set it.
CHOOSERS = ("OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "GLIBC_TUNABLES")
#: The extensions of numpy's dispatch in its order; a processor lacks all from some point on.
NUMPY_EXTENSIONS = ("X86_V3", "X86_V4", "AVX512_ICL", "AVX512_SPR")
NO_FMA = "-AVX,-AVX2,-FMA,-FMA4,-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ"


@dataclass(frozen=True)
class Processor:
    """A kind of processor: the kernels of OpenBLAS, numpy's last extension, numba's target, and what it needs."""

    openblas: str
    numpy: int
    numba: str
    needs: tuple[str, ...]
    tunables: str = ""

    @property
    def environment(self) -> dict[str, str]:
        """The variables that make the libraries of this machine choose as on that processor."""
        chosen = {
            "OPENBLAS_CORETYPE": self.openblas,
            "NUMBA_CPU_NAME": self.numba,
            "NUMBA_CPU_FEATURES": "",  # those of the named processor; unset, numba takes this machine's
        }
        disabled = [name for name in NUMPY_EXTENSIONS[self.numpy :] if name in _known_to_numpy()]
        if disabled:
            chosen["NPY_DISABLE_CPU_FEATURES"] = " ".join(disabled)
        if self.tunables:
            chosen["GLIBC_TUNABLES"] = f"glibc.cpu.hwcaps={self.tunables}"
        return chosen

    def missing(self) -> list[str]:
        """What this machine lacks to stand in for the processor."""
        present = _flags()
        return [need for need in self.needs if need not in present]


PROCESSORS = {
    "sse": Processor("Nehalem", 0, "nehalem", ("sse4_2",), NO_FMA),
    "haswell": Processor("Haswell", 1, "haswell", ("avx2", "fma", "bmi2")),
    "zen": Processor("Zen", 1, "znver1", ("avx2", "fma", "sha_ni")),
    "skylake-x": Processor("SkylakeX", 2, "skylake-avx512", ("avx512f", "avx512vl", "avx512bw", "avx512dq")),
}


def _flags() -> set[str]:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return set()
    return set(next((line for line in text.splitlines() if line.startswith("flags")), "").split())


def _known_to_numpy() -> set[str]:
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    return {name for name in __cpu_dispatch__ if __cpu_features__.get(name)}


def environment(name: str, folder: Path) -> dict[str, str]:
    """The environment of a process that runs as the named processor ("this": as it is) and writes into a folder."""
    inherited = {key: value for key, value in os.environ.items() if key not in CHOOSERS}
    chosen = {} if name == "this" else PROCESSORS[name].environment
    one = dict.fromkeys(("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    return {
        **inherited,
        **one,
        **chosen,
        "NUMBA_CACHE_DIR": str(ROOT / "build" / "numba-processors" / name),
        "GAMEBALANCE_OUTPUT": str(folder),
        "GAMEBALANCE_PROGRESS": "0",
        "IPYTHONDIR": str(ROOT / "build" / "ipython"),
        "MPLCONFIGDIR": str(ROOT / "build" / "matplotlib"),
        "JUPYTER_PREFER_ENV_PATH": "1",
        "PYTHONHASHSEED": "0",
    }


def run(name: str, notebook: Path) -> str | None:
    """Execute a notebook as a processor into its folder; return what went wrong."""
    folder = BUILD / name / notebook.stem
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "nbconvert", "--to=notebook", "--execute", "--allow-errors", str(notebook)]
    command += [f"--output-dir={folder}", "--log-level=ERROR", "--ExecutePreprocessor.timeout=3600"]
    done = subprocess.run(command, env=environment(name, folder), capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr[-2000:]


def differences(first: Path, second: Path, digits: int = 9) -> list[str]:
    """What two folders of one notebook differ in: cells' outputs, then files; CSVs to so many digits (0: the bytes)."""
    notebook = next(first.glob("*.ipynb")).name
    found = _cells(first / notebook, second / notebook)
    names = {file.relative_to(folder) for folder in (first, second) for file in folder.rglob("*") if file.is_file()}
    for name in sorted(names):
        if name.name == notebook or name.suffix == ".json":
            continue
        if not (first / name).is_file() or not (second / name).is_file():
            found.append(f"{name}: written by one only")
        elif content(first / name, digits) != content(second / name, digits):
            found.append(f"{name}: {_first_line(first / name, second / name, digits)}")
    return found


def content(file: Path, digits: int) -> bytes:
    """The bytes of a file; a CSV's numbers rounded to the digits that are meant."""
    if file.suffix != ".csv" or not digits:
        return file.read_bytes()
    import pandas

    from gamebalance.base.rounding import meant

    try:
        frame = pandas.read_csv(io.BytesIO(file.read_bytes()))
    except pandas.errors.EmptyDataError:
        return b""
    return meant(frame, digits).to_csv(index=False).encode()


def _first_line(first: Path, second: Path, digits: int) -> str:
    if first.suffix in (".png",):
        return "other bytes"
    pair = [content(file, digits).decode().splitlines() for file in (first, second)]
    changed = [(a, b) for a, b in zip(*pair, strict=False) if a != b]
    return f"{len(changed)} lines, {changed[0][0][:300]!r} and {changed[0][1][:300]!r}" if changed else "length"


def _cells(first: Path, second: Path) -> list[str]:
    pair = [json.loads(file.read_text())["cells"] for file in (first, second)]
    found = []
    for number, cells in enumerate(zip(*pair, strict=True)):
        outputs = [_joined(cell.get("outputs", [])) for cell in cells]
        for a, b in zip(*outputs, strict=False):
            for kind in sorted(a.keys() | b.keys()):
                if a.get(kind) != b.get(kind):
                    found.append(f"cell {number} {kind}: {_apart(kind, a.get(kind, ''), b.get(kind, ''))}")
        if len(outputs[0]) != len(outputs[1]):
            found.append(f"cell {number}: another number of outputs")
        found += [f"cell {number}: {text['error'][-300:]}" for texts in outputs for text in texts if "error" in text]
    return found


def _joined(outputs: list[dict]) -> list[dict[str, str]]:
    """The outputs of a cell; how a printed text was cut into messages is a matter of time, so they are joined."""
    joined: list[dict[str, str]] = []
    for output in outputs:
        texts = _texts(output)
        if output["output_type"] == "stream" and joined and joined[-1].keys() == texts.keys():
            joined[-1] = {kind: joined[-1][kind] + text for kind, text in texts.items()}
        else:
            joined.append(texts)
    return joined


def _texts(output: dict) -> dict[str, str]:
    if output["output_type"] == "error":
        return {"error": f"{output['ename']}: {output['evalue']} {output['traceback'][-1]}"}
    if output["output_type"] == "stream":
        return {output["name"]: "".join(output["text"])}
    return {kind: "".join(data) if isinstance(data, list) else str(data) for kind, data in output["data"].items()}


def _apart(kind: str, a: str, b: str) -> str:
    if kind.startswith("image/png"):
        return "other bytes"
    matcher = difflib.SequenceMatcher(None, a, b, autojunk=False) if len(a) < 20000 else None
    if matcher is None:
        lines = [(x, y) for x, y in zip(a.splitlines(), b.splitlines(), strict=False) if x != y]
        return f"{lines[0][0][:300]!r} and {lines[0][1][:300]!r}" if lines else "length"
    changes = [(a[i - 30 : j + 10], b[k - 30 : m + 10]) for tag, i, j, k, m in matcher.get_opcodes() if tag != "equal"]
    return "; ".join(f"{x!r} and {y!r}" for x, y in changes[:3])


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--as", dest="names", default=",".join(PROCESSORS), help="processors, by commas")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--compare-only", action="store_true", help="compare what earlier runs left")
    parser.add_argument("--no-this", action="store_true", help="keep the earlier run as this machine")
    parser.add_argument("--digits", type=int, default=9, help="digits to which CSVs are compared; 0: the bytes")
    parser.add_argument("notebooks", nargs="*")
    options = parser.parse_args(arguments)
    names = [name for name in options.names.split(",") if name]
    for name in list(names):
        if missing := PROCESSORS[name].missing():
            print(f"{name}: left out, for this machine lacks {', '.join(missing)}")
            names.remove(name)
    every = sorted(
        path for path in (ROOT / "notebooks").rglob("[0-9]*.ipynb") if ".ipynb_checkpoints" not in path.parts
    )
    chosen = [path for path in every if not options.notebooks or any(part in path.stem for part in options.notebooks)]
    if not options.compare_only:
        kinds = ([] if options.no_this else ["this"]) + names
        jobs = [(name, path) for path in chosen for name in kinds]
        with ThreadPoolExecutor(options.workers) as pool:
            for job, problem in zip(jobs, pool.map(lambda job: run(*job), jobs), strict=True):
                print(f"{job[0]} {job[1].stem}: {problem or 'run'}", flush=True)
    failed = 0
    for path in chosen:
        for name in names:
            found = differences(BUILD / "this" / path.stem, BUILD / name / path.stem, options.digits)
            failed += bool(found)
            print(f"{path.stem} as {name}: {'the same' if not found else len(found)}")
            for line in found:
                print(f"    {line}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
