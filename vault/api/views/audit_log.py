"""`/audit`: signed heads of the log, and proofs that an entry stands in it."""

from __future__ import annotations

import base64

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from audit.actions import Action
from audit.proofs import inclusion_proof, latest_checkpoint
from vault.api.answers import CheckpointOut, ProofOut
from vault.api.views.endpoint import Endpoint
from vault.retrieval import trail
from vault.retrieval.scope import Right


class CheckpointView(Endpoint):
    @extend_schema(operation_id="get_audit_checkpoint", responses=CheckpointOut)
    def get(self, request: Request) -> Response:
        """The newest signed tree head; not found before the first."""
        self.scope.require(Right.AUDIT_READ)
        with transaction.atomic(durable=True):
            head = latest_checkpoint()
            trail.note(Action.AUDIT_READ, scope=self.scope, kind="checkpoint", target=str(head.size))
        root = base64.b64encode(bytes(head.root)).decode("ascii")
        return Response({"size": head.size, "root": root, "key_id": head.key_id, "note": head.note})


class ProofView(Endpoint):
    @extend_schema(operation_id="get_audit_proof", responses=ProofOut)
    def get(self, request: Request, seq: int) -> Response:
        """The inclusion proof of one entry against the newest head; not found until a head covers it."""
        self.scope.require(Right.AUDIT_READ)
        with transaction.atomic(durable=True):
            proof = inclusion_proof(seq)
            trail.note(Action.AUDIT_READ, scope=self.scope, kind="entry", target=str(seq))
        return Response(proof.document())
