"""Addresses of the console. Internal ids only: a subject's own id is looked up by POST and stands in none."""

from __future__ import annotations

from django.urls import path

from console.views import (
    approvals,
    audit_log,
    erasure,
    home,
    memories,
    operations,
    queue,
    registers,
    staff,
    subjects,
)

app_name = "console"

urlpatterns = [
    path("", home.home, name="home"),
    path("queue/", queue.queue_page, name="queue"),
    path("queue/<uuid:write_id>/", queue.item_page, name="queue_item"),
    path("queue/<uuid:write_id>/release/", queue.release, name="release"),
    path("queue/<uuid:write_id>/reject/", queue.reject, name="reject"),
    path("memories/", memories.lookup_page, name="memories"),
    path("memories/find/", memories.look_up, name="find_memory"),
    path("memories/<uuid:memory_id>/", memories.memory_page, name="memory"),
    path("memories/<uuid:memory_id>/roll-back/", memories.go_back, name="roll_back"),
    path("memories/<uuid:memory_id>/forget/", memories.forget, name="forget"),
    path("memories/<uuid:memory_id>/restore/", memories.restore, name="restore"),
    path("subjects/", subjects.lookup_page, name="subjects"),
    path("subjects/find/", subjects.look_up, name="find_subject"),
    path("subjects/<uuid:subject_id>/", subjects.subject_page, name="subject"),
    path("subjects/<uuid:subject_id>/hold/", subjects.hold, name="place_hold"),
    path("subjects/<uuid:subject_id>/erasure/", subjects.ask_erasure, name="request_erasure"),
    path("holds/<uuid:hold_id>/", subjects.hold_page, name="hold"),
    path("holds/<uuid:hold_id>/release/", subjects.lift_hold, name="release_hold"),
    path("erasure/", erasure.requests_page, name="erasures"),
    path("erasure/<uuid:request_id>/", erasure.request_page, name="erasure"),
    path("erasure/<uuid:request_id>/evidence/", erasure.show_evidence, name="erasure_evidence"),
    path("erasure/<uuid:request_id>/verify/", erasure.verify, name="verify_erasure"),
    path("erasure/<uuid:request_id>/approve/", erasure.approve, name="approve_erasure"),
    path("erasure/<uuid:request_id>/refuse/", erasure.refuse, name="refuse_erasure"),
    path("erasure/<uuid:request_id>/certificate/", erasure.certificate_page, name="certificate"),
    path("erasure/<uuid:request_id>/certificate.json", erasure.certificate_file, name="certificate_file"),
    path("approvals/", approvals.approvals_page, name="approvals"),
    path("approvals/<uuid:approval_id>/", approvals.approval_page, name="approval"),
    path("approvals/<uuid:approval_id>/approve/", approvals.give, name="give_approval"),
    path("approvals/<uuid:approval_id>/carry-out/", approvals.do, name="carry_out"),
    path("approvals/<uuid:approval_id>/refuse/", approvals.deny, name="refuse_approval"),
    path("audit/", audit_log.log_page, name="audit"),
    path("audit/verify/", audit_log.verify, name="verify_log"),
    path("audit/<int:seq>/proof.json", audit_log.proof, name="entry_proof"),
    path("agents/", registers.agents_page, name="agents"),
    path("agents/grants/<int:grant_id>/suspend/", registers.suspend, name="suspend_grant"),
    path("agents/grants/<int:grant_id>/resume/", registers.resume, name="resume_grant"),
    path("operations/", operations.operations_page, name="operations"),
    path("operations/new-epoch/", operations.ask_roll, name="ask_key_epoch"),
    path("policy/", registers.policy_page, name="policy"),
    path("staff/", staff.staff_list, name="staff"),
    path("staff/invite/", staff.invite, name="invite_staff"),
    path("staff/<int:staff_id>/renew/", staff.renew, name="renew_staff"),
    path("staff/<int:staff_id>/suspend/", staff.suspend, name="suspend_staff"),
]
