"""The REST API: authenticate -> scope -> one service -> serializer. It translates and decides nothing.

Promise: every answer under /api is JSON, every refusal a problem document (RFC 9457) from the one table in
`errors`, and no answer repeats a value that was refused.

The road not taken: viewsets and model serializers. They bind the contract to the tables, and here no table
holds what a caller reads.
"""
