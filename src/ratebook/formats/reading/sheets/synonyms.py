"""What people and other programs call the columns of each kind of table: data, beside the names of the columns.

Names are compared as `ratebook.formats.reading.sheets.header.plain_title` writes them.
"""

from collections.abc import Mapping

Synonyms = Mapping[str, tuple[str, ...]]


def words(text: str) -> tuple[str, ...]:
    """Return the words of *text*, each of which is a title or what a cell may say."""
    return tuple(text.split())


_IDS = words(
    "id player player_id member member_id member_# member_no member_nr member_number members_id"
    " membership_# membership_id membership_no membership_number mem_id memb_id id_# id_no id_number uscf"
    " uscf_# uscf_id uscf_id_# uscf_no uscf_number uscf_member_id us_chess us_chess_# us_chess_id"
    " us_chess_no us_chess_number uschess_id medlemsnr medlemsnummer medlemsid mitgliedsnr mitgliedsnummer"
    " mitglieds_nr mitgl_nr matricule lidnr lidnummer codigo código jäsennumero national_id id_national"
    " nat_id federation_id chess_id memid memberid memberno membernumber membershipid uscfid playerid"
    " mitgliedsnummer lizenz lizenznr lizenz_nr lizenznummer licence licence_# licence_no license"
    " license_# licencia licença licenza n_licence carné carne carnet tessera n_tessera numero_tessera"
    " socio nº_socio lisenssi lisens"
)
_NAMES = words(
    "player_name full_name players names player member_name member nome nombre nom namn navn naam nimi"
    " spieler jugador joueur jogador giocatore spelare spiller speler pelaaja teilnehmer deltagare"
    " deltager deltaker nombre_y_apellidos apellidos_y_nombre nom_et_prénom nom_prénom cognome_e_nome"
    " nominativo"
)
_FIRST = words(
    "first first_name firstname given_name given_names fname forename vorname prénom prenom förnamn"
    " fornavn voornaam etunimi imię"
)
_LAST = words(
    "last last_name lastname surname family_name lname nachname familienname apellidos apellido cognome"
    " efternamn etternavn efternavn achternaam sukunimi sobrenome apelido nazwisko"
)
_SEATS = words(
    "# no nr num number pair pair_# pair_no pair_num pairing pairing_# pr pr_# pr_no pairing_no"
    " pairing_number player_# player_no start_# start_no starting_no starting_number n sno snr seed nro nº numero"
    " startnr start_nr st_nr tnr startnummer teilnehmernummer"
)
RANKS = words(
    "rk rank place plc pl pos position rg rang platz plass plats plaats plac placering puesto clt sija"
)
"""The place of a player at the end: results may name opponents by it."""
_RATINGS = words(
    "rtng rtg rate rat pre pre_rating pre_rtg before old_rating rating_before current_rating rtgn start_rating"
    " starting_rating uscf_rating uscf_rtng us_chess_rating pre_event_rating elo elon ranking rating_elo"
    " wertungszahl rapide"
)
_BIRTH = words(
    "dob d_o_b birthdate date_of_birth birthday birth_day born b_day bday birth geboren geburtsdatum"
    " geburtstag geb_datum gebdatum geb geburt geboortedatum geboren_op fecha_de_nacimiento"
    " fecha_nacimiento f_nacimiento nacimiento date_de_naissance naissance né née né_le né_e_le"
    " data_di_nascita data_nascita nascita data_de_nascimento nascimento född födelsedatum født"
    " fødselsdato fødselsdag syntymäaika data_urodzenia urodzony"
)
_CLUBS = words("school school_name club_name club_school verein verein_ort klub klubb seura vereniging clube")
_FIDE_IDS = words("fideid id_fide fide_no fide_nr fide_number fide_code fidenr")
_PLAYER = {
    "name": _NAMES,
    "first_name": _FIRST,
    "last_name": _LAST,
    "birth_date": _BIRTH,
    "sex": words("gender geschlecht sexe sexo sesso geslacht k\u00f6n kj\u00f8nn k\u00f8n"),
    "club": _CLUBS,
    "fide_id": _FIDE_IDS,
}
_SYSTEMS = {
    "quick": words("quick_rating quick_rtng quick_rtg qrtg q_rating"),
    "blitz": words("blitz_rating blitz_rtng blitz_rtg b_rating"),
    "fide": words("fide_rating fide_rtng fide_rtg fide_standard rtgi eloi elo_fide fide_elo"),
    "fide_as_of": words("fide_list fide_list_date fide_rating_list fide_date fide_rating_date"),
    "cfc": ("cfc_rating",),
    "cfc_as_of": words("cfc_list cfc_list_date cfc_date cfc_rating_date"),
}
_REGULAR = words("regular_rating reg reg_rating reg_rtng regular_rtng")

