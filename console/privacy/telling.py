"""What subjects are told, in their words, for each state of a request."""

from __future__ import annotations

from collections.abc import Mapping

from vault.models import RequestStatus

STEPS: Mapping[RequestStatus, str] = {
    RequestStatus.VERIFIED: "It is yours",
    RequestStatus.APPROVED: "Granted",
    RequestStatus.EXECUTING: "Being carried out",
    RequestStatus.DONE: "Done",
}
TOLD: Mapping[RequestStatus, str] = {
    RequestStatus.RECEIVED: "We wait for you to confirm that it is you.",
    RequestStatus.VERIFIED: "You have shown that it is you. Somebody is looking at your request.",
    RequestStatus.ON_HOLD: "A law obliges us to keep your data for now. Your request goes on by itself afterwards.",
    RequestStatus.APPROVED: "Your request is granted and about to be carried out.",
    RequestStatus.EXECUTING: "Your request is being carried out just now.",
    RequestStatus.REFUSED: "Your request was refused.",
    RequestStatus.DONE: "Your request was carried out.",
}
