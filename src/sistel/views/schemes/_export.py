"""Schemes as PNG and PDF, by a browser that is there anyway."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from sistel.errors import Text, refuse
from sistel.files import reason_of

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
PATIENCE = 60
"""Time that a browser has for a picture [s]."""
_SIZE = re.compile(r'width="([0-9.]+)(mm)?" height="([0-9.]+)(?:mm)?"')


def find_browser() -> str | None:
    """The path of a browser that can print without a window."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def save_picture(svg: str, path: str) -> None:
    """Write a scheme as .png (twice its size in pixels) or .pdf (one page of its size).

    Raises:
        SistelError: There is no browser, it failed, or the file cannot be written.
    """
    browser = find_browser()
    if browser is None:
        refuse(
            "no-picture",
            Text("PNG and PDF are made by Chromium, which is not found", "PNG и PDF делает Chromium, а его нет"),
            hint=Text(
                "install chromium, or write .svg, which every browser prints",
                "установите chromium или пишите .svg: его печатает любой браузер",
            ),
        )
    found = _SIZE.search(svg)
    assert found is not None
    unit = found.group(2) or "px"
    wide, high = float(found.group(1)), float(found.group(3))
    page = (
        f"<!doctype html><meta charset=utf-8><style>@page{{size:{wide}{unit} {high + 0.2}{unit};margin:0}}"
        f"html,body{{margin:0;overflow:hidden}}svg{{display:block}}</style>{svg[svg.index('<svg') :]}"
    )
    with tempfile.TemporaryDirectory(prefix="sistel-") as folder:
        source, made = Path(folder, "page.html"), Path(folder, "made")
        source.write_text(page, encoding="utf-8")
        pixels = 96 / 25.4 if unit == "mm" else 1.0
        if path.casefold().endswith(".pdf"):
            task = [f"--print-to-pdf={made}", "--no-pdf-header-footer"]
        else:
            task = [
                f"--screenshot={made}.png",
                f"--window-size={round(wide * pixels)},{round(high * pixels)}",
                "--force-device-scale-factor=2",
                "--hide-scrollbars",
                # Else a busy machine takes the picture before all of it is drawn.
                *("--run-all-compositor-stages-before-draw", "--virtual-time-budget=1000"),
            ]
        command = [browser, "--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
        command += [f"--user-data-dir={folder}/profile", *task, source.as_uri()]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.insert(1, "--no-sandbox")  # Chromium refuses to run for root otherwise
        try:
            subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
        except (OSError, subprocess.TimeoutExpired) as problem:
            refuse("no-picture", Text(f"Chromium made no picture: {problem}", f"Chromium не сделал рисунка: {problem}"))
        result = made if made.exists() else Path(f"{made}.png")
        if not result.exists():
            refuse("no-picture", Text("Chromium made no picture", "Chromium не сделал рисунка"))
        try:
            shutil.copyfile(result, path)
        except OSError as problem:
            said = reason_of(problem)
            refuse("no-picture", Text(f"{path}: cannot be written: {said.en}", f"{path}: не записать: {said.ru}"))
