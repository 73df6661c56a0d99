"""ratebook finding: what a code means."""

import difflib
import re

import click

from ratebook.cli.command import command
from ratebook.cli.show import fail_with
from ratebook.declared_findings import declared_findings
from ratebook.findings import Place


@command("finding")
@click.argument("code")
def finding_command(code: str) -> None:
    """Say what a finding means: CODE is the word in brackets after it.

    All findings are in docs/findings.md. Names and numbers are examples.

    Examples:
      ratebook finding result-asymmetric
    """
    codes = declared_findings()
    wanted = code.strip().strip("[]").lower().partition(".")[0]
    if wanted not in codes:
        words = re.findall(r"[a-z]{3,}", wanted)
        having = sorted(codes, key=lambda name: -sum(word in name for word in words))
        near = (
            difflib.get_close_matches("-".join(words), codes, 3, 0.75)
            or [name for name in having if any(word in name for word in words)][:3]
        )
        similar = f" Did you mean {', '.join(near)}?" if near else ""
        fail_with("finding-unknown", Place(code=code), similar=similar)
    declared = codes[wanted]
    click.echo(f"{wanted} ({declared.severity}): {declared.explanation}\n")
    for line in declared.lines():
        click.echo(line)
