"""Names that came in capitals, as people write them; others stay as they are, and all where a federation says so."""

from __future__ import annotations

import pytest

from ratebook.web.layout.words import AS_THEY_CAME, in_title_case, person_name

NAMES = {
    "HERON, ALICE": "Alice Heron",
    "ALICE HERON": "Alice Heron",
    "MCDONALD, IAN": "Ian McDonald",
    "MACDONALD, IAN": "Ian Macdonald",
    "O'BRIEN, MARY": "Mary O'Brien",
    "O\u2019BRIEN, MARY": "Mary O\u2019Brien",
    "D'ANGELO, LUCA": "Luca D'Angelo",
    "VAN DER BERG, ANNA": "Anna van der Berg",
    "ANNA VAN DER BERG": "Anna van der Berg",
    "DE LA CRUZ, JUAN": "Juan de la Cruz",
    "ALDER-BIRCH, MARY-JO": "Mary-Jo Alder-Birch",
    "ALDER, BRUNO JR": "Bruno Alder Jr",
    "ALDER JR., BRUNO": "Bruno Alder Jr.",
    "ALDER, BRUNO, SR": "Bruno Alder Sr",
    "BRUNO ALDER III": "Bruno Alder III",
    "MÜLLER, JÖRG": "Jörg Müller",
    "ÓSKARSDÓTTIR, ÞÓRA": "Þóra Óskarsdóttir",
    "ŁĘCKA, ŻANETA": "Żaneta Łęcka",
    "SMITH, AL": "Al Smith",
    "LE, VAN": "Van Le",
    "HERON, A.B.": "A.B. Heron",
    "HERON, JR": "Jr Heron",
    "HERON,": "Heron",
    "HERON": "Heron",
    "LI": "Li",
    "": "",
    # Mixed case is what somebody wrote on purpose.
    "van der Berg, Anna": "Anna van der Berg",
    "DeWitt, LeRoy": "LeRoy DeWitt",
    "alder, bruno": "bruno alder",
    "Alder, Bruno Jr.": "Bruno Alder Jr.",
}
TEXTS = {
    "MAPLE FALLS MONTHLY": "Maple Falls Monthly",
    "THE KING OF THE HILL": "The King of the Hill",
    "NY STATE OPEN U1300": "NY State Open U1300",
    "FIDE RAPID II": "FIDE Rapid II",
    "ST. MARY'S G/30": "St. Mary's G/30",
    "Riverside OPEN": "Riverside OPEN",
    "2026": "2026",
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_written_as_its_owner_does(name: str) -> None:
    assert person_name(name) == NAMES[name]


@pytest.mark.parametrize("text", TEXTS)
def test_a_title_is_written_as_in_running_text(text: str) -> None:
    assert in_title_case(text) == TEXTS[text]


def test_a_federation_may_show_capitals_as_they_came() -> None:
    token = AS_THEY_CAME.set(True)
    try:
        assert person_name("VAN DER BERG, ANNA") == "ANNA VAN DER BERG"
        assert in_title_case("MAPLE FALLS MONTHLY") == "MAPLE FALLS MONTHLY"
    finally:
        AS_THEY_CAME.reset(token)
