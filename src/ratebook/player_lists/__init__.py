"""Player lists: what ``--players FILE`` brings into a report, streamed so that memory does not grow with the list."""

from ratebook.formats.contract import Format

FORMATS = (
    Format(
        name="members-csv",
        title="members list, CSV (players only)",
        page="members-csv.md",
        writer="ratebook.player_lists.members_csv",
    ),
)
