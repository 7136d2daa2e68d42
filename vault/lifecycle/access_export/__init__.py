"""Everything that is kept on one subject, as one signed file: asked for, approved by another person, made by a job.

Promise: what stands in a store of the data map is collected here or has a stated reason not to be; the file never
lies anywhere in clear, not even while it is made; it ends after some days, and with the subject's key.

The road not taken: a file in a folder (each web process would need it, and an erasure would have to find it); one
transaction over the whole collection (it would hold up the subject's writers, or see the progress of none).

`vault.lifecycle.verify_export` checks such a file far from the vault.
"""

from vault.lifecycle.access_export.approval import carry_out_export
from vault.lifecycle.access_export.building import execute_export
from vault.lifecycle.access_export.download import Download, open_download
from vault.lifecycle.access_export.expiry import close_undone, expire_exports
from vault.lifecycle.access_export.extent import Extent, extent_of
from vault.lifecycle.access_export.listing import ExportState, get_export, list_exports
from vault.lifecycle.access_export.request import request_export

__all__ = [
    "Download",
    "ExportState",
    "Extent",
    "carry_out_export",
    "close_undone",
    "execute_export",
    "expire_exports",
    "extent_of",
    "get_export",
    "list_exports",
    "open_download",
    "request_export",
]