SYNONYMS: Mapping[str, Synonyms] = {
    "report": {
        "seat": _SEATS,
        "player": _IDS,
        **_PLAYER,
        "rating": _RATINGS,
        "regular": _REGULAR,
        **_SYSTEMS,
        "total": words(
            "score pts points tot totals total_points final_score total_score punkte pkt pkte puntos pontos punti"
            " punten poäng poeng ptos pisteet"
        ),
        "section": words("sec section_# section_no section_number quad flight"),
        "event_name": ("event", "tournament", "tournament_name"),
        "start": words("start_date starting_date first_day date_start begin_date"),
        "end": words("end_date ending_date last_day date_end event_date"),
        "time_control": ("tc", "time_ctrl", "timecontrol"),
    },
    "members list": {
        "id": _IDS,
        **_PLAYER,
        "regular": (*_REGULAR, "rating", *_RATINGS),
        "regular_games": words(
            "games games_played number_of_games no_of_games reg_games reg_gms regular_rating_games regular_gms"
        ),
        "quick_games": ("quick_gms", "quick_rating_games", "qk_games"),
        "blitz_games": ("blitz_gms", "blitz_rating_games"),
        **_SYSTEMS,
        "expires": words(
            "exp expiration expiration_date expiry expire expires_on exp_date expiry_date membership_expires"
            " membership_expiration valid_until valid_to paid_until mitglied_bis mitgliedschaft_bis gültig_bis"
        ),
        "state": words("st home_state province bundesland"),
    },
    "balances": {
        "member_id": _IDS,
        "rating": ("regular", *_RATINGS),
        "system": ("rating_system", "rating_type", "type"),
        "as_of": words("date as_of_date on rating_date"),
        "games": words("n games_played number_of_games no_of_games"),
    },
    "corrections": {
        "on": ("date", "day"),
        "by": ("person", "who", "corrected_by"),
        "kind": ("type", "what"),
        "reason": ("why", "because", "remark"),
        "event_id": ("event", "event_#", "event_no"),
        "section": words("sec section_# section_no section_number"),
        "seat": _SEATS,
        "round": words("rd rnd round_# round_no round_number"),
        "value": ("new", "new_value", "result"),
        "opponent_value": ("opponent", "new_opponent_value", "opponent_result"),
    },
    "table": {"member_id": _IDS},
}
"""Other names of columns, by kind of table and column."""

UNUSED = frozenset(
    (
        *_SEATS,
        *RANKS,
        *words(
            "age address board buchholz change city club comment comments country date_joined join_date joined"
            " last_event last_played member_since since updated cum cumulative division email e_mail fed federation"
            " fee gender grade median mod_med new_rating notes paid perf performance phone post post_rating prize s_b"
            " sex solkoff sonneborn_berger st state team tb tb1 tb2 tb3 tb4 tb5 tb6 tiebreak tie_break title tpr zip"
            " tbrk tbrk_m tbrk_s tbrk_c tbrk_o tbrk_k tbrk1 tbrk2 tbrk3 tbrk4 tbrk5 tbrk6 club_city typ gr rp krtg"
            " wtg wtg1 wtg2 wtg3 wtg4 land pays país nat nation nationality sexe sexo geschlecht titel titre exp"
            " expires expiration expiration_date membership_expires after rating_after rtg_change cat fede ligue tr"
        ),
    )
)
"""Columns that people often have, and that no rating reads: they are named in one note."""
