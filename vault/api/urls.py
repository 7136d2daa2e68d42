"""Every address under /api/v1."""

from __future__ import annotations

from django.urls import path

from vault.api.views.audit_log import CheckpointView, ProofView
from vault.api.views.batch import BatchView
from vault.api.views.contacts import ContactView
from vault.api.views.documents import docs, openapi
from vault.api.views.erasure import CertificateView, ErasureRequestsView, ErasureRequestView
from vault.api.views.exports import ExportFileView, ExportView, SubjectExportView
from vault.api.views.feedback import FeedbackView
from vault.api.views.forgetting import ForgetMatchingView
from vault.api.views.memories import MemoriesView
from vault.api.views.memory import MemoryView, RestoreView
from vault.api.views.quarantine import QuarantineView
from vault.api.views.search import ContextView, SearchView
from vault.api.views.sessions import EndView, OneSessionView, SessionsView, TurnsView, TurnView, WindowView
from vault.api.views.subjects import SubjectTokensView, SubjectView
from vault.api.views.versions import RollbackView, VersionsView
from vault.api.views.visitor_links import VisitorLinksView, VisitorLinkView

urlpatterns = [
    path("openapi.json", openapi, name="openapi"),
    path("docs", docs, name="api-docs"),
    path("memories", MemoriesView.as_view(), name="memories"),
    path("memories/batch", BatchView.as_view(), name="batch"),
    path("memories/search", SearchView.as_view(), name="search"),
    path("memories/forget", ForgetMatchingView.as_view(), name="forget-matching"),
    path("memories/<uuid:memory_id>", MemoryView.as_view(), name="memory"),
    path("memories/<uuid:memory_id>/restore", RestoreView.as_view(), name="restore"),
    path("memories/<uuid:memory_id>/feedback", FeedbackView.as_view(), name="feedback"),
    path("memories/<uuid:memory_id>/versions", VersionsView.as_view(), name="versions"),
    path("memories/<uuid:memory_id>/rollback", RollbackView.as_view(), name="rollback"),
    path("context", ContextView.as_view(), name="context"),
    path("sessions", SessionsView.as_view(), name="sessions"),
    path("sessions/<uuid:session_id>", OneSessionView.as_view(), name="session"),
    path("sessions/<uuid:session_id>/turns", TurnsView.as_view(), name="turns"),
    path("sessions/<uuid:session_id>/turns/<int:number>", TurnView.as_view(), name="turn"),
    path("sessions/<uuid:session_id>/end", EndView.as_view(), name="end"),
    path("sessions/<uuid:session_id>/window", WindowView.as_view(), name="window"),
    path("subject-tokens", SubjectTokensView.as_view(), name="subject-tokens"),
    path("subjects/<path:subject>/export", SubjectExportView.as_view(), name="subject-export"),
    path("subjects/<path:subject>/contact", ContactView.as_view(), name="contact"),
    path("subjects/<path:subject>", SubjectView.as_view(), name="subject"),
    path("exports/<uuid:export_id>", ExportView.as_view(), name="export"),
    path("exports/<uuid:export_id>/file", ExportFileView.as_view(), name="export-file"),
    path("erasure-requests", ErasureRequestsView.as_view(), name="erasure-requests"),
    path("erasure-requests/<uuid:request_id>", ErasureRequestView.as_view(), name="erasure-request"),
    path("erasure-requests/<uuid:request_id>/certificate", CertificateView.as_view(), name="certificate"),
    path("quarantine/<uuid:write_id>", QuarantineView.as_view(), name="quarantine"),
    path("visitor-links", VisitorLinksView.as_view(), name="visitor-links"),
    path("visitor-links/<uuid:link_id>", VisitorLinkView.as_view(), name="visitor-link"),
    path("audit/checkpoint", CheckpointView.as_view(), name="audit-checkpoint"),
    path("audit/entries/<int:seq>/proof", ProofView.as_view(), name="audit-proof"),
]
