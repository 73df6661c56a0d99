"""Pages of the office."""

from ratebook.web.office.corrections.pages import (
    correction_form,
    corrections,
    decide_correction,
    try_correction,
)
from ratebook.web.office.home import office_home
from ratebook.web.office.imports.pages import (
    do_import,
    import_form,
    import_job,
    import_preview,
    imports_page,
    send_file,
)
from ratebook.web.office.jobs import job_page, jobs_page
from ratebook.web.office.lists import (
    answer_publication,
    list_preview,
    lists_page,
    publication,
    publish_list,
)
from ratebook.web.office.members.member import member
from ratebook.web.office.members.persons import erase_member, erase_page, merge_members, merge_page
from ratebook.web.office.members.search import add, members_page, new_member
from ratebook.web.office.queue.overview import accept_code, queue_overview
from ratebook.web.office.queue.rating import preview, rate, rate_page
from ratebook.web.office.queue.repair import (
    change_game,
    change_seat,
    change_section,
    game_form,
    seat_form,
    section_form,
)
from ratebook.web.office.queue.submission import native_report, submission
from ratebook.web.office.queue.verdict import accept, recheck_report, reject_report, upload
from ratebook.web.office.records import audit, decision, decisions
from ratebook.web.office.rerate import do_rerate, preview_rerate, rerate_page, rerate_result
from ratebook.web.office.verify import verify_now, verify_page
from ratebook.web.office.why import why

ROUTES = (
    office_home,
    queue_overview,
    accept_code,
    submission,
    native_report,
    accept,
    reject_report,
    recheck_report,
    upload,
    section_form,
    change_section,
    seat_form,
    change_seat,
    game_form,
    change_game,
    preview,
    rate_page,
    rate,
    members_page,
    new_member,
    add,
    member,
    merge_page,
    merge_members,
    erase_page,
    erase_member,
    imports_page,
    import_form,
    send_file,
    import_preview,
    do_import,
    import_job,
    why,
    jobs_page,
    job_page,
    rerate_page,
    preview_rerate,
    do_rerate,
    rerate_result,
    verify_page,
    verify_now,
    lists_page,
    list_preview,
    publish_list,
    publication,
    answer_publication,
    corrections,
    correction_form,
    try_correction,
    decide_correction,
    decisions,
    decision,
    audit,
)
